/** When knowledge was read last, in words, and whether that is news. */

export interface Translator {
  t: (message: string, ...values: (string | number)[]) => string;
}

/** Tells a reading that people have not heard of from one that they have. */
export class IndexNews {
  private last: number | null = null;

  /** Say whether knowledge was read again since the last call; the first reading is no news. */
  hear(updatedAt: number | null): boolean {
    const before = this.last;
    this.last = updatedAt;
    return before !== null && updatedAt !== null && updatedAt > before;
  }
}

/** How long ago that was: `updated just now`, `updated 3 minutes ago`, or the time of day. */
export function describeAge(updatedAt: number, now: number, l10n: Translator): string {
  const minutes = Math.floor((now - updatedAt) / 60_000);
  if (minutes < 1) {
    return l10n.t('updated just now');
  }
  if (minutes === 1) {
    return l10n.t('updated a minute ago');
  }
  if (minutes < 60) {
    return l10n.t('updated {0} minutes ago', minutes);
  }
  const time = new Date(updatedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return l10n.t('updated at {0}', time);
}
