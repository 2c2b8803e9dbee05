/** One turn: the question, what happens, the answer, and what it rests on. */

import { answerText, type Part, type Turn } from '../shared/turns';
import { fill, type PanelStrings } from '../shared/strings';
import type { Citation, Source } from '../shared/protocol';
import { makeButton } from './actions';
import { AnswerView } from './answerView';
import { AskedView } from './asked';
import { countVerdicts, makeChip, makeSource, summarizeVerdicts } from './citations';
import { make, makeIcon, putChildren } from './dom';
import { makeChain } from './chainView';
import { HelperView } from './helperView';
import { PlanView } from './planView';
import { renderDuration, ToolView } from './toolView';
import { describeUsage } from './usage';

const NO_CITATIONS: readonly Citation[] = [];

/** Ends after which the answer is only the best there was. */
const ENDED_EARLY = new Set([
  'round-limit',
  'repeating',
  'time-limit',
  'token-limit',
  'cut',
  'filtered',
  'failed',
]);

type PartView = AnswerView | ToolView | HelperView;

export interface TurnLook {
  strings: PanelStrings;
  /** An answer beside the code shows its heading outside the turn. */
  withQuestion: boolean;
}

export class TurnView {
  readonly element: HTMLElement;
  private readonly head: HTMLElement;
  private readonly body = make('div', { class: 'turn-body' });
  private readonly tail = make('div', { class: 'turn-tail' });
  private readonly progress = make('div', { class: 'progress', hidden: true });
  private readonly briefing = make('details', { class: 'fold', hidden: true });
  private readonly briefingView = new AnswerView();
  private readonly reasoning = make('details', { class: 'fold', hidden: true });
  private readonly reasoningText = make('div', { class: 'reasoning' });
  private readonly plan: PlanView;
  private readonly asked: AskedView | null = null;
  private readonly views: PartView[] = [];
  private chain: HTMLElement | null = null;
  private settledAs = '';

  constructor(
    turn: Turn,
    private readonly look: TurnLook,
  ) {
    const { strings } = look;
    this.plan = new PlanView(strings);
    this.head = make('div', { class: 'question' });
    if (look.withQuestion) {
      this.head.append(
        make('span', { class: 'visually-hidden', text: `${strings.you}: ` }),
        make('div', { class: 'question-text', text: turn.question }),
      );
      this.asked = new AskedView(strings);
      if (turn.context) {
        const mark = make('div', { class: 'question-context' }, makeIcon('file'), turn.context);
        this.head.append(mark);
      }
      this.head.append(this.asked.element);
    } else {
      this.head.hidden = true;
    }
    this.briefing.append(
      make('summary', {}, makeIcon('chevron'), strings.briefing),
      this.briefingView.element,
    );
    this.reasoning.append(
      make('summary', {}, makeIcon('chevron'), strings.reasoning),
      this.reasoningText,
    );
    this.element = make(
      'article',
      { class: 'turn', attributes: { 'aria-label': turn.question } },
      this.head,
      this.briefing,
      this.reasoning,
      this.plan.element,
      this.body,
      this.progress,
      this.tail,
    );
    this.update(turn);
  }

  update(turn: Turn): void {
    this.element.dataset['status'] = turn.status;
    this.element.setAttribute('aria-busy', String(turn.status === 'running'));
    this.asked?.update(turn);
    this.updateFolds(turn);
    this.plan.update(turn.plan);
    this.updateParts(turn);
    this.updateProgress(turn);
    this.updateTail(turn);
  }

  /** What is finished need not be laid out while it is out of sight. */
  settle(): void {
    if (this.settledAs !== '') {
      this.element.classList.add('settled');
    }
  }

  private updateFolds(turn: Turn): void {
    this.briefing.hidden = !turn.briefing;
    if (turn.briefing) {
      this.briefingView.update(turn.briefing, {
        strings: this.look.strings,
        citations: NO_CITATIONS,
        title: turn.question,
      });
    }
    this.reasoning.hidden = !turn.reasoning;
    if (this.reasoningText.textContent !== turn.reasoning) {
      this.reasoningText.textContent = turn.reasoning;
    }
  }

