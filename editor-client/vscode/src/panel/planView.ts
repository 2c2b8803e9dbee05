/** The model's plan: a checklist that shows how far it is. */

import type { PlanStep } from '../shared/protocol';
import type { PanelStrings } from '../shared/strings';
import { make, makeIcon } from './dom';

export class PlanView {
  readonly element: HTMLElement;
  private readonly list = make('ol', { class: 'plan-steps' });
  private shown: readonly PlanStep[] = [];

  constructor(private readonly strings: PanelStrings) {
    this.element = make(
      'section',
      { class: 'plan', hidden: true, attributes: { 'aria-label': strings.plan } },
      this.list,
    );
  }

  update(steps: readonly PlanStep[]): void {
    if (this.shown === steps) {
      return;
    }
    this.shown = steps;
    this.element.hidden = steps.length === 0;
    this.list.replaceChildren(...steps.map((step) => this.makeStep(step)));
  }

  private makeStep(step: PlanStep): HTMLElement {
    const state = {
      pending: this.strings.stepPending,
      active: this.strings.stepActive,
      done: this.strings.stepDone,
      dropped: this.strings.stepDropped,
    }[step.state];
    const item = make(
      'li',
      { class: 'plan-step' },
      makeMark(step.state),
      make('span', { class: 'plan-text', text: step.text.replaceAll('`', '') }),
      make('span', { class: 'visually-hidden', text: ` (${state})` }),
    );
    item.dataset['state'] = step.state;
    if (step.state === 'active') {
      item.setAttribute('aria-current', 'step');
    }
    return item;
  }
}

function makeMark(state: PlanStep['state']): Element {
  switch (state) {
    case 'done':
      return makeIcon('check');
    case 'dropped':
      return makeIcon('close');
    case 'active':
      return make('span', { class: 'spinner', attributes: { 'aria-hidden': 'true' } });
    case 'pending':
      return make('span', { class: 'plan-box', attributes: { 'aria-hidden': 'true' } });
  }
}
