/** Below a question: what was attached to it, and how to ask it again. */

import type { Turn } from '../shared/turns';
import type { PanelStrings } from '../shared/strings';
import { makeButton } from './actions';
import { describeTrouble, makeAttachmentChip } from './chips';
import { make } from './dom';

export class AskedView {
  readonly element = make('div', { class: 'asked' });
  private shown = '';

  constructor(private readonly strings: PanelStrings) {}

  update(turn: Turn): void {
    const isRunning = turn.status === 'running';
    const state = JSON.stringify([turn.chips, isRunning]);
    if (state === this.shown) {
      return;
    }
    this.shown = state;
    this.element.replaceChildren(
      ...this.makeChips(turn),
      ...(isRunning || turn.kind === 'help' ? [] : [this.makeButtons(turn)]),
    );
  }

  private makeChips({ chips }: Turn): HTMLElement[] {
    if (!chips.length) {
      return [];
    }
    const { strings } = this;
    const list = make('ul', {
      class: 'attachments',
      attributes: { 'aria-label': strings.attached },
    });
    list.append(...chips.map((chip) => make('li', {}, makeAttachmentChip(chip, strings))));
    const troubles = chips.flatMap((chip) => {
      const trouble = describeTrouble(chip, strings).replaceAll('`', '');
      const text = trouble.includes(chip.label) ? trouble : `${chip.label}: ${trouble}`;
      return trouble ? [make('div', { class: 'attachment-trouble', text })] : [];
    });
    return [list, ...troubles];
  }

  private makeButtons(turn: Turn): HTMLElement {
    const { strings } = this;
    return make(
      'div',
      { class: 'turn-actions' },
      makeButton(
        { label: strings.editQuestion, class: 'tool-button edit', icon: 'edit', iconOnly: true },
        { type: 'edit', turnId: turn.id },
      ),
      makeButton(
        { label: strings.retry, class: 'tool-button retry', icon: 'retry', iconOnly: true },
        { type: 'retry', turnId: turn.id },
      ),
    );
  }
}
