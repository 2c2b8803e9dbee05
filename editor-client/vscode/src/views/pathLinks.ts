/** Where a text names files, with the line when it is said. */

export interface LinkedFile {
  path: string;
  uri: string | null;
}

export interface PathLink {
  start: number;
  end: number;
  uri: string;
  /** The first line that is meant, from 1; 0 when none is named. */
  line: number;
}

/** What may go on before or after a path: then it is a part of another one. */
const PART = /[\p{L}\p{N}_/\\-]/u;

/** Find every place of `text` that names one of the files, as `path` or `path:first-last`. */
export function findPaths(text: string, files: readonly LinkedFile[]): PathLink[] {
  const known = new Map(files.map((file) => [file.path, file.uri]));
  const longestFirst = [...known.keys()].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!longestFirst.length) {
    return [];
  }
  const paths = longestFirst.map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`(${paths.join('|')})(?::(\\d+)(?:[-–]\\d+)?)?`, 'gu');
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, path = '', line = '0'] = match;
    const uri = known.get(path);
    const end = match.index + whole.length;
    const isPart = PART.test(text.charAt(match.index - 1)) || PART.test(text.charAt(end));
    return uri && !isPart ? [{ start: match.index, end, uri, line: Number(line) }] : [];
  });
}
