/** Attachments as people see them: chips in the composer and on a question that was asked. */

import type { Attached, Attachment } from './protocol';

/** `label` stands on the chip, `place` is the whole path, with lines if there are any. */
export interface Chip extends Attachment {
  label: string;
  place: string;
  /** Why it could not be read. */
  problem?: string;
  /** How many of its lines had no room. */
  nLinesLeftOut?: number;
}

export function toAttachment(chip: Chip): Attachment {
  const { kind, uri, path, range, symbol } = chip;
  return {
    kind,
    ...(uri ? { uri } : { path: path ?? chip.place }),
    ...(range ? { range } : {}),
    ...(symbol ? { symbol } : {}),
  };
}

/** A chip to be attached again: what came of it is to be found out anew. */
export function asNew(chip: Chip): Chip {
  const { kind, uri, path, range, symbol, label, place } = chip;
  return {
    ...{ kind, label, place },
    ...(uri ? { uri } : {}),
    ...(path ? { path } : {}),
    ...(range ? { range } : {}),
    ...(symbol ? { symbol } : {}),
  };
}

/** Equal for chips that attach the same. */
export function chipKey(chip: Chip): string {
  const lines = chip.range ? [chip.range.start.line, chip.range.end.line] : [];
  return JSON.stringify([chip.kind, chip.uri ?? chip.path ?? '', chip.symbol ?? '', ...lines]);
}

/** A chip of a turn that was kept, so that its question can be asked again. */
export function fromAttached(attached: Attached): Chip {
  const { kind, path, uri, symbol, firstLine, lastLine } = attached;
  const hasLines = kind !== 'file' && firstLine > 0;
  const place = hasLines ? `${path}:${firstLine}-${lastLine}` : path;
  const end = { line: lastLine, character: 0 };
  return {
    kind,
    ...(uri ? { uri } : { path }),
    ...(symbol ? { symbol } : {}),
    ...(hasLines ? { range: { start: { line: firstLine - 1, character: 0 }, end } } : {}),
    label: symbol || lastName(place),
    place,
    ...describe(attached),
  };
}

/** Say on the chips what came of each; the server tells of them in their order. */
export function noteAttached(
  chips: readonly Chip[],
  attached: readonly Attached[] = [],
): readonly Chip[] {
  return chips.map((chip, index) => {
    const found = attached[index];
    return found ? { ...chip, ...describe(found) } : chip;
  });
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function describe({ problem, nLinesLeftOut }: Attached): Partial<Chip> {
  return { ...(problem ? { problem } : {}), ...(nLinesLeftOut ? { nLinesLeftOut } : {}) };
}
