/** Where a block of code belongs in a file: over the definitions that it holds anew. */

/** Lines `first` to `last` (0-based, inclusive) that are to become `lines`. */
export interface Replacement {
  first: number;
  last: number;
  lines: string[];
}

const DEFINITION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([\w:]+\))?|unsafe|override|virtual|inline)\s+)*(?:(def|class|function\*?|func|fn|interface|struct|enum|trait|module|namespace|type|record)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|(const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]+)?=)/u;
/** `total(currency) {`: a method of JavaScript or TypeScript. */
const METHOD =
  /^\s*(?:(?:public|private|protected|static|async|get|set)\s+)*([\p{L}_$#][\p{L}\p{N}_$]*)\s*\([^)]*\)\s*(?::[^{]+)?\{\s*$/u;
const NOT_METHODS = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'with']);

/**
 * Return what of `text` has to change for the definitions of `code` to stand in it; null when it
 * cannot be told: a definition is not there, or there more than once and not near `line`
 * (1-based; 0: nothing is known).
 */
export function placeCode(text: string, code: string, line = 0): Replacement[] | null {
  const lines = text.split(/\r\n|\r|\n/);
  const parts = splitDefinitions(dedent(code.replace(/\s+$/, '').split(/\r\n|\r|\n/)));
  const found = parts?.map((part) => placeDefinition(lines, part, line)) ?? [null];
  const replacements = found.filter((each) => each !== null);
  const isWhole = replacements.length === found.length && !doOverlap(replacements);
  return isWhole ? replacements.toSorted((a, b) => a.first - b.first) : null;
}

interface Definition {
  name: string;
  /** With the comments and decorators that stand above it. */
  lines: string[];
  hasHead: boolean;
}

/** Null when something of the code belongs to no definition: nobody knows where that goes. */
function splitDefinitions(lines: string[]): Definition[] | null {
  const parts: Definition[] = [];
  let head: string[] = [];
  for (const line of lines) {
    const isOuter = /^\S/.test(line) && !/^[)}\]]/.test(line);
    const name = isOuter ? nameOf(line) : '';
    const open = parts.at(-1);
    if (name) {
      parts.push({ name, lines: [...head, line], hasHead: head.length > 0 });
      head = [];
    } else if (isOuter && isHead(line)) {
      head.push(line);
    } else if (isOuter || !open || (head.length && line.trim())) {
      if (line.trim() || head.length) {
        return null;
      }
    } else {
      open.lines.push(line);
    }
  }
  parts.forEach((part) => {
    while (part.lines.at(-1)?.trim() === '') {
      part.lines.pop();
    }
  });
  return parts.length && !head.length ? parts : null;
}

function placeDefinition(lines: string[], part: Definition, line: number): Replacement | null {
  const starts = lines.flatMap((each, index) => (nameOf(each) === part.name ? [index] : []));
  const extents = starts.map((start) => ({ start, end: endOf(lines, start) }));
  const near = extents.filter(({ start, end }) => line > start - 1 && line <= end + 1);
  const chosen = extents.length === 1 ? extents[0] : near.length === 1 ? near[0] : undefined;
  if (!chosen) {
    return null;
  }
  const indent = /^\s*/.exec(lines[chosen.start] ?? '')?.[0] ?? '';
  let first = chosen.start;
  while (part.hasHead && first > 0 && isHead((lines[first - 1] ?? '').trim())) {
    first -= 1;
  }
  const placed = part.lines.map((each) => (each.trim() ? indent + each : ''));
  return { first, last: chosen.end, lines: placed };
}

/** The last line of what begins at `start`: what is indented further, and a bracket that closes. */
function endOf(lines: string[], start: number): number {
  const depth = indentOf(lines[start] ?? '');
  let end = start;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (!line.trim()) {
      continue;
    }
    const isClosing = indentOf(line) === depth && /^\s*[)}\]]/.test(line);
    if (indentOf(line) <= depth && !isClosing) {
      break;
    }
    end = index;
    if (isClosing && /^\s*[}\]][;,)]*\s*$/.test(line)) {
      break;
    }
  }
  return end;
}

/** The kind and the name of what a line defines; empty when it defines nothing. */
function nameOf(line: string): string {
  const match = DEFINITION.exec(line);
  if (match) {
    return match[2] ?? match[4] ?? '';
  }
  const method = METHOD.exec(line)?.[1] ?? '';
  return NOT_METHODS.has(method) ? '' : method;
}

/** Comments, decorators and attributes stand above what they are about. */
function isHead(line: string): boolean {
  return /^(?:@|#\[|\/\/|\/\*|\*|#(?!include|define|if|endif))/.test(line);
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

function dedent(lines: string[]): string[] {
  const depths = lines.filter((line) => line.trim()).map(indentOf);
  const depth = Math.min(...(depths.length ? depths : [0]));
  return lines.map((line) => line.slice(depth));
}

function doOverlap(replacements: Replacement[]): boolean {
  const sorted = replacements.toSorted((a, b) => a.first - b.first);
  return sorted.some((each, index) => index > 0 && each.first <= (sorted[index - 1]?.last ?? -1));
}
