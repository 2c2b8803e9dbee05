/** Asking again: which turns of the session stay, and which are replaced by the new one. */

import type { Edit } from '../shared/asking';
import type { Turn } from '../shared/turns';

/** A place in the conversation: the turns before it stay, `later` are to be replaced. */
export interface Cut {
  before: readonly Turn[];
  later: readonly Turn[];
  /** How many turns the session keeps, and how many it has. */
  keepTurns: number;
  ofTurns: number;
}

export function cutAt(turns: readonly Turn[], index: number): Cut {
  const before = turns.slice(0, index);
  return {
    before,
    later: turns.slice(index),
    keepTurns: before.filter(isKept).length,
    ofTurns: turns.filter(isKept).length,
  };
}

/** What the server has to be told: nothing when the session has none of the turns. */
export function renderCut({ keepTurns, ofTurns }: Cut): { keepTurns?: number; ofTurns?: number } {
  return ofTurns > keepTurns ? { keepTurns, ofTurns } : {};
}

/** The turn that is edited, which after a reload has another id; -1 when it is gone. */
export function findEdited(turns: readonly Turn[], edit: Edit): number {
  const index = turns.findIndex((turn) => turn.id === edit.turnId);
  return index >= 0 ? index : turns.findIndex((turn) => turn.number === edit.keep + 1);
}

export function makeEdit(turns: readonly Turn[], index: number): Edit {
  const turn = turns[index];
  const { before, later } = cutAt(turns, index);
  return {
    turnId: turn?.id ?? '',
    keep: before.filter(isKept).length,
    nLater: Math.max(later.length - 1, 0),
  };
}

function isKept(turn: Turn): boolean {
  return turn.number !== null;
}
