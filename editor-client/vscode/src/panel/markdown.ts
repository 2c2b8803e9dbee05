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
import { makeButton, withAction } from './actions';
import { make } from './dom';
import { renderCode } from './highlight';
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

export function parseBlocks(text: string, context: Markdown): Block[] {
  const environment: Env = {};
  const tokens = parser.parse(text, environment);
  const lines = text.split('\n');
  // A definition far below can change a link above, so both are part of what a block looks like.
  const shared = JSON.stringify([environment.references ?? {}, context.citations]);
  const groups = groupBlocks(tokens);
  const shown = isTitle(groups[0], context.title) ? groups.slice(1) : groups;
  return shown.map((group) => {
    const [first, last] = group[0]?.map ?? [0, 0];
    const kind = group[0]?.type ?? '';
    return {
      key: `${kind}\0${lines.slice(first, last).join('\n')}\0${shared}`,
      build: () => buildBlock(group, context),
    };
  });
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

function buildBlock(tokens: Token[], context: Markdown): HTMLElement {
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

function buildTokens(tokens: readonly Token[], root: HTMLElement, context: Markdown): void {
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

function appendLeaf(token: Token, parent: HTMLElement, context: Markdown): void {
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

function buildFence(token: Token, context: Markdown): HTMLElement {
  const language = /^[\w+#-]*/.exec(token.info.trim())?.[0] ?? '';
  const text = token.content.replace(/\n$/, '');
  const copy = makeButton(
    { label: context.strings.copy, class: 'tool-button', icon: 'copy', iconOnly: true },
    { type: 'copy', text },
  );
  return make(
    'figure',
    { class: 'code' },
    make('figcaption', {}, make('span', { text: language }), copy),
    make('pre', { attributes: { tabindex: '0' } }, renderCode(text, language)),
  );
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
