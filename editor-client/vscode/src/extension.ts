/** Builds the parts of the extension once and joins them. */

import * as vscode from 'vscode';
import { ApiKey } from './apiKey';
import { registerAnswerCopies } from './code/answerCopies';
import { CallTree, registerCallTree } from './code/callTree';
import {
  makeCommandRunner,
  offerInstallation,
  registerCommands,
  runPanelCommand,
} from './commands';
import { makeHandler, provideFollowups, registerParticipant } from './participant';
import { Server, type ServerStatus } from './server/server';
import { onSelectedPythonChange } from './server/selectedPython';
import type { Surroundings } from './shared/messages';
import { SetUp } from './setup/setUp';
import { StatusBar } from './statusBar';
import { readTarget, renderTarget } from './target';
import { AnswerDocuments } from './views/answerDocuments';
import { Applying } from './views/applying';
import { AnswerPanel } from './views/answerPanel';
import { ChatView } from './views/chatView';
import { FiguresPage } from './views/figuresPage';

let server: Server | undefined;

/** What tests and other extensions can reach. */
export interface GlossatorApi {
  server: Server;
  chat: ChatView;
  answers: AnswerPanel;
  /** What the editor's chat asks `@glossator`. */
  participant: { handle: vscode.ChatRequestHandler; followups: typeof provideFollowups };
}

export function activate(context: vscode.ExtensionContext): GlossatorApi {
  const log = vscode.window.createOutputChannel('Glossator', { log: true });
  const apiKey = new ApiKey(context.secrets);
  const surroundings = new vscode.EventEmitter<void>();
  const running = new Server(context, log, apiKey.read);
  server = running;
  const setUp = new SetUp(context, running, apiKey, log);
  const applying = new Applying();
  const shared = {
    applying,
    surroundings: () => readSurroundings(running.status, setUp),
    onSurroundings: surroundings.event,
    runCommand: (command: Parameters<typeof runPanelCommand>[0]) => {
      runPanelCommand(command, running, setUp);
    },
  };
  const documents = new AnswerDocuments();
  const chat = new ChatView(
    running,
    context.extensionUri,
    documents,
    shared,
    context.workspaceState,
  );
  const answers = new AnswerPanel(running, context.extensionUri, documents, shared);
  const calls = new CallTree(running);
  const figures = new FiguresPage(context.extensionUri);
  const parts = {
    server: running,
    chat,
    answers,
    calls,
    figures,
    documents,
    applying,
    apiKey,
    log,
  };
  running.runCommand = makeCommandRunner(parts);
  running.showChange = (change) => applying.showChange(change);
  context.subscriptions.push(
    ...[log, surroundings, running, chat, answers, figures, documents.register()],
    applying.register(),
    vscode.window.registerWebviewViewProvider(ChatView.id, chat),
    ...registerCommands(parts),
    registerCallTree(calls),
    registerAnswerCopies(answers, documents),
    setUp,
    setUp.onDidChange(() => {
      surroundings.fire();
    }),
    ...watchServer(running, surroundings, setUp),
    ...watchEditor(running, apiKey, surroundings),
  );
  const participant = registerParticipant(running, context.extensionUri);
  if (participant) {
    context.subscriptions.push(participant);
  }
  // Not awaited: the editor does not wait for a server.
  void running.start();
  const handle = makeHandler(running);
  return { server: running, chat, answers, participant: { handle, followups: provideFollowups } };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function watchServer(
  running: Server,
  surroundings: vscode.EventEmitter<void>,
  setUp: SetUp,
): { dispose: () => unknown }[] {
  const statusBar = new StatusBar();
  let before: ServerStatus['state'] | null = null;
  const updateBar = () => {
    statusBar.update(running.status, setUp.installer.doing);
  };
  const show = (status: ServerStatus) => {
    updateBar();
    surroundings.fire();
    if (status.state === 'missing' && before !== 'missing') {
      void offerInstallation(running, setUp);
    }
    before = status.state;
  };
  show(running.status);
  return [
    statusBar,
    running.onDidChange(show),
    setUp.onDidChange(updateBar),
    vscode.window.onDidChangeActiveTextEditor(updateBar),
    vscode.workspace.onDidCloseTextDocument((document) => {
      running.status.checks.forget(document.uri.toString());
    }),
  ];
}

function watchEditor(
  running: Server,
  apiKey: ApiKey,
  surroundings: vscode.EventEmitter<void>,
): vscode.Disposable[] {
  const { window, workspace } = vscode;
  const changed = () => {
    surroundings.fire();
  };
  return [
    window.onDidChangeActiveTextEditor(changed),
    window.onDidChangeTextEditorSelection(changed),
    workspace.onDidChangeWorkspaceFolders(() => {
      changed();
      void running.sendSettings();
    }),
    apiKey.onDidChange(() => void running.sendSettings()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('glossator.server')) {
        void running.restart();
      } else if (event.affectsConfiguration('glossator')) {
        void running.sendSettings();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
    onSelectedPythonChange(() => {
      if (running.status.state === 'missing') {
        void running.restart();
      }
    }),
  ];
}

function readSurroundings(status: ServerStatus, setUp: SetUp): Surroundings {
  const target = readTarget();
  return {
    server: {
      state: status.state,
      message: status.message,
      installCommand: status.installCommand,
      isNamed: status.isNamed,
    },
    model: status.report?.model ?? null,
    index: status.report?.index ?? null,
    hasFolder: Boolean(vscode.workspace.workspaceFolders?.length),
    isTrusted: vscode.workspace.isTrusted,
    hasKnowledge: setUp.hasKnowledge,
    installing: setUp.installer.doing,
    installTrouble: setUp.installer.trouble,
    context: target ? renderTarget(target) : '',
  };
}
