/** What the panel shows before there is a conversation: what is missing, and what to do about it. */

import type { PanelCommand, Surroundings } from '../shared/messages';
import { fill, type PanelStrings } from '../shared/strings';
import { makeButton } from './actions';
import { AnswerView } from './answerView';
import { make, makeIcon, type Icon } from './dom';

type Ask = (question: string) => void;

export function makeWelcome(around: Surroundings, strings: PanelStrings, ask: Ask): HTMLElement[] {
  const cards = [makeServerCard(around, strings)];
  if (around.server.state === 'running') {
    cards.push(makeIntroduction(around, strings, ask), makeModelCard(around, strings));
  }
  return cards.filter((card) => card !== null);
}

function makeIntroduction(around: Surroundings, strings: PanelStrings, ask: Ask): HTMLElement {
  const block = make(
    'section',
    { class: 'introduction' },
    make('h2', { text: strings.emptyTitle }),
    make('p', { text: strings.emptyIntro }),
  );
  if (!around.hasFolder) {
    block.append(
      make('p', { text: strings.noFolder }),
      makeButtons([[strings.openFolder, 'openFolder']]),
    );
    return block;
  }
  const samples = [strings.sampleStructure, strings.sampleConventions, strings.sampleTests];
  block.append(
    make('div', { class: 'label', text: strings.tryAgain }),
    make(
      'div',
      { class: 'samples' },
      ...samples.map((question) =>
        makeButton({ label: question, class: 'sample' }, () => {
          ask(question);
        }),
      ),
    ),
  );
  if (around.index?.ready) {
    const { nDocuments, nSections, nSkills, nRules } = around.index;
    const line = fill(strings.indexLine, nDocuments, nSections, nSkills, nRules);
    block.append(make('p', { class: 'muted', text: line }));
  }
  return block;
}

function makeModelCard(around: Surroundings, strings: PanelStrings): HTMLElement | null {
  if (around.model === null || around.model.configured) {
    return null;
  }
  return makeCard(
    {
      icon: 'warning',
      title: strings.noModelTitle,
      detail: strings.noModelDetail,
      ...(around.model.message ? { more: makeMore(around.model.message, strings) } : {}),
      buttons: [
        [strings.setApiKey, 'setApiKey'],
        [strings.openSettings, 'openModelSettings'],
      ],
    },
    strings,
  );
}

function makeMore(message: string, strings: PanelStrings): HTMLElement {
  return make(
    'details',
    { class: 'fold more' },
    make('summary', {}, makeIcon('chevron'), strings.otherWays),
    makeText(message, strings),
  );
}

export function makeServerCard(around: Surroundings, strings: PanelStrings): HTMLElement | null {
  const { state, message, installCommand } = around.server;
  switch (state) {
    case 'running':
      return null;
    case 'starting':
      return make(
        'div',
        { class: 'progress' },
        make('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } }),
        strings.serverStarting,
      );
    case 'missing':
      return makeCard(
        {
          icon: 'warning',
          title: strings.serverMissing,
          detail: message,
          command: installCommand,
          buttons: [
            [strings.copyCommand, 'copyInstallCommand'],
            [strings.openSettings, 'openServerSettings'],
            [strings.retry, 'restartServer'],
          ],
        },
        strings,
      );
    case 'failed':
      return makeCard(
        {
          icon: 'warning',
          title: strings.serverFailed,
          detail: message,
          buttons: [
            [strings.retry, 'restartServer'],
            [strings.showLog, 'showLog'],
            [strings.openSettings, 'openServerSettings'],
          ],
        },
        strings,
      );
    case 'stopped':
      return makeCard(
        {
          icon: 'stop',
          title: strings.serverStopped,
          detail: message,
          buttons: [[strings.restart, 'restartServer']],
        },
        strings,
      );
  }
}

interface Card {
  icon: Icon;
  title: string;
  detail: string;
  more?: HTMLElement;
  command?: string;
  buttons: [string, PanelCommand][];
}

function makeText(text: string, strings: PanelStrings): HTMLElement {
  const view = new AnswerView();
  view.update(text, { strings, citations: [] });
  return view.element;
}

function makeCard(card: Card, strings: PanelStrings): HTMLElement {
  return make(
    'section',
    { class: 'card', attributes: { 'aria-label': card.title } },
    make('h3', {}, makeIcon(card.icon), card.title),
    card.detail !== '' && makeText(card.detail, strings),
    card.command !== undefined && make('pre', { class: 'command', text: card.command }),
    makeButtons(card.buttons),
    card.more,
  );
}

function makeButtons(buttons: [string, PanelCommand][]): HTMLElement {
  return make(
    'div',
    { class: 'buttons' },
    ...buttons.map(([label, command], index) =>
      makeButton(
        { label, class: index === 0 ? 'button primary' : 'button' },
        { type: 'command', command },
      ),
    ),
  );
}
