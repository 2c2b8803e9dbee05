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
    cards.push(
      makeTrustCard(around, strings),
      makeIntroduction(around, strings, ask),
      makeModelCard(around, strings),
      makeKnowledgeCard(around, strings),
    );
  }
  return cards.filter((card) => card !== null);
}

function makeTrustCard(around: Surroundings, strings: PanelStrings): HTMLElement | null {
  if (around.isTrusted !== false) {
    return null;
  }
  return makeCard(
    {
      icon: 'warning',
      title: strings.untrustedTitle,
      detail: strings.untrustedDetail,
      buttons: [[strings.manageTrust, 'manageTrust']],
    },
    strings,
  );
}

function makeKnowledgeCard(around: Surroundings, strings: PanelStrings): HTMLElement | null {
  if (!around.hasFolder || around.hasKnowledge !== false) {
    return null;
  }
  return makeCard(
    {
      icon: 'text',
      title: strings.noKnowledgeTitle,
      detail: strings.noKnowledgeDetail,
      buttons: [[strings.createKnowledge, 'createKnowledge']],
    },
    strings,
  );
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
  // Without a model only the knowledge answers; what it cannot answer is no good first question.
  const samples =
    around.model?.configured === false
      ? [strings.sampleConventions]
      : [strings.sampleStructure, strings.sampleConventions, strings.sampleTests];
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
        [strings.setUpModel, 'setUpModel'],
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

/** The server is not there: install it, or say how to do it by hand. */
function makeMissingCard(around: Surroundings, strings: PanelStrings): HTMLElement {
  const { message, installCommand, isNamed } = around.server;
  const trouble = around.installTrouble ?? '';
  return makeCard(
    {
      icon: 'warning',
      title: strings.serverMissing,
      detail: trouble || (isNamed ? message : strings.serverDetail),
      buttons: [
        // What the settings name counts before whatever is installed.
        isNamed
          ? [strings.openSettings, 'openServerSettings']
          : [strings.installServer, 'installServer'],
        [strings.lookAgain, 'restartServer'],
        ...(trouble ? ([[strings.showLog, 'showLog']] as [string, PanelCommand][]) : []),
        [strings.getStarted, 'openWalkthrough'],
      ],
      more: make(
        'details',
        { class: 'fold more' },
        make('summary', {}, makeIcon('chevron'), strings.ownCommand),
        !isNamed && makeText(message, strings),
        make('pre', { class: 'command', text: installCommand }),
        makeButtons([
          [strings.copyCommand, 'copyInstallCommand'],
          [strings.openSettings, 'openServerSettings'],
        ]),
      ),
    },
    strings,
  );
}

export function makeServerCard(around: Surroundings, strings: PanelStrings): HTMLElement | null {
  const { state, message } = around.server;
  if (typeof around.installing === 'string') {
    return make(
      'section',
      { class: 'card', attributes: { 'aria-label': strings.serverInstalling } },
      make(
        'div',
        { class: 'progress' },
        make('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } }),
        `${strings.serverInstalling} ${around.installing}`,
      ),
      // None of them is what to do next, which is to wait.
      makeButtons(
        [
          [strings.showLog, 'showLog'],
          [strings.stopInstalling, 'cancelInstallation'],
        ],
        null,
      ),
    );
  }
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
      return makeMissingCard(around, strings);
    case 'failed':
      return makeCard(
        {
          icon: 'warning',
          title: strings.serverFailed,
          detail: message,
          buttons: [
            [strings.retry, 'restartServer'],
            [strings.showLog, 'showLog'],
            [strings.installServer, 'installServer'],
            [strings.runDoctor, 'runDoctor'],
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
    makeButtons(card.buttons),
    card.more,
  );
}

function makeButtons(buttons: [string, PanelCommand][], primary: number | null = 0): HTMLElement {
  return make(
    'div',
    { class: 'buttons' },
    ...buttons.map(([label, command], index) =>
      makeButton(
        { label, class: index === primary ? 'button primary' : 'button' },
        { type: 'command', command },
      ),
    ),
  );
}
