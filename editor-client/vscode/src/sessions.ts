/** The list of sessions: go on with one, rename it, export it, delete it. */

import * as vscode from 'vscode';
import type { Server } from './server/server';
import type { ExportResult, SessionEntry, SessionsResult } from './shared/protocol';
import type { ChatView } from './views/chatView';

type Item = vscode.QuickPickItem & { entry: SessionEntry };
/** Says whether the list is to be shown again. */
type Action = (entry: SessionEntry) => Promise<boolean>;

/** Typing asks the server, which searches what was said as well. */
const SEARCH_DELAY_MS = 150;

export async function showSessions(server: Server, chat: ChatView): Promise<void> {
  const { l10n } = vscode;
  const buttons = new Map<vscode.QuickInputButton, Action>([
    [makeButton('edit', l10n.t('Rename')), (entry) => rename(server, entry)],
    [makeButton('export', l10n.t('Export')), (entry) => exportSession(server, entry)],
    [makeButton('trash', l10n.t('Delete')), (entry) => deleteSession(server, chat, entry)],
  ]);
  const chosen = await choose(server, [...buttons.keys()]);
  const action = chosen?.button && buttons.get(chosen.button);
  if (chosen && !action) {
    await chat.resume(chosen.entry.sessionId);
  } else if (chosen && (await action?.(chosen.entry))) {
    await showSessions(server, chat);
  }
}

/** Return what was chosen; without a button, the session itself. */
function choose(
  server: Server,
  buttons: vscode.QuickInputButton[],
): Promise<{ entry: SessionEntry; button?: vscode.QuickInputButton } | undefined> {
  const { l10n, window } = vscode;
  return new Promise((resolve, reject) => {
    const pick = window.createQuickPick<Item>();
    pick.title = l10n.t('Sessions of this workspace');
    pick.placeholder = l10n.t('Choose one to go on with; type to search in all that was said');
    const load = () => {
      const query = pick.value;
      pick.busy = true;
      list(server, query, buttons).then(
        (items) => {
          // What was typed meanwhile is on its way.
          if (query === pick.value) {
            pick.items = items;
            pick.busy = false;
          }
        },
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          pick.hide();
        },
      );
    };
    let timer: NodeJS.Timeout | undefined;
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(load, SEARCH_DELAY_MS);
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) {
        resolve({ entry: item.entry });
        pick.hide();
      }
    });
    pick.onDidTriggerItemButton(({ button, item }) => {
      resolve({ entry: item.entry, button });
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      resolve(undefined);
      pick.dispose();
    });
    load();
    pick.show();
  });
}

function makeButton(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

async function list(
  server: Server,
  query: string,
  buttons: vscode.QuickInputButton[],
): Promise<Item[]> {
  const { sessions } = await server.execute<SessionsResult>('glossator.listSessions', { query });
  return sessions.map((entry) => ({
    entry,
    buttons,
    label: entry.title,
    description: `${countTurns(entry)} · ${new Date(entry.updatedAt).toLocaleString()}`,
    ...(entry.lastQuestion === entry.title ? {} : { detail: entry.lastQuestion }),
    // The server has searched; the editor would look at the titles only.
    alwaysShow: true,
  }));
}

function countTurns(entry: SessionEntry): string {
  return entry.nTurns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', entry.nTurns);
}

async function rename(server: Server, entry: SessionEntry): Promise<boolean> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename'),
    value: entry.title,
  });
  if (title?.trim()) {
    const { sessionId } = entry;
    await server.execute('glossator.renameSession', { sessionId, title });
  }
  return true;
}

async function exportSession(server: Server, entry: SessionEntry): Promise<boolean> {
  const { l10n, window, workspace } = vscode;
  const formats = [
    { label: 'Markdown', description: l10n.t('to be read'), format: 'markdown' },
    { label: 'JSON', description: l10n.t('for programs, with everything'), format: 'json' },
  ];
  const chosen = await window.showQuickPick(formats, { title: l10n.t('Export') });
  if (!chosen) {
    return true;
  }
  const { format } = chosen;
  const argument = { sessionId: entry.sessionId, format };
  const { text } = await server.execute<ExportResult>('glossator.exportSession', argument);
  const document = await workspace.openTextDocument({ language: format, content: text });
  await window.showTextDocument(document);
  return false;
}

async function deleteSession(
  server: Server,
  chat: ChatView,
  entry: SessionEntry,
): Promise<boolean> {
  const { l10n, window } = vscode;
  const confirm = l10n.t('Delete');
  const question = l10n.t('Delete “{0}” for good? ({1})', entry.title, countTurns(entry));
  if ((await window.showWarningMessage(question, { modal: true }, confirm)) === confirm) {
    const { sessionId } = entry;
    await server.execute('glossator.deleteSession', { sessionId });
    chat.forget(sessionId);
  }
  return true;
}
