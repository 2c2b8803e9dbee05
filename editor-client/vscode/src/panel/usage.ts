/** What an answer took: tokens, how many of them were cached, and the cost where it is known. */

import type { Usage } from '../shared/protocol';
import { fill, type PanelStrings } from '../shared/strings';

export function describeUsage(usage: Usage | null, strings: PanelStrings): string[] {
  const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  if (!usage || tokens === 0) {
    return [];
  }
  const { cachedTokens: cached, promptTokens } = usage;
  const share = Math.round((100 * cached) / Math.max(promptTokens, 1));
  const counted =
    cached > 0
      ? fill(strings.tokensCached, tokens.toLocaleString(), cached.toLocaleString(), share)
      : fill(strings.tokens, tokens.toLocaleString());
  return usage.cost === undefined
    ? [counted]
    : [counted, fill(strings.cost, renderCost(usage.cost))];
}

/** Four digits show what a single question costs; cheaper ones are said to be. */
function renderCost(cost: number): string {
  return cost > 0 && cost < 0.0001 ? '< 0.0001' : cost.toFixed(cost < 1 ? 4 : 2);
}
