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
import { filesOf } from '../code/answerCopies';
import type { AskingFromPanel, Draft } from '../shared/asking';
import type { AnswerDocuments } from './answerDocuments';
import type { Applying } from './applying';
import { openLink, openPlace } from './opening';
import type { TurnFeed } from './turnFeed';

export interface PanelActions {
  /** Does what is about asking and about sessions. */
  hear: (message: AskingFromPanel) => void;
  /** What was being written before the panel was loaded. */
  draft?: () => Draft | undefined;
  stop: (turnId: string) => void;
  newSession: () => void;
  runCommand: (command: PanelCommand) => void;
  applying: Applying;
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
  const restoreDraft = () => {
    const draft = actions.draft?.();
    if (draft) {
      send({ type: 'draft', draft });
    }
  };
  const receive = (message: FromPanel): void => {
    switch (message.type) {
      case 'ready':
        send({ type: 'surroundings', surroundings: actions.surroundings() });
        send({ type: 'conversation', turns: feed.all });
        restoreDraft();
        isReady();
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
          void documents.show(turn.question, answerText(turn), filesOf(turn));
        }
        break;
      }
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        break;
      case 'insertCode':
        void actions.applying.insert(message.text);
        break;
      case 'applyCode':
        void actions.applying.show(message.text, message.target);
        break;
      case 'command':
        if (PANEL_COMMANDS.includes(message.command)) {
          actions.runCommand(message.command);
        }
        break;
      default:
        actions.hear(message);
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