  private updateParts(turn: Turn): void {
    const elements: HTMLElement[] = turn.parts.map(
      (part, index) => this.updatePart(index, part, turn).element,
    );
    this.views.length = turn.parts.length;
    if (turn.chain) {
      this.chain ??= makeChain(turn.chain, this.look.strings);
      elements.push(this.chain);
    }
    putChildren(this.body, elements);
  }

  private updatePart(index: number, part: Part, turn: Turn): PartView {
    const { strings } = this.look;
    const present = this.views[index];
    if (part.kind === 'tool') {
      const view = present instanceof ToolView ? present : new ToolView(strings);
      view.update(part);
      this.views[index] = view;
      return view;
    }
    if (part.kind === 'helper') {
      const view = present instanceof HelperView ? present : new HelperView(strings);
      view.update(part, turn.reported.length ? turn.reported : turn.citations);
      this.views[index] = view;
      return view;
    }
    const view = present instanceof AnswerView ? present : new AnswerView();
    view.update(part.text, {
      strings,
      citations: turn.citations,
      ...(this.look.withQuestion ? {} : { title: turn.question }),
    });
    this.views[index] = view;
    return view;
  }

  private updateProgress(turn: Turn): void {
    this.progress.hidden = turn.status !== 'running';
    if (turn.status !== 'running') {
      return;
    }
    const { strings } = this.look;
    const steps = turn.step && turn.step.total > 1 ? ` ${turn.step.done}/${turn.step.total}` : '';
    const started = turn.round > 0 || turn.parts.length > 0;
    const text =
      turn.waiting ||
      (turn.step ? `${turn.step.text}${steps}` : started ? strings.answering : strings.gathering);
    if (this.progress.dataset['text'] !== text) {
      this.progress.dataset['text'] = text;
      const dots = make('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } });
      this.progress.replaceChildren(dots, text);
    }
  }

  private updateTail(turn: Turn): void {
    const isSettled = turn.status !== 'running';
    const state = isSettled ? JSON.stringify([turn.status, turn.citations, turn.stopReason]) : '';
    if (state === this.settledAs) {
      return;
    }
    this.settledAs = state;
    this.tail.replaceChildren(...(isSettled ? this.makeTail(turn) : []));
  }

  private makeTail(turn: Turn): HTMLElement[] {
    const { strings } = this.look;
    const blocks: HTMLElement[] = [];
    if (turn.refusal) {
      blocks.push(this.makeRefusal(turn.refusal.message, turn.refusal.nearest));
    }
    if (turn.status === 'cancelled') {
      blocks.push(make('div', { class: 'note' }, makeIcon('stop'), strings.cancelled));
    }
    if (turn.status === 'failed') {
      blocks.push(this.makeFailure(turn));
    }
    blocks.push(...this.makeGrounds(turn), ...this.makeNotice(turn), this.makeFoot(turn));
    return blocks;
  }

  private makeNotice(turn: Turn): HTMLElement[] {
    const isEarly = turn.status === 'done' && ENDED_EARLY.has(turn.stopReason);
    // A session keeps why a turn ended, not the words in which that was said.
    const notice = turn.notice || (isEarly ? this.look.strings.incomplete : '');
    // Why there is no model need not stand under every answer; the foot offers to set one up.
    if (!notice || turn.stopReason === 'no-model') {
      return [];
    }
    const text = this.makeText(notice, []);
    return [make('div', { class: 'note' }, isEarly && makeIcon('warning'), text)];
  }

  private makeRefusal(message: string, nearest: readonly Source[]): HTMLElement {
    const { strings } = this.look;
    const box = make(
      'section',
      { class: 'card refusal', attributes: { 'aria-label': strings.refused } },
      make('h3', {}, makeIcon('warning'), strings.refused),
      this.makeText(message, nearest),
    );
    const isSaid = nearest.some((each) => message.includes(each.path));
    if (nearest.length && !isSaid) {
      box.append(
        make('div', { class: 'label', text: strings.nearest }),
        make('div', { class: 'sources' }, ...nearest.map((each) => makeSource(each, strings))),
      );
    }
    return box;
  }

  /** The server's own words, whose places open what they name. */
  private makeText(message: string, named: readonly Source[]): HTMLElement {
    const view = new AnswerView();
    const citations = named.map((each): Citation => ({
      ...each,
      text: `${each.path}:${each.firstLine}`,
      verdict: 'exact',
    }));
    view.update(message, { strings: this.look.strings, citations });
    return view.element;
  }

  private makeFailure(turn: Turn): HTMLElement {
    const { strings } = this.look;
    return make(
      'section',
      { class: 'card failure', attributes: { role: 'alert' } },
      make('h3', {}, makeIcon('warning'), strings.failed),
      this.makeText(turn.error, []),
      make(
        'div',
        { class: 'buttons' },
        makeButton({ label: strings.showLog }, { type: 'command', command: 'showLog' }),
      ),
    );
  }

  private makeGrounds(turn: Turn): HTMLElement[] {
    const { strings } = this.look;
    const blocks: HTMLElement[] = [];
    // The facts of a briefing stand there with their chips; a model's claims are listed again.
    if (turn.citations.length && turn.byModel && !turn.refusal) {
      blocks.push(this.makeCitations(turn.citations));
    }
    if (turn.sources.length && !turn.refusal) {
      const sources = turn.sources.map((source) => makeSource(source, strings));
      blocks.push(
        make('div', { class: 'label', text: strings.sources }),
        make('div', { class: 'sources' }, ...sources),
      );
    }
    return blocks;
  }

  private makeCitations(citations: readonly Citation[]): HTMLElement {
    const { strings } = this.look;
    const unique = new Map(
      citations.map((each) => [`${each.path}:${each.firstLine}:${each.lastLine}`, each]),
    );
    const fold = make(
      'details',
      { class: 'fold citations' },
      make(
        'summary',
        { title: summarizeVerdicts([...unique.values()], strings) },
        makeIcon('chevron'),
        `${strings.citations} (${unique.size})`,
        ...countVerdicts([...unique.values()], strings),
      ),
      make(
        'div',
        { class: 'chips' },
        ...[...unique.values()].map((citation) => makeChip(citation, strings)),
      ),
    );
    // What does not hold must be seen without a click.
    fold.open = citations.some((citation) => citation.verdict !== 'exact');
    return fold;
  }

  private makeFoot(turn: Turn): HTMLElement {
    const { strings } = this.look;
    const facts: string[] = [];
    if (turn.byModel) {
      const { modelName } = turn;
      facts.push(modelName ? fill(strings.modelAnswer, modelName) : strings.modelAnswerUnnamed);
    } else if (
      ['ask', 'explain', 'analyze'].includes(turn.kind) &&
      turn.status === 'done' &&
      !turn.refusal
    ) {
      facts.push(strings.withoutModel);
    }
    facts.push(...describeUsage(turn.usage, strings));
    if (turn.durationMs !== null) {
      facts.push(renderDuration(turn.durationMs));
    }
    const text = answerText(turn);
    return make(
      'footer',
      { class: 'foot' },
      make('span', { class: 'facts', text: facts.join(' · ') }),
      turn.stopReason === 'no-model' &&
        makeButton(
          { label: strings.setUpModel, class: 'link-button', title: turn.notice },
          { type: 'command', command: 'setUpModel' },
        ),
      text !== '' &&
        makeButton(
          { label: strings.openAsText, class: 'tool-button', icon: 'text', iconOnly: true },
          { type: 'openAsText', turnId: turn.id },
        ),
      text !== '' &&
        makeButton(
          { label: strings.copyAnswer, class: 'tool-button', icon: 'copy', iconOnly: true },
          { type: 'copy', text },
        ),
    );
  }
}
