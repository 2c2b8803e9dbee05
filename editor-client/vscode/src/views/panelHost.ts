/** The extension's end of a panel: sends what happens, does what is asked. */

import * as vscode from 'vscode';
import { answerText, namesFile } from '../shared/turns';
import {
  PANEL_COMMANDS,
  type FromPanel,
  type PanelCommand,
  type Surroundings,
  type ToPanel,
} from '../shared/messages';
import type { AnswerDocuments } from './answerDocuments';
import { openLink, openPlace } from './opening';
import type { TurnFeed } from './turnFeed';

export interface PanelActions {
  ask: (question: string, withContext: boolean) => void;
  stop: (turnId: string) => void;
  newSession: () => void;
  runCommand: (command: PanelCommand) => void;
  surroundings: () => Surroundings;
  onSurroundings: vscode.Event<void>;
}

/** Join `webview` to `feed` until the returned value is disposed. */
export function joinPanel(
  webview: vscode.Webview,
  feed: TurnFeed,
  documents: AnswerDocuments,
  actions: PanelActions,
): { send: (message: ToPanel) => void; ready: Promise<void>; dispose: () => void } {
  const send = (message: ToPanel) => {
    void webview.postMessage(message);
  };
  let lastState = '';
  let isReady: () => void;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const receive = (message: FromPanel): void => {
    switch (message.type) {
      case 'ready':
        send({ type: 'surroundings', surroundings: actions.surroundings() });
        send({ type: 'conversation', turns: feed.all });
        isReady();
        break;
      case 'ask':
        actions.ask(message.question, message.withContext);
        break;
      case 'stop':
        actions.stop(message.turnId);
        break;
      case 'newSession':
        actions.newSession();
        break;
      case 'openPlace':
        void openPlace(message.place, (uri) => feed.all.some((turn) => namesFile(turn, uri)));
        break;
      case 'openLink':
        void openLink(message.url);
        break;
      case 'openAsText': {
        const turn = feed.find(message.turnId);
        if (turn) {
          void documents.show(turn.question, answerText(turn));
        }
        break;
      }
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        break;
      case 'command':
        if (PANEL_COMMANDS.includes(message.command)) {
          actions.runCommand(message.command);
        }
        break;
    }
  };
  const listeners = [
    webview.onDidReceiveMessage(receive),
    feed.onMessage(send),
    actions.onSurroundings(() => {
      // A moving cursor fires this all the time; only its line is of interest.
      const surroundings = actions.surroundings();
      const state = JSON.stringify(surroundings);
      if (state !== lastState) {
        lastState = state;
        send({ type: 'surroundings', surroundings });
      }
    }),
  ];
  return {
    send,
    ready,
    dispose: () => {
      listeners.forEach((listener) => {
        listener.dispose();
      });
    },
  };
}
