/**
 * Markdown to elements, block by block.
 *
 * Text of a model is never parsed as HTML: markdown-it gives tokens and only the elements named
 * here are made from them. A link opens a place of the workspace or, after a click, the browser;
 * every other address is dropped and its label stays. Pictures are named, never loaded.
 */

import MarkdownIt, { type Env, type Token } from 'markdown-it';
import type { Place } from '../shared/messages';
import type { Citation } from '../shared/protocol';
import { fill, type PanelStrings } from '../shared/strings';
import { withAction } from './actions';
import { findTarget, makeCodeBlock } from './codeBlocks';
import { makeDiagram } from './diagram';
import { make } from './dom';
import { findPlace, parsePlace, parseTarget, renderPlace, type Target } from './places';
import { makeCitation } from './citations';

const parser = new MarkdownIt({ html: false, linkify: true, breaks: false });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// `parseTarget` decides about every address; markdown-it's own list would turn `file:` away.
parser.validateLink = () => true;

/** One top-level block; two blocks with the same key look the same. */
export interface Block {
  readonly key: string;
  build(): HTMLElement;
}

export interface Markdown {
  readonly strings: PanelStrings;
  readonly citations: readonly Citation[];
  /** A heading the page shows already; it is not repeated at the top. */
  readonly title?: string;
}

/** What the elements of a block are built with: `above` gives the text over one of its lines. */
type Building = Markdown & { readonly above: (line: number) => string };

/** An answer as far as it is there: its blocks, and where each of them begins in the text. */
export interface Parsed {
  readonly text: string;
  readonly context: Markdown;
  readonly blocks: readonly Block[];
  readonly starts: readonly number[];
  readonly hasReferences: boolean;
}

/** A line that is not complete yet can still join the block before the last. */
const N_OPEN = 2;

/**
 * Parse an answer. What has only grown since `before` is parsed from its last blocks on: nothing
 * that follows can change those above, unless a definition of a link stands somewhere.
 */
export function parseBlocks(text: string, context: Markdown, before: Parsed | null = null): Parsed {
  const nKept = before && mayGoOn(before, text, context) ? before.blocks.length - N_OPEN : 0;
  if (before && nKept > 0) {
    const tail = parseFrom(before.starts[nKept] ?? 0, text, context);
    if (!tail.hasReferences) {
      return {
        ...tail,
        blocks: [...before.blocks.slice(0, nKept), ...tail.blocks],
        starts: [...before.starts.slice(0, nKept), ...tail.starts],
      };
    }
  }
  return parseFrom(0, text, context);
}

function mayGoOn(before: Parsed, text: string, context: Markdown): boolean {
  return (
    !before.hasReferences &&
    before.context.citations === context.citations &&
    before.context.title === context.title &&
    text.startsWith(before.text)
  );
}

function parseFrom(start: number, text: string, context: Markdown): Parsed {
  const environment: Env = {};
  const rest = text.slice(start);
  const tokens = parser.parse(rest, environment);
  const lines = rest.split('\n');
  const offsets = [start];
  lines.forEach((line) => offsets.push((offsets.at(-1) ?? 0) + line.length + 1));
  const references = environment.references ?? {};
  // A definition far below can change a link above, so both are part of what a block looks like.
  const shared = JSON.stringify([references, context.citations]);
  const groups = groupBlocks(tokens);
  const shown = start === 0 && isTitle(groups[0], context.title) ? groups.slice(1) : groups;
  const above = (line: number) => textAbove(text, offsets[line] ?? start);
  const blocks = shown.map((group): Block => {
    const [first, last] = group[0]?.map ?? [0, 0];
    // A block of code is for the file that is named over it.
    const around = group.some((token) => token.type === 'fence') ? above(first) : '';
    return {
      key: [group[0]?.type, lines.slice(first, last).join('\n'), shared, around].join('\0'),
      build: () => buildBlock(group, { ...context, above }),
    };
  });
  const starts = shown.map((group) => offsets[group[0]?.map?.[0] ?? 0] ?? start);
  return { text, context, blocks, starts, hasReferences: Object.keys(references).length > 0 };
}

