/**
 * Do extension and server fit together?
 *
 * They are released together. What one of them must know of the other changes only with the second
 * number of the version or the first; a third number that differs is no reason to say anything.
 */

export type Agreement = 'agree' | 'server-older' | 'server-newer';

export function compareVersions(extension: string, server: string): Agreement {
  const mine = readNumbers(extension);
  const other = readNumbers(server);
  // A version that cannot be read is one somebody builds for themselves.
  if (!mine || !other) {
    return 'agree';
  }
  const difference = mine[0] - other[0] || mine[1] - other[1];
  return difference === 0 ? 'agree' : difference > 0 ? 'server-older' : 'server-newer';
}

/** Whether `candidate` comes after `present`, down to the third number. */
export function isNewer(candidate: string, present: string): boolean {
  const [mine, other] = [readNumbers(candidate), readNumbers(present)];
  if (!mine || !other) {
    return false;
  }
  return (mine[0] - other[0] || mine[1] - other[1] || mine[2] - other[2]) > 0;
}

function readNumbers(version: string): [number, number, number] | null {
  const match = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : null;
}
