/**
 * What newer editors have beside the interface of the oldest one that is supported.
 *
 * Each is looked for when it is used; an editor without it goes on without it.
 */

import * as vscode from 'vscode';

export interface ToolCallPart {
  callId: string;
  name: string;
  input: object;
}

interface Parts {
  LanguageModelTextPart?: new (value: string) => { value: string };
  LanguageModelToolCallPart?: new (callId: string, name: string, input: object) => ToolCallPart;
  LanguageModelToolResultPart?: new (callId: string, content: unknown[]) => object;
}

/** The parts of messages with tools; undefined where the editor's models take none. */
export function findToolParts(): Required<Parts> | undefined {
  const api = vscode as unknown as Parts;
  const { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart } = api;
  return LanguageModelTextPart && LanguageModelToolCallPart && LanguageModelToolResultPart
    ? { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart }
    : undefined;
}

/** Whether this editor has language models, and chat participants. */
export function hasLanguageModels(): boolean {
  return (
    typeof (vscode as { lm?: { selectChatModels?: unknown } }).lm?.selectChatModels === 'function'
  );
}

export function hasChat(): boolean {
  const { chat } = vscode as { chat?: { createChatParticipant?: unknown } };
  return typeof chat?.createChatParticipant === 'function';
}

/** The model that is chosen in the chat view; older editors have one for all. */
export function modelOf(request: vscode.ChatRequest): vscode.LanguageModelChat | undefined {
  return (request as { model?: vscode.LanguageModelChat }).model;
}

/** The pieces of an answer: text and calls of tools; older editors have only text. */
export function piecesOf(response: vscode.LanguageModelChatResponse): AsyncIterable<unknown> {
  return (response as { stream?: AsyncIterable<unknown> }).stream ?? response.text;
}
