/** One tool call: what runs, how long it took, and what it gave, folded away. */

import type { ToolPart } from '../shared/turns';
import type { PanelStrings } from '../shared/strings';
import { make, makeIcon } from './dom';
import { renderCode } from './highlight';

export class ToolView {
  readonly element = make('details', { class: 'tool' });
  private shown: ToolPart | null = null;

  constructor(private readonly strings: PanelStrings) {}

  update(part: ToolPart): void {
    if (this.shown === part) {
      return;
    }
    this.shown = part;
    this.element.dataset['state'] = part.state;
    this.element.replaceChildren(this.makeSummary(part), ...this.makeBody(part));
  }

  private makeSummary(part: ToolPart): HTMLElement {
    const state = {
      running: this.strings.toolRunning,
      failed: this.strings.toolFailed,
      done: '',
    }[part.state];
    const what = part.summary.replaceAll('`', '') || renderArguments(part.arguments);
    return make(
      'summary',
      {},
      makeStateMark(part.state),
      make('span', { class: 'tool-name', text: part.name }),
      make('span', { class: 'tool-what', text: what, title: what }),
      state && make('span', { class: 'visually-hidden', text: state }),
      part.durationMs !== null &&
        make('span', { class: 'duration', text: renderDuration(part.durationMs) }),
      makeIcon('chevron'),
    );
  }

  private makeBody(part: ToolPart): HTMLElement[] {
    const sections: HTMLElement[] = [
      make('div', { class: 'tool-label', text: this.strings.toolArguments }),
    ];
    sections.push(makeText(formatJson(part.arguments), 'json'));
    if (part.state !== 'running') {
      sections.push(make('div', { class: 'tool-label', text: this.strings.toolResult }));
      sections.push(makeText(part.result, ''));
    }
    return sections;
  }
}

export function makeStateMark(state: ToolPart['state']): Element {
  if (state === 'running') {
    return make('span', { class: 'spinner', attributes: { 'aria-hidden': 'true' } });
  }
  return makeIcon(state === 'done' ? 'check' : 'warning');
}

function makeText(text: string, language: string): HTMLElement {
  return make('pre', { attributes: { tabindex: '0' } }, renderCode(text, language));
}

/** `{"path": "a.py", "first_line": 3}` as `a.py 3`: names matter less than values here. */
export function renderArguments(json: string): string {
  try {
    const values: unknown[] = Object.values(JSON.parse(json) as object);
    return values
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(' ')
      .slice(0, 200);
  } catch {
    return json.slice(0, 200);
  }
}

function formatJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** A number and its unit stay on one line. */
export function renderDuration(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${Math.round(milliseconds)}\u00a0ms`;
  }
  const seconds = milliseconds / 1000;
  return seconds < 60
    ? `${seconds.toFixed(1)}\u00a0s`
    : `${Math.floor(seconds / 60)}\u00a0min ${Math.round(seconds % 60)}\u00a0s`;
}