/** How far above a block of code its file may be named. */
const N_LINES_ABOVE = 12;
const MAX_LENGTH_ABOVE = 1500;

function textAbove(text: string, end: number): string {
  const near = text.slice(Math.max(0, end - MAX_LENGTH_ABOVE), end);
  return near.split('\n').slice(-N_LINES_ABOVE).join('\n');
}

function isTitle(group: Token[] | undefined, title: string | undefined): boolean {
  const [open, inline] = group ?? [];
  const text = inline?.children?.map((token) => token.content).join('');
  return open?.type === 'heading_open' && title !== undefined && text === title;
}

function groupBlocks(tokens: Token[]): Token[][] {
  const groups: Token[][] = [];
  let group: Token[] = [];
  for (const token of tokens) {
    group.push(token);
    if (token.level === 0 && token.nesting <= 0) {
      groups.push(group);
      group = [];
    }
  }
  return group.length ? [...groups, group] : groups;
}

function buildBlock(tokens: Token[], context: Building): HTMLElement {
  const root = make('div', { class: 'block' });
  buildTokens(tokens, root, context);
  return root;
}

const CONTAINERS: Record<string, keyof HTMLElementTagNameMap> = {
  blockquote_open: 'blockquote',
  bullet_list_open: 'ul',
  em_open: 'em',
  list_item_open: 'li',
  ordered_list_open: 'ol',
  paragraph_open: 'p',
  s_open: 's',
  strong_open: 'strong',
  table_open: 'table',
  tbody_open: 'tbody',
  td_open: 'td',
  th_open: 'th',
  thead_open: 'thead',
  tr_open: 'tr',
};

function buildTokens(tokens: readonly Token[], root: HTMLElement, context: Building): void {
  const open: HTMLElement[] = [root];
  const top = () => open.at(-1) ?? root;
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
    } else if (token.nesting > 0) {
      const element = openElement(token, context);
      top().append(element);
      open.push(element);
    } else {
      appendLeaf(token, top(), context);
    }
  }
}

function openElement(token: Token, context: Markdown): HTMLElement {
  if (token.type === 'paragraph_open' && token.hidden) {
    return make('span');
  }
  if (token.type === 'heading_open') {
    return make(/^h[1-6]$/.test(token.tag) ? (token.tag as 'h1') : 'h6');
  }
  if (token.type === 'link_open') {
    return openLink(parseTarget(String(token.attrGet('href') ?? '')), context);
  }
  const element = make(CONTAINERS[token.type] ?? 'span');
  if (token.type === 'ordered_list_open') {
    element.setAttribute('start', String(Number(token.attrGet('start') ?? 1)));
  }
  const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''));
  if (alignment?.[1]) {
    element.classList.add(`align-${alignment[1]}`);
  }
  return element;
}

function openLink(target: Target, context: Markdown): HTMLElement {
  if (target.kind === 'none') {
    return make('span', { class: 'dead-link' });
  }
  const shown = target.kind === 'web' ? target.url : renderPlace(target.place);
  const label = target.kind === 'web' ? 'openLinkTitle' : 'openPlaceTitle';
  // Without `href` nothing can navigate before the host has looked at the address.
  const link = make('a', {
    class: target.kind === 'web' ? 'web-link' : 'place-link',
    title: fill(context.strings[label], shown),
    attributes: { role: 'link', tabindex: '0' },
  });
  if (target.kind === 'web') {
    // The host stands beside the label, so that a harmless word cannot hide where it leads.
    link.dataset['host'] = hostOf(target.url);
    return withAction(link, { type: 'openLink', url: target.url });
  }
  return withAction(link, { type: 'openPlace', place: target.place });
}

