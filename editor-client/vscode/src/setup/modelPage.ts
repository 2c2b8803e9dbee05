/** The page on which a model is set up: chosen, tested, saved. */

import * as vscode from 'vscode';
import type { ApiKey } from '../apiKey';
import { findOfferedModels } from '../backend/offeredModels';
import type { Server } from '../server/server';
import type { FromForm, OfferedServer, ToForm } from '../shared/formMessages';
import type { ModelTestResult } from '../shared/protocol';
import { makePage, webviewOptions } from '../views/page';
import { findPreset, OPENAI_URL, PRESETS, tidyUrl } from './presets';

type Asked = Extract<FromForm, { type: 'test' }>;
type Saved = Extract<FromForm, { type: 'save' }>;

/** The choice of the editor's own model; it has no address. */
const EDITOR = 'editor';

export class ModelPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | null = null;
  private test: vscode.CancellationTokenSource | null = null;

  constructor(
    private readonly server: Server,
    private readonly apiKey: ApiKey,
    private readonly extensionUri: vscode.Uri,
  ) {}

  show(): void {
    this.panel ??= this.makePanel();
    this.panel.reveal();
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private makePanel(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'glossator.model',
      vscode.l10n.t('Set up a model'),
      vscode.ViewColumn.Active,
      { ...webviewOptions(this.extensionUri), retainContextWhenHidden: true },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const listeners = [
      panel.webview.onDidReceiveMessage((message: FromForm) => void this.receive(message)),
      this.server.onDidChange((status) => {
        this.send({ type: 'running', isRunning: status.state === 'running' });
      }),
    ];
    panel.onDidDispose(() => {
      this.test?.cancel();
      listeners.forEach((each) => each.dispose() as unknown);
      this.panel = null;
    });
    panel.webview.html = makePage(panel.webview, this.extensionUri, 'model');
    return panel;
  }

  private send(message: ToForm): void {
    void this.panel?.webview.postMessage(message);
  }

  private async receive(message: FromForm): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.send(await this.describe());
        break;
      case 'test':
        await this.run(message);
        break;
      case 'cancel':
        this.test?.cancel();
        break;
      case 'save':
        await this.save(message);
        break;
      case 'askKey':
        await this.tellOfKey(message.baseUrl);
        break;
      case 'askOffered':
        this.send({ type: 'offered', names: (await findOfferedModels('')).families });
        break;
      case 'openChat':
        await vscode.commands.executeCommand('glossator.openChat');
        break;
      case 'removeKey':
        await this.apiKey.remove(message.baseUrl);
        await this.tellOfKey(message.baseUrl);
        break;
      case 'openKeyPage': {
        const page = PRESETS.find((each) => each.id === message.server)?.keyPage;
        if (page) {
          await vscode.env.openExternal(vscode.Uri.parse(page));
        }
      }
    }
  }

  private async describe(): Promise<ToForm> {
    const settings = vscode.workspace.getConfiguration('glossator.model');
    const baseUrl = settings.get<string>('baseUrl', '');
    const name = settings.get<string>('name', '');
    const servers: OfferedServer[] = [];
    for (const preset of PRESETS) {
      const hasKey = preset.baseUrl !== '' && Boolean(await this.apiKey.readOf(preset.baseUrl));
      servers.push({ ...preset, hasKey });
    }
    return {
      type: 'show',
      servers,
      chosen:
        settings.get<string>('source', '') === EDITOR
          ? EDITOR
          : findPreset(baseUrl || OPENAI_URL).id,
      choice: { baseUrl, name },
      isRunning: this.server.status.state === 'running',
    };
  }

  private async tellOfKey(baseUrl: string): Promise<void> {
    const hasKey = Boolean(baseUrl && (await this.apiKey.readOf(baseUrl)));
    this.send({ type: 'keyKept', baseUrl, hasKey });
  }

  /** Ask the server to ask: nothing is sent to anybody before. */
  private async run(asked: Asked): Promise<void> {
    this.test?.cancel();
    const source = (this.test = new vscode.CancellationTokenSource());
    const baseUrl = tidyUrl(asked.choice.baseUrl);
    try {
      const apiKey = asked.key.trim() || ((await this.apiKey.readOf(baseUrl)) ?? '');
      const argument = {
        baseUrl,
        name: asked.choice.name.trim(),
        apiKey,
        listOnly: asked.listOnly,
      };
      const result = await this.server.execute<ModelTestResult>('glossator.testModel', argument, {
        token: source.token,
        onProgress: ({ message }) => {
          this.send({ type: 'testing', text: message ?? '' });
        },
      });
      this.send({ type: 'tested', result, listOnly: asked.listOnly });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.send({ type: 'failed', message: source.token.isCancellationRequested ? '' : message });
    } finally {
      source.dispose();
      this.test = this.test === source ? null : this.test;
    }
  }

  /** The key first: the settings make the server use it. */
  private async save(saved: Saved): Promise<void> {
    const baseUrl = tidyUrl(saved.choice.baseUrl);
    if (saved.key.trim() && saved.server !== EDITOR) {
      await this.apiKey.keep(baseUrl, saved.key.trim());
    }
    const settings = vscode.workspace.getConfiguration('glossator.model');
    const { Global } = vscode.ConfigurationTarget;
    if (settings.inspect('source')) {
      const source = saved.server === EDITOR ? 'editor' : undefined;
      await settings.update('source', source, Global);
    }
    await settings.update('baseUrl', baseUrl || undefined, Global);
    await settings.update('name', saved.choice.name.trim() || undefined, Global);
    await this.tellOfKey(baseUrl);
    const isOffered =
      saved.server !== EDITOR || (await findOfferedModels(saved.choice.name.trim())).isOffered;
    this.send({ type: 'saved', isOffered });
  }
}
