/** The call chain as a tree: callers or callees of one function, each level asked for when opened. */

import * as vscode from 'vscode';
import { reportFailure } from '../reporting';
import type { Server } from '../server/server';
import type { CallChainResult, CallNode, Target } from '../shared/protocol';

export type Direction = 'callers' | 'callees';

/** A function in the tree, with those between it and the root. */
export interface CallItem {
  node: CallNode;
  above: readonly string[];
}

const HAS_TREE = 'glossator.hasCallTree';
const DIRECTION = 'glossator.callTreeDirection';

export class CallTree implements vscode.TreeDataProvider<CallItem>, vscode.Disposable {
  static readonly id = 'glossator.calls';
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly view: vscode.TreeView<CallItem>;
  private root: CallItem | null = null;
  /** Where the root was asked about: another text may stand there by the time of a refresh. */
  private target: Target | null = null;
  private direction: Direction = 'callers';

  constructor(private readonly server: Server) {
    this.view = vscode.window.createTreeView(CallTree.id, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.tellState();
  }

  /** Put a function at the root; its first level is known already if a chain was traced. */
  put(target: Target, chain: CallChainResult): void {
    this.target = target;
    this.root = { node: chain.root, above: [] };
    this.tellState();
    this.changes.fire();
  }

  /** Show the calls of the function at a place. */
  async show(target: Target): Promise<void> {
    const chain = await reportFailure(() => this.ask(target));
    if (chain) {
      this.put(target, chain);
      await vscode.commands.executeCommand(`${CallTree.id}.focus`);
    }
  }

  async refresh(): Promise<void> {
    if (this.target) {
      await this.show(this.target);
    }
  }

  turn(direction: Direction): void {
    this.direction = direction;
    this.tellState();
    this.changes.fire();
  }

  /** Make a function of the tree its root. */
  async putOnTop(item: CallItem): Promise<void> {
    const target = placeOf(item.node);
    if (target) {
      await this.show(target);
    }
  }

  getTreeItem({ node, above }: CallItem): vscode.TreeItem {
    const isAbove = node.cycle || above.includes(keyOf(node));
    const isLeaf = isAbove || placeOf(node) === null;
    const item = new vscode.TreeItem(node.name, stateOf(isLeaf, above.length === 0));
    item.iconPath = new vscode.ThemeIcon(iconOf(node));
    const place = node.path ? `${node.path}:${node.line}` : '';
    const outside = vscode.l10n.t('outside the workspace');
    item.description = isAbove ? `↻ ${place}` : place || outside;
    item.tooltip = `${node.name}\n${place || outside}`;
    item.contextValue = isLeaf ? 'place' : 'function';
    item.accessibilityInformation = {
      label: [node.name, place || outside, isAbove ? vscode.l10n.t('already above') : '']
        .filter(Boolean)
        .join(', '),
    };
    if (node.uri) {
      item.command = {
        title: vscode.l10n.t('Open'),
        command: 'vscode.open',
        arguments: [vscode.Uri.parse(node.uri), { selection: selectionOf(node) }],
      };
    }
    return item;
  }

  async getChildren(item?: CallItem): Promise<CallItem[]> {
    if (!item) {
      return this.root ? [this.root] : [];
    }
    const target = placeOf(item.node);
    const chain = target && (await reportFailure(() => this.ask(target)));
    const above = [...item.above, keyOf(item.node)];
    return chain ? chain[this.direction].map((node) => ({ node, above })) : [];
  }

  dispose(): void {
    this.view.dispose();
    this.changes.dispose();
  }

  private ask(target: Target): Promise<CallChainResult> {
    return this.server.execute<CallChainResult>('glossator.callChain', { ...target, depth: 1 });
  }

  private tellState(): void {
    const { executeCommand } = vscode.commands;
    void executeCommand('setContext', HAS_TREE, this.root !== null);
    void executeCommand('setContext', DIRECTION, this.direction);
    this.view.description =
      this.direction === 'callers' ? vscode.l10n.t('Called by') : vscode.l10n.t('Calls');
  }
}

/** The commands of the tree's own menus. */
export function registerCallTree(tree: CallTree): vscode.Disposable {
  const commands: Record<string, (item?: CallItem) => unknown> = {
    'glossator.callTree.showCallers': () => {
      tree.turn('callers');
    },
    'glossator.callTree.showCallees': () => {
      tree.turn('callees');
    },
    'glossator.callTree.refresh': () => tree.refresh(),
    'glossator.callTree.putOnTop': (item) => item && tree.putOnTop(item),
  };
  return vscode.Disposable.from(
    tree,
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
}

function stateOf(isLeaf: boolean, isRoot: boolean): vscode.TreeItemCollapsibleState {
  if (isLeaf) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return isRoot
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

function keyOf(node: CallNode): string {
  return `${node.uri}:${node.line}:${node.name}`;
}

/** Where the calls of a node are asked for; nowhere for what is no function of the workspace. */
function placeOf(node: CallNode): Target | null {
  return node.uri && node.range ? { uri: node.uri, position: node.range.start } : null;
}

function iconOf(node: CallNode): string {
  if (!node.uri) {
    return 'references';
  }
  return node.range ? 'symbol-method' : 'symbol-file';
}

function selectionOf(node: CallNode): vscode.Range {
  const line = Math.max(node.line - 1, 0);
  const start = node.range?.start ?? { line, character: 0 };
  return new vscode.Range(start.line, start.character, start.line, start.character);
}
