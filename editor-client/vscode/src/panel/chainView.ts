/** A call chain as two trees whose nodes open their function. */

import type { CallChainResult, CallNode } from '../shared/protocol';
import { fill, type PanelStrings } from '../shared/strings';
import { withAction } from './actions';
import { makeDiagram } from './diagram';
import { make } from './dom';

export function makeChain(chain: CallChainResult, strings: PanelStrings): HTMLElement {
  return make(
    'div',
    { class: 'chain' },
    make('h2', { text: strings.calledBy }),
    makeTree(chain.callers, strings),
    make('h2', { text: strings.calls }),
    makeTree(chain.callees, strings),
    make('h2', { text: strings.picture }),
    makeDiagram(chain.mermaid, { strings, name: chain.title }),
  );
}

function makeTree(nodes: readonly CallNode[], strings: PanelStrings): HTMLElement {
  if (!nodes.length) {
    return make('p', { class: 'muted', text: strings.none });
  }
  const list = make('ul', { class: 'tree' });
  for (const node of nodes) {
    const item = make('li', {}, makeNode(node, strings));
    if (node.children.length) {
      item.append(makeTree(node.children, strings));
    }
    list.append(item);
  }
  return list;
}

function makeNode(node: CallNode, strings: PanelStrings): HTMLElement {
  if (!node.resolved && !node.uri) {
    return make(
      'span',
      { class: 'node unresolved', title: strings.notInWorkspace },
      make('code', { text: node.name }),
    );
  }
  const shown = `${node.path}:${node.line}`;
  const button = make(
    'button',
    {
      class: 'node',
      title: fill(strings.openPlaceTitle, shown),
      attributes: { type: 'button' },
    },
    make('code', { text: node.name }),
    make('span', { class: 'node-place', text: shown }),
    node.cycle && make('span', { class: 'badge', text: strings.cycle }),
  );
  const place = { uri: node.uri, path: node.path, firstLine: node.line, lastLine: node.line };
  return withAction(button, { type: 'openPlace', place });
}
