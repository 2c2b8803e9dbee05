/** Models that a chat request brought along, under names that only this process knows. */

import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';

export class LentModels {
  private readonly byName = new Map<string, vscode.LanguageModelChat>();

  /** Name a model for one turn; `dispose` takes the name back. */
  lend(model: vscode.LanguageModelChat): { name: string; dispose: () => void } {
    const name = `chat:${randomUUID()}`;
    this.byName.set(name, model);
    return { name, dispose: () => this.byName.delete(name) };
  }

  find(name: string): vscode.LanguageModelChat | undefined {
    return this.byName.get(name);
  }
}
