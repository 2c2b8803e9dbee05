/**
 * Makes Mermaid small and fit for the panel's policy while it is bundled.
 *
 * Only the kinds of diagrams that models draw of code are kept. What would parse text as HTML or
 * write a `style` attribute, which the policy of the panel's page forbids, is done with text nodes
 * and the style object instead. A place that is not found any more fails the build.
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';

const KEPT =
  /^(flowDiagram|sequenceDiagram|classDiagram-v2|stateDiagram-v2|erDiagram|dagre|chunk)-/;
const HERE = import.meta.dirname;

/** Each file's name, and what stands in it for what. */
const CHANGES = [
  [
    /^d3-selection\.mjs$/,
    ['this.innerHTML = ', 'this.textContent = '],
    [
      'this.setAttribute(name, value);',
      'name === "style" ? (this.style.cssText = value) : this.setAttribute(name, value);',
    ],
    [
      'else this.setAttribute(name, v);',
      'else if (name === "style") this.style.cssText = v; else this.setAttribute(name, v);',
    ],
  ],
  [
    /^mermaid\.core\.mjs$/,
    ['svgContainingElement.innerHTML = ', 'svgContainingElement.textContent = '],
    // The page lets no `style` element in; the drawing gets its rules when it is complete.
    ['style1.innerHTML = rules;', 'globalThis.glossatorRules(rules);'],
    ['svg.insertBefore(style1, firstChild);', ''],
    [
      'root.select(enclosingDivID_selector).node().innerHTML',
      'new XMLSerializer().serializeToString(root.select(enclosingDivID_selector).node().firstChild)',
    ],
  ],
  [/^chunk-6MUBBAK2\.mjs$/, ['decoder.innerHTML = html;', 'decoder.textContent = html;']],
  [
    /^chunk-AXFCVDMN\.mjs$/,
    ['child.setAttribute("style", style);', 'child.style.cssText = style;'],
  ],
  [
    /^chunk-KS47KZWR\.mjs$/,
    ['pathEl.setAttribute("style", cleaned);', 'pathEl.style.cssText = cleaned;'],
  ],
];

/** @type {import('esbuild').Plugin} */
export const slimMermaid = {
  name: 'slim-mermaid',
  setup(build) {
    build.onResolve({ filter: /^dompurify$/ }, () => ({
      path: path.resolve(HERE, '../src/panel/mermaid/plainText.ts'),
    }));
    // Formulas and pictograms are not drawn.
    build.onResolve({ filter: /^(katex|@iconify\/utils)$/ }, () => ({
      path: path.resolve(HERE, '../src/panel/mermaid/leftOut.ts'),
    }));
    build.onLoad({ filter: /[\\/](mermaid|d3-selection)[\\/].*\.mjs$/ }, async ({ path: file }) => {
      const name = path.basename(file);
      if (/[\\/]mermaid\.core[\\/]/.test(file) && !KEPT.test(name)) {
        return { contents: 'export const diagram = undefined, render = undefined;' };
      }
      return { contents: change(name, await readFile(file, 'utf8')) };
    });
  },
};

function change(name, text) {
  const pairs = CHANGES.filter(([file]) => file.test(name)).flatMap(([, ...each]) => each);
  for (const [before, after] of pairs) {
    if (!text.includes(before)) {
      throw new Error(`${name} does not hold \`${before}\` any more: look at slimMermaid.mjs`);
    }
    text = text.replaceAll(before, after);
  }
  return text;
}
