/**
 * The language models that other extensions offer in this editor.
 *
 * Apart from what asks them: the client is loaded only when a server is started.
 */

import * as vscode from 'vscode';
import { hasLanguageModels } from './newerApi';

/** The families of the models that other extensions offer, and whether one is that which is wanted. */
export async function findOfferedModels(
  wanted: string,
): Promise<{ families: string[]; isOffered: boolean }> {
  try {
    const all = hasLanguageModels() ? await vscode.lm.selectChatModels({}) : [];
    return { families: nameFamilies(all), isOffered: chooseModel(all, wanted) !== undefined };
  } catch {
    return { families: [], isOffered: false };
  }
}

export function chooseModel(
  models: readonly vscode.LanguageModelChat[],
  wanted: string,
): vscode.LanguageModelChat | undefined {
  return wanted
    ? models.find((each) => [each.id, each.family, each.name].includes(wanted))
    : models[0];
}

export function nameFamilies(models: readonly vscode.LanguageModelChat[]): string[] {
  return [...new Set(models.map((each) => each.family))];
}
