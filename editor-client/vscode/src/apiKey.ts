/**
 * Keys of models' servers, in the editor's secret storage and nowhere else.
 *
 * Each belongs to one address: another server chosen is sent its own key or none.
 */

import * as vscode from 'vscode';
import { OPENAI_URL, tidyUrl } from './setup/presets';

/** What was kept before keys had addresses; it belonged to whatever server the settings named. */
const UNADDRESSED = 'glossator.apiKey';
const PREFIX = 'glossator.apiKey:';

export class ApiKey {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** The key of the server that the settings name. */
  read = async (): Promise<string | undefined> => {
    await this.giveAddress();
    return this.readOf(configuredUrl());
  };

  readOf(baseUrl: string): Thenable<string | undefined> {
    return this.secrets.get(PREFIX + tidyUrl(baseUrl || OPENAI_URL));
  }

  async keep(baseUrl: string, key: string): Promise<void> {
    await this.secrets.store(PREFIX + tidyUrl(baseUrl || OPENAI_URL), key);
  }

  async remove(baseUrl = configuredUrl()): Promise<void> {
    await this.secrets.delete(UNADDRESSED);
    await this.secrets.delete(PREFIX + tidyUrl(baseUrl || OPENAI_URL));
  }

  /** Ask for a key and keep it. Returns whether one was kept. */
  async ask(): Promise<boolean> {
    const baseUrl = configuredUrl() || OPENAI_URL;
    const entered = await vscode.window.showInputBox({
      title: vscode.l10n.t('Glossator: API key'),
      prompt: vscode.l10n.t(
        'Kept in the secret storage of this machine and sent only to {0}.',
        baseUrl,
      ),
      placeHolder: 'sk-…',
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) =>
        /\s/.test(value.trim()) ? vscode.l10n.t('A key has no spaces in it.') : undefined,
    });
    const key = entered?.trim();
    if (!key) {
      return false;
    }
    await this.keep(baseUrl, key);
    return true;
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange((event) => {
      if (event.key.startsWith(PREFIX)) {
        listener();
      }
    });
  }

  private async giveAddress(): Promise<void> {
    const key = await this.secrets.get(UNADDRESSED);
    if (key) {
      await this.keep(configuredUrl(), key);
      await this.secrets.delete(UNADDRESSED);
    }
  }
}

function configuredUrl(): string {
  return vscode.workspace.getConfiguration('glossator.model').get<string>('baseUrl', '');
}
