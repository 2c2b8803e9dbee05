/** Citations and sources as chips that open their line. */

import type { Place } from '../shared/messages';
import type { Citation, Source, Verdict } from '../shared/protocol';
import { fill, type PanelStrings } from '../shared/strings';
import { withAction } from './actions';
import { make, makeIcon, type Icon } from './dom';
import { renderPlace } from './places';

const VERDICT_ICONS: Record<Verdict, Icon> = { exact: 'check', moved: 'warning', missing: 'close' };
const VERDICT_STRINGS = {
  exact: 'verdictExact',
  moved: 'verdictMoved',
  missing: 'verdictMissing',
} as const;

/** A citation in a sentence: it breaks like the text around it, as a button would not. */
export function makeCitation(citation: Citation, strings: PanelStrings): HTMLElement {
  const look = describe(citation, strings);
  const head = /^[^/]*\/?/.exec(look.text)?.[0] ?? '';
  const isThere = citation.verdict !== 'missing';
  const mark = make(
    isThere ? 'a' : 'span',
    {
      class: `citation ${citation.verdict}`,
      title: look.title,
      attributes: {
        'aria-label': look.label,
        ...(isThere ? { role: 'link', tabindex: '0' } : { role: 'note' }),
      },
    },
    // The mark must not stand alone at the end of a line.
    make('span', { class: 'unbroken' }, makeIcon(VERDICT_ICONS[citation.verdict]), head),
    look.text.slice(head.length),
  );
  return isThere ? withAction(mark, { type: 'openPlace', place: placeOf(citation) }) : mark;
}

/** The same in a list, as a chip. */
export function makeChip(citation: Citation, strings: PanelStrings): HTMLElement {
  const chip = makeCitation(citation, strings);
  chip.classList.add('chip');
  return chip;
}

function describe(citation: Citation, strings: PanelStrings) {
  const verdict = describeVerdict(citation, strings);
  const place = renderPlace(placeOf(citation));
  return { text: shorten(place), title: `${place}: ${verdict}`, label: `${place}, ${verdict}` };
}

function describeVerdict(citation: Citation, strings: PanelStrings): string {
  if (citation.reason && citation.verdict !== 'exact') {
    const { verdictMissingBecause, verdictMovedBecause } = strings;
    const template = citation.verdict === 'moved' ? verdictMovedBecause : verdictMissingBecause;
    return fill(template, citation.reason);
  }
  return strings[VERDICT_STRINGS[citation.verdict]];
}

/** `12 places checked: 10 exact, 1 moved, 1 missing` */
export function summarizeVerdicts(citations: readonly Citation[], strings: PanelStrings): string {
  const counts = (['exact', 'moved', 'missing'] as const).map(
    (verdict) => citations.filter((citation) => citation.verdict === verdict).length,
  );
  return fill(strings.placesChecked, citations.length, ...counts);
}

/** `✓ 4  ⚠ 1 moved` for the line above a list of citations. */
export function countVerdicts(
  citations: readonly Citation[],
  strings: PanelStrings,
): HTMLElement[] {
  const templates = { exact: '{0}', moved: strings.countMoved, missing: strings.countMissing };
  return (['exact', 'moved', 'missing'] as const).flatMap((verdict) => {
    const count = citations.filter((citation) => citation.verdict === verdict).length;
    const mark = make(
      'span',
      { class: `count ${verdict}` },
      makeIcon(VERDICT_ICONS[verdict]),
      fill(templates[verdict], count),
    );
    return count ? [mark] : [];
  });
}

export function makeSource(source: Source, strings: PanelStrings): HTMLElement {
  const place = placeOf(source);
  const chip = make(
    'button',
    {
      class: 'source',
      title: fill(strings.openPlaceTitle, renderPlace(place)),
      attributes: { type: 'button' },
    },
    make('span', { class: 'source-title', text: source.title }),
    make('span', { class: 'source-place', text: renderPlace(place) }),
  );
  return withAction(chip, { type: 'openPlace', place });
}

function placeOf(span: Citation | Source): Place {
  return { uri: span.uri, path: span.path, firstLine: span.firstLine, lastLine: span.lastLine };
}

/** The end of a long path says more than its beginning. */
function shorten(text: string): string {
  const parts = text.split('/');
  return text.length > 40 && parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : text;
}
