/** The key of the model's server, in the editor's secret storage and nowhere else. */

import * as vscode from 'vscode';

const KEY = 'glossator.apiKey';

export class ApiKey {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  read = async (): Promise<string | undefined> => this.secrets.get(KEY);

  /** Ask for a key and keep it. Returns whether one was kept. */
  async ask(): Promise<boolean> {
    const entered = await vscode.window.showInputBox({
      title: vscode.l10n.t('Glossator: API key'),
      prompt: vscode.l10n.t(
        'Kept in the secret storage of this machine and sent only to the server named by glossator.model.baseUrl.',
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
    await this.secrets.store(KEY, key);
    return true;
  }

  async remove(): Promise<void> {
    await this.secrets.delete(KEY);
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange((event) => {
      if (event.key === KEY) {
        listener();
      }
    });
  }
}