function appendLeaf(token: Token, parent: HTMLElement, context: Building): void {
  switch (token.type) {
    case 'inline':
      buildTokens(token.children ?? [], parent, context);
      return;
    case 'text':
      appendText(token.content, parent, context);
      return;
    case 'code_inline':
      parent.append(buildInlineCode(token.content, context));
      return;
    case 'softbreak':
      parent.append('\n');
      return;
    case 'hardbreak':
      parent.append(make('br'));
      return;
    case 'hr':
      parent.append(make('hr'));
      return;
    case 'fence':
    case 'code_block':
      parent.append(buildFence(token, context));
      return;
    case 'image':
      parent.append(buildPicture(token, context));
      return;
    default:
      parent.append(token.content);
  }
}

function appendText(text: string, parent: HTMLElement, context: Markdown): void {
  let rest = text;
  while (rest) {
    const found = findCitation(rest, context.citations);
    if (!found) {
      appendPlaces(rest, parent, context);
      return;
    }
    appendPlaces(rest.slice(0, found.index), parent, context);
    parent.append(makeCitation(found.citation, context.strings));
    rest = rest.slice(found.index + found.citation.text.length);
  }
}

/** While an answer streams its places have no verdict yet, but they can be opened. */
function appendPlaces(text: string, parent: HTMLElement, context: Markdown): void {
  let rest = text;
  for (let found = findPlace(rest); found; found = findPlace(rest)) {
    parent.append(
      rest.slice(0, found.index),
      makePlaceLink(found.text, found.place, context.strings),
    );
    rest = rest.slice(found.index + found.text.length);
  }
  parent.append(rest);
}

function makePlaceLink(label: string, place: Place, strings: PanelStrings): HTMLElement {
  const title = fill(strings.openPlaceTitle, renderPlace(place));
  const attributes = { role: 'link', tabindex: '0' };
  const link = make('a', { class: 'place', title, text: label, attributes });
  return withAction(link, { type: 'openPlace', place });
}

function findCitation(
  text: string,
  citations: readonly Citation[],
): { index: number; citation: Citation } | null {
  let best: { index: number; citation: Citation } | null = null;
  for (const citation of citations) {
    const index = citation.text ? text.indexOf(citation.text) : -1;
    const isBetter =
      index >= 0 &&
      (!best ||
        index < best.index ||
        (index === best.index && citation.text.length > best.citation.text.length));
    if (isBetter) {
      best = { index, citation };
    }
  }
  return best;
}

function buildInlineCode(text: string, context: Markdown): HTMLElement {
  const citation = context.citations.find((each) => each.text === text.trim());
  if (citation) {
    return makeCitation(citation, context.strings);
  }
  const place = parsePlace(text);
  if (place) {
    return makePlaceLink(text, place, context.strings);
  }
  return make('code', { text });
}

function buildFence(token: Token, context: Building): HTMLElement {
  const language = /^[\w+#-]*/.exec(token.info.trim())?.[0] ?? '';
  const text = token.content.replace(/\n$/, '');
  if (language.toLowerCase() === 'mermaid' && isClosed(token)) {
    return makeDiagram(text, { strings: context.strings });
  }
  const target = findTarget(
    token.info.trim().slice(language.length),
    text,
    context.above(token.map?.[0] ?? 0),
  );
  return makeCodeBlock({ text, language, target }, context.strings);
}

/** Whether a fence has come to its end: its source has a line more than what stands in it. */
function isClosed(token: Token): boolean {
  const [first, last] = token.map ?? [0, 0];
  const nLines = token.content === '' ? 0 : token.content.replace(/\n$/, '').split('\n').length;
  return last - first === nLines + 2;
}

function buildPicture(token: Token, context: Markdown): HTMLElement {
  const label = `${token.content || context.strings.image} (${context.strings.image})`;
  const target = parseTarget(String(token.attrGet('src') ?? ''));
  const link = openLink(target, context);
  link.append(label);
  return link;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url.slice(0, 60);
  }
}
