/** Lets the server use the editor's own language models; the editor asks for consent itself. */

import * as vscode from 'vscode';
import { ResponseError } from 'vscode-languageclient/node';
import type { LentModels } from './lentModels';
import { readMessages, readTools, writePiece } from './modelMessages';
import type { Piece, WireMessage, WireTool } from './modelMessages';
import { findToolParts, piecesOf } from './newerApi';
import { chooseModel, nameFamilies } from './offeredModels';

export interface ModelRequest {
  id: string;
  model: string;
  messages: WireMessage[];
  tools: WireTool[];
}

export type SendPiece = (piece: Piece & { id: string }) => void;

type Trouble = 'no-model' | 'no-consent' | 'quota' | 'blocked' | 'too-long' | 'failed';

const REQUEST_FAILED = -32803;

export class EditorModels {
  constructor(private readonly lent: LentModels) {}

  async describe({ model: wanted }: { model: string }): Promise<object> {
    const model = await this.find(wanted);
    return {
      name: model.name,
      family: model.family,
      vendor: model.vendor,
      maxInputTokens: model.maxInputTokens,
      tools: findToolParts() !== undefined,
    };
  }

  /** Answer a request piece by piece; the result comes behind the last one. */
  async chat(
    request: ModelRequest,
    send: SendPiece,
    token: vscode.CancellationToken,
  ): Promise<object> {
    const model = await this.find(request.model);
    try {
      const options = {
        justification: vscode.l10n.t('Glossator answers your question with this model.'),
        ...(request.tools.length && findToolParts() ? { tools: readTools(request.tools) } : {}),
      };
      const response = await model.sendRequest(readMessages(request.messages), options, token);
      for await (const part of piecesOf(response)) {
        const piece = writePiece(part);
        if (piece) {
          send({ id: request.id, ...piece });
        }
      }
      return {};
    } catch (error) {
      throw failed(findTrouble(error), error);
    }
  }

  /** The model that is wanted by id or family; without a wish the editor's first. */
  private async find(wanted: string): Promise<vscode.LanguageModelChat> {
    const lent = this.lent.find(wanted);
    if (lent) {
      return lent;
    }
    const all = await vscode.lm.selectChatModels({});
    const model = chooseModel(all, wanted);
    if (!model) {
      const names = nameFamilies(all).join(', ');
      throw failed('no-model', names ? `${wanted || '?'}; ${names}` : wanted);
    }
    return model;
  }
}

function failed(code: Trouble, error: unknown): ResponseError<{ code: Trouble }> {
  const message = error instanceof Error ? error.message : String(error);
  return new ResponseError(REQUEST_FAILED, message, { code });
}

function findTrouble(error: unknown): Trouble {
  if (!(error instanceof vscode.LanguageModelError)) {
    return 'failed';
  }
  const { LanguageModelError: Known } = vscode;
  switch (error.code) {
    case Known.NotFound().code:
      return 'no-model';
    case Known.NoPermissions().code:
      return 'no-consent';
    case Known.Blocked().code:
      return /quota|limit|rate/i.test(error.message) ? 'quota' : 'blocked';
    default:
      return /quota|rate.?limit/i.test(`${error.message} ${String(error.cause)}`)
        ? 'quota'
        : 'failed';
  }
}
