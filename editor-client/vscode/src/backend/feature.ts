/** Offers the server what this editor knows and can, and answers when it asks. */

import * as vscode from 'vscode';
import type { LanguageClient, StaticFeature } from 'vscode-languageclient/node';
import { answerQuestion, FINDERS, OFFERS } from './facts';
import type { EditorModels, ModelRequest } from './models';
import { hasLanguageModels } from './newerApi';

/** To be called before the client starts; the handlers go with it. */
export function offerEditor(client: LanguageClient, models: EditorModels): void {
  const offersModel = hasLanguageModels() && vscode.workspace.isTrusted;
  const offer: StaticFeature = {
    fillClientCapabilities: (capabilities) => {
      const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
      capabilities.experimental = {
        ...experimental,
        glossator: { editor: OFFERS, model: offersModel },
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  };
  client.registerFeature(offer);
  for (const [subject, find] of Object.entries(FINDERS)) {
    client.onRequest(
      `glossator/editor/${subject}`,
      (question: Parameters<typeof answerQuestion>[1], token: vscode.CancellationToken) =>
        answerQuestion(find, question, token),
    );
  }
  if (offersModel) {
    client.onRequest('glossator/model/describe', (wanted: { model: string }) =>
      models.describe(wanted),
    );
    client.onRequest(
      'glossator/model/chat',
      (request: ModelRequest, token: vscode.CancellationToken) =>
        models.chat(
          request,
          (piece) => void client.sendNotification('glossator/model/piece', piece),
          token,
        ),
    );
  }
}
