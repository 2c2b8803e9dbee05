/** A helper at work: its task, the calls it makes below it, and its report. */

import type { Citation } from '../shared/protocol';
import type { HelperPart } from '../shared/turns';
import { fill, type PanelStrings } from '../shared/strings';
import { AnswerView } from './answerView';
import { make, makeIcon, putChildren } from './dom';
import { makeStateMark, renderDuration, ToolView } from './toolView';

export class HelperView {
  readonly element = make('details', { class: 'tool helper' });
  private readonly summary = make('summary');
  private readonly calls = make('div', { class: 'helper-calls' });
  private readonly reportLabel: HTMLElement;
  private readonly report = new AnswerView();
  private readonly views: ToolView[] = [];
  private shown: HelperPart | null = null;
  private isTouched = false;

  constructor(private readonly strings: PanelStrings) {
    this.reportLabel = make('div', { class: 'tool-label', text: strings.helperReport });
    this.element.append(this.summary, this.calls, this.reportLabel, this.report.element);
    this.summary.addEventListener('click', () => {
      this.isTouched = true;
    });
  }

  update(part: HelperPart, citations: readonly Citation[]): void {
    this.updateReport(part, citations);
    if (this.shown === part) {
      return;
    }
    this.shown = part;
    this.element.dataset['state'] = part.state;
    // Open while there is something to watch, unless the reader has decided otherwise.
    if (!this.isTouched) {
      this.element.open = part.state === 'running';
    }
    this.summary.replaceChildren(...this.makeSummary(part));
    putChildren(
      this.calls,
      part.tools.map((tool, index) => {
        const view = (this.views[index] ??= new ToolView(this.strings));
        view.update(tool);
        return view.element;
      }),
    );
  }

  private updateReport(part: HelperPart, citations: readonly Citation[]): void {
    const isThere = part.report !== '';
    this.reportLabel.hidden = !isThere;
    this.report.element.hidden = !isThere;
    if (isThere) {
      this.report.update(part.report, { strings: this.strings, citations });
    }
  }

  private countCalls(n: number): string {
    return n === 1 ? this.strings.helperCall : fill(this.strings.helperCalls, n);
  }

  private makeSummary(part: HelperPart): HTMLElement[] {
    const state = {
      running: this.strings.toolRunning,
      failed: this.strings.toolFailed,
      done: '',
    }[part.state];
    const task = part.task.replaceAll('`', '');
    const nCalls = part.tools.length;
    const children = [
      makeStateMark(part.state),
      make('span', { class: 'tool-what helper-task', text: task, title: task }),
      part.waiting && make('span', { class: 'helper-waiting', text: part.waiting }),
      state && make('span', { class: 'visually-hidden', text: state }),
      nCalls > 0 && make('span', { class: 'duration', text: this.countCalls(nCalls) }),
      part.durationMs !== null &&
        make('span', { class: 'duration', text: renderDuration(part.durationMs) }),
      makeIcon('chevron'),
    ];
    return children.filter((child) => child instanceof Element) as HTMLElement[];
  }
}
