/** What the panel's list of sessions asks for. */

import * as vscode from 'vscode';
import type { Server } from './server/server';
import type { AskingFromPanel, AskingToPanel, ExportFormat } from './shared/asking';
import type { ExportResult, SessionsResult } from './shared/protocol';
import type { ChatView } from './views/chatView';

type Send = (message: AskingToPanel) => void;

/** Do what the list asks for; says whether the message was one of its own. */
export async function serveSessions(
  message: AskingFromPanel,
  server: Server,
  chat: ChatView,
  send: Send,
): Promise<void> {
  try {
    await serve(message, server, chat, send);
  } catch (error) {
    send({
      type: 'sessionsFailed',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

async function serve(
  message: AskingFromPanel,
  server: Server,
  chat: ChatView,
  send: Send,
): Promise<void> {
  switch (message.type) {
    case 'listSessions':
      return list(message.query, server, chat, send);
    case 'resumeSession':
      return chat.resume(message.sessionId);
    case 'renameSession': {
      const { sessionId, title } = message;
      await server.execute('glossator.renameSession', { sessionId, title });
      send({ type: 'sessionsChanged' });
      return;
    }
    case 'deleteSession':
      await server.execute('glossator.deleteSession', { sessionId: message.sessionId });
      chat.forget(message.sessionId);
      send({ type: 'sessionsChanged' });
      return;
    case 'exportSession':
      return exportSession(message.sessionId, message.format, server);
    default:
  }
}

async function list(query: string, server: Server, chat: ChatView, send: Send): Promise<void> {
  const { sessions } = await server.execute<SessionsResult>('glossator.listSessions', { query });
  send({ type: 'sessions', query, sessions, shown: chat.sessionId });
}

async function exportSession(
  sessionId: string,
  format: ExportFormat,
  server: Server,
): Promise<void> {
  const argument = { sessionId, format };
  const { text } = await server.execute<ExportResult>('glossator.exportSession', argument);
  const { window, workspace } = vscode;
  const document = await workspace.openTextDocument({ language: format, content: text });
  await window.showTextDocument(document);
}
