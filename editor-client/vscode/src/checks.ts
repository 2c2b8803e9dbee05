/** What came of the checks of open documents, and how it is told: clean, findings or not checked. */

import type { Translator } from './indexNews';
import type { DocumentCheck } from './shared/protocol';

/** So many rules that were left out are named. */
const MAX_NAMED = 3;

/** The outcomes by URI; the server tells those that are other ones than before. */
export class Checks {
  private readonly byUri = new Map<string, DocumentCheck>();

  hear(checks: readonly DocumentCheck[]): void {
    for (const check of checks) {
      this.byUri.set(check.uri, check);
    }
  }

  forget(uri: string): void {
    this.byUri.delete(uri);
  }

  clear(): void {
    this.byUri.clear();
  }

  of(uri: string | undefined): DocumentCheck | null {
    return this.byUri.get(uri ?? '') ?? null;
  }
}

/** The outcome in a word or two. */
export function nameOutcome(check: DocumentCheck, l10n: Translator): string {
  switch (check.outcome) {
    case 'clean':
      return l10n.t('clean');
    case 'not-checked':
      return l10n.t('not checked');
    case 'findings':
      return check.nFindings === 1 ? l10n.t('1 finding') : l10n.t('{0} findings', check.nFindings);
  }
}

/** The outcome in sentences: why there is none, and which rules it rests on. */
export function describeCheck(check: DocumentCheck, l10n: Translator): string[] {
  const outcome = nameOutcome(check, l10n);
  const nSkipped = check.skipped.reduce((sum, skipped) => sum + skipped.ruleIds.length, 0);
  const lines = [
    check.reason
      ? l10n.t('{0}: {1}, {2}', check.path, outcome, check.reason)
      : l10n.t('{0}: {1}', check.path, outcome),
  ];
  if (check.nRules || check.nJudged || nSkipped) {
    lines.push(
      l10n.t(
        'Rules: {0} checked, {1} judged by the model, {2} left out',
        check.nRules,
        check.nJudged,
        nSkipped,
      ),
    );
  }
  if (check.isJudging) {
    lines.push(l10n.t('The model is judging what was saved'));
    return lines;
  }
  for (const { ruleIds, reason } of check.skipped) {
    const more = ruleIds.length > MAX_NAMED ? ', …' : '';
    const named = ruleIds.slice(0, MAX_NAMED).join(', ') + more;
    lines.push(
      named ? l10n.t('Left out {0}: {1}', named, reason) : l10n.t('Left out: {0}', reason),
    );
  }
  return lines;
}
