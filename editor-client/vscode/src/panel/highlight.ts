/** Colours for code, as elements: the highlighter's tree is built into the page, never parsed. */

import { createLowlight } from 'lowlight';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { make } from './dom';

type Nodes = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'];

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});
lowlight.registerAlias({ typescript: ['tsx'], javascript: ['jsx'] });

/** Above this the colours cost more than they tell. */
const MAX_LENGTH = 20_000;

export function renderCode(text: string, language: string): HTMLElement {
  const code = make('code', { class: 'hljs' });
  if (text.length > MAX_LENGTH || !lowlight.registered(language)) {
    code.textContent = text;
    return code;
  }
  append(code, lowlight.highlight(language, text).children);
  return code;
}

function append(parent: HTMLElement, nodes: Nodes): void {
  for (const node of nodes) {
    if (node.type === 'text') {
      parent.append(node.value);
    } else if (node.type === 'element') {
      const names = node.properties['className'];
      const span = make('span', { class: Array.isArray(names) ? names.join(' ') : '' });
      append(span, node.children);
      parent.append(span);
    }
  }
}
