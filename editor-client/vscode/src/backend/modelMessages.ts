/** The server's transcript as messages of the editor's language models, and the pieces back. */

import * as vscode from 'vscode';
import { findToolParts, type ToolCallPart } from './newerApi';

/** A message in the form of a chat request. */
export interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface WireTool {
  function: { name: string; description: string; parameters: object };
}

export type Piece =
  { text: string } | { toolCall: { id: string; name: string; arguments: string } };

/** These models know no system message: what it says is said first by the user. */
export function readMessages(messages: readonly WireMessage[]): vscode.LanguageModelChatMessage[] {
  return messages.map(readMessage);
}

export function readTools(tools: readonly WireTool[]): object[] {
  return tools.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    inputSchema: parameters,
  }));
}

/** What a part of an answer is, or null for a kind that is not known. */
export function writePiece(part: unknown): Piece | null {
  if (typeof part === 'string') {
    return { text: part };
  }
  const parts = findToolParts();
  if (parts && part instanceof parts.LanguageModelTextPart) {
    return { text: part.value };
  }
  if (parts && part instanceof parts.LanguageModelToolCallPart) {
    return { toolCall: writeCall(part) };
  }
  return null;
}

function writeCall({ callId, name, input }: ToolCallPart): {
  id: string;
  name: string;
  arguments: string;
} {
  return { id: callId, name, arguments: JSON.stringify(input) };
}

function readMessage(message: WireMessage): vscode.LanguageModelChatMessage {
  const { LanguageModelChatMessage: Message } = vscode;
  const text = message.content ?? '';
  const parts = findToolParts();
  if (message.role === 'tool') {
    if (!parts) {
      return Message.User(text);
    }
    const content = [new parts.LanguageModelTextPart(text)];
    const result = new parts.LanguageModelToolResultPart(message.tool_call_id ?? '', content);
    return Message.User([result] as unknown as string);
  }
  if (message.role !== 'assistant') {
    return Message.User(text);
  }
  if (!parts || !message.tool_calls?.length) {
    return Message.Assistant(text);
  }
  const calls = message.tool_calls.map(
    ({ id, function: { name, arguments: input } }) =>
      new parts.LanguageModelToolCallPart(id, name, JSON.parse(input) as object),
  );
  const said = text ? [new parts.LanguageModelTextPart(text)] : [];
  return Message.Assistant([...said, ...calls] as unknown as string);
}
