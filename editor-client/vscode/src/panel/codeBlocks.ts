/** A block of code in an answer, with what can be done with it, and the file it is for. */

import type { Place } from '../shared/messages';
import type { PanelStrings } from '../shared/strings';
import { makeButton } from './actions';
import { make, type Icon } from './dom';
import { renderCode } from './highlight';
import { findPlace, parsePlace } from './places';

/** Output and commands are not put into files. */
const NOT_FOR_FILES = new Set(['console', 'diff', 'output', 'text', 'txt']);

export function makeCodeBlock(
  code: { text: string; language: string; target: Place | null },
  strings: PanelStrings,
): HTMLElement {
  const { text, language, target } = code;
  const button = (label: string, icon: Icon, message: Parameters<typeof makeButton>[1]) =>
    makeButton({ label, class: 'tool-button', icon, iconOnly: true }, message);
  const isForFiles = text.trim() !== '' && !NOT_FOR_FILES.has(language);
  const actions = make(
    'span',
    { class: 'code-actions' },
    isForFiles && button(strings.applyCode, 'apply', { type: 'applyCode', text, target }),
    isForFiles && button(strings.insertCode, 'insert', { type: 'insertCode', text }),
    button(strings.copy, 'copy', { type: 'copy', text }),
  );
  const name = target && isForFiles ? `${language} · ${target.path}` : language;
  return make(
    'figure',
    { class: 'code' },
    make('figcaption', {}, make('span', { class: 'code-name', text: name }), actions),
    make(
      'pre',
      { attributes: { tabindex: '0', role: 'group', 'aria-label': strings.code } },
      renderCode(text, language),
    ),
  );
}

const FILE = /^[\w@+~-]?[\w.@+~/-]*[\w@+~-]\.[A-Za-z]\w{0,9}$/;
const NAMED_BY_COMMENT =
  /^\s*(?:#|\/\/|--|\/\*|<!--|;)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?$/i;

/**
 * Return the file that a block of code is for: the one that its fence or its first line names,
 * or else the last one named in the text `before` it.
 */
export function findTarget(info: string, code: string, before: string): Place | null {
  const named = info
    .split(/\s+/)
    // `python:src/a.py`, `title="src/a.py"` and `{file=src/a.py}` are all met.
    .map((word) => word.replaceAll(/["'{}]/g, '').replace(/^(?:title|file(?:name)?|path)?[:=]/, ''))
    .map(toPlace)
    .find((place) => place !== null);
  const comment = NAMED_BY_COMMENT.exec(code.split('\n', 1)[0] ?? '')?.[1] ?? '';
  return named ?? toPlace(comment) ?? findLastPlace(before);
}

function toPlace(word: string): Place | null {
  const place = parsePlace(word);
  if (place) {
    return place;
  }
  return FILE.test(word) ? { uri: null, path: word, firstLine: 0, lastLine: 0 } : null;
}

function findLastPlace(text: string): Place | null {
  let last: { at: number; place: Place } | null = null;
  let from = 0;
  for (let found = findPlace(text); found; found = findPlace(text.slice(from))) {
    last = { at: from + found.index, place: found.place };
    from = last.at + found.text.length;
  }
  for (const match of text.matchAll(/`([^`\s]+)`/g)) {
    const place = toPlace(match[1] ?? '');
    // A bare `self.items` looks like a file too; a folder or a place tells them apart.
    const isFile = place !== null && (place.firstLine > 0 || place.path.includes('/'));
    if (isFile && match.index > (last?.at ?? -1)) {
      last = { at: match.index, place };
    }
  }
  return last?.place ?? null;
}
