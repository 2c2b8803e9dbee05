/** Builds the parts of the extension once and joins them. */

import * as vscode from 'vscode';
import { ApiKey } from './apiKey';
import {
  makeCommandRunner,
  offerInstallation,
  registerCommands,
  runPanelCommand,
} from './commands';
import { Server, type ServerStatus } from './server/server';
import { onSelectedPythonChange } from './server/selectedPython';
import type { Surroundings } from './shared/messages';
import { StatusBar } from './statusBar';
import { readTarget, renderTarget } from './target';
import { AnswerDocuments } from './views/answerDocuments';
import { AnswerPanel } from './views/answerPanel';
import { ChatView } from './views/chatView';
import { FiguresPage } from './views/figuresPage';

let server: Server | undefined;

/** What tests and other extensions can reach. */
export interface GlossatorApi {
  server: Server;
  chat: ChatView;
  answers: AnswerPanel;
}

export function activate(context: vscode.ExtensionContext): GlossatorApi {
  const log = vscode.window.createOutputChannel('Glossator', { log: true });
  const apiKey = new ApiKey(context.secrets);
  const surroundings = new vscode.EventEmitter<void>();
  const running = new Server(context, log, apiKey.read);
  server = running;
  const shared = {
    surroundings: () => readSurroundings(running.status),
    onSurroundings: surroundings.event,
    runCommand: (command: Parameters<typeof runPanelCommand>[0]) => {
      runPanelCommand(command, running);
    },
  };
  const documents = new AnswerDocuments();
  const chat = new ChatView(running, context.extensionUri, documents, shared);
  const answers = new AnswerPanel(running, context.extensionUri, documents, shared);
  const figures = new FiguresPage(context.extensionUri);
  const parts = { server: running, chat, answers, figures, documents, apiKey, log };
  running.runCommand = makeCommandRunner(parts);
  context.subscriptions.push(
    ...[log, surroundings, running, chat, answers, figures, documents.register()],
    vscode.window.registerWebviewViewProvider(ChatView.id, chat),
    ...registerCommands(parts),
    ...watchServer(running, surroundings),
    ...watchEditor(running, apiKey, surroundings),
  );
  // Not awaited: the editor does not wait for a server.
  void running.start();
  return { server: running, chat, answers };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function watchServer(
  running: Server,
  surroundings: vscode.EventEmitter<void>,
): { dispose: () => unknown }[] {
  const statusBar = new StatusBar();
  let before: ServerStatus['state'] | null = null;
  const show = (status: ServerStatus) => {
    statusBar.update(status);
    surroundings.fire();
    if (status.state === 'missing' && before !== 'missing') {
      void offerInstallation(running);
    }
    before = status.state;
  };
  show(running.status);
  return [
    statusBar,
    running.onDidChange(show),
    vscode.window.onDidChangeActiveTextEditor(() => {
      statusBar.update(running.status);
    }),
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
    workspace.onDidChangeWorkspaceFolders(changed),
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

function readSurroundings(status: ServerStatus): Surroundings {
  const target = readTarget();
  return {
    server: {
      state: status.state,
      message: status.message,
      installCommand: status.installCommand,
    },
    model: status.report?.model ?? null,
    index: status.report?.index ?? null,
    hasFolder: Boolean(vscode.workspace.workspaceFolders?.length),
    context: target ? renderTarget(target) : '',
  };
}
