/** What came of testing a model, as a list of what works and what to do about the rest. */

import type { FormStrings } from '../shared/formStrings';
import type { ModelTestResult } from '../shared/protocol';
import { make } from './dom';

const MARKS = { ok: '✓', failed: '✗', unknown: '–' } as const;
/** So many names are shown beside a model that a server does not know. */
const SHOWN_MODELS = 12;

export function makeTestReport(
  result: ModelTestResult,
  strings: FormStrings,
  choose: (name: string) => void,
): HTMLElement[] {
  const title = result.passed ? strings.formPassed : strings.formFailed;
  const isUnknownModel = result.checks.some(
    ({ stage, outcome }) => stage === 'model' && outcome === 'failed',
  );
  return [
    make('h2', { class: result.passed ? 'passed' : 'failed', text: title }),
    make('ul', { class: 'checks' }, ...result.checks.map((each) => makeCheck(each, strings))),
    ...(isUnknownModel ? [makeNames(result.models, choose)] : []),
  ];
}

function makeCheck(check: ModelTestResult['checks'][number], strings: FormStrings): HTMLElement {
  const names = {
    reachable: strings.stageReachable,
    key: strings.stageKey,
    model: strings.stageModel,
    answer: strings.stageAnswer,
    tools: strings.stageTools,
  };
  const outcomes = {
    ok: strings.outcomeOk,
    failed: strings.outcomeFailed,
    unknown: strings.outcomeUnknown,
  };
  return make(
    'li',
    { class: check.outcome },
    make('span', {
      class: 'mark',
      text: MARKS[check.outcome],
      attributes: { 'aria-hidden': 'true' },
    }),
    make(
      'div',
      {},
      make('strong', { text: names[check.stage] }),
      make('span', { class: 'visually-hidden', text: ` ${outcomes[check.outcome]}: ` }),
      make('span', { class: 'text' }, ...withCode(check.text)),
      check.remedy !== '' && make('p', { class: 'remedy' }, ...withCode(check.remedy)),
    ),
  );
}

/** What stands in backticks is shown as code; everything else as it is. */
function withCode(text: string): (Node | string)[] {
  return text
    .split(/(`[^`]+`)/)
    .filter(Boolean)
    .map((part) => (/^`.+`$/.test(part) ? make('code', { text: part.slice(1, -1) }) : part));
}

function makeNames(models: readonly string[], choose: (name: string) => void): HTMLElement {
  return make(
    'div',
    { class: 'names' },
    ...models.slice(0, SHOWN_MODELS).map((name) => {
      const button = make('button', { class: 'name', text: name, attributes: { type: 'button' } });
      button.addEventListener('click', () => {
        choose(name);
      });
      return button;
    }),
  );
}
