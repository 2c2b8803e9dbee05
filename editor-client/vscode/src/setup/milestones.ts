/**
 * What a new user has done already. Each milestone ticks off a step of the walkthrough by itself,
 * through a context key; it is remembered for good.
 */

import * as vscode from 'vscode';

export type Milestone = 'serverRan' | 'modelReady' | 'explained' | 'asked' | 'checked';

const REMEMBERED = 'glossator.milestones';
const WELCOMED = 'glossator.welcomed';
const WALKTHROUGH = 'glossator.glossator#glossator.start';

export class Milestones {
  private readonly reached: Set<string>;

  constructor(private readonly memory: vscode.Memento) {
    this.reached = new Set(memory.get<string[]>(REMEMBERED, []));
    for (const each of this.reached) {
      tell(each);
    }
  }

  reach(milestone: Milestone): void {
    if (!this.reached.has(milestone)) {
      this.reached.add(milestone);
      void this.memory.update(REMEMBERED, [...this.reached]);
      tell(milestone);
    }
  }

  /** Open the walkthrough the first time the extension runs, unless the user wants none. */
  async welcome(): Promise<boolean> {
    const isWanted = vscode.workspace
      .getConfiguration('workbench.welcomePage.walkthroughs')
      .get<boolean>('openOnInstall', true);
    if (!isWanted || this.memory.get<boolean>(WELCOMED, false)) {
      return false;
    }
    await this.memory.update(WELCOMED, true);
    await openWalkthrough();
    return true;
  }
}

export function openWalkthrough(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false);
}

function tell(milestone: string): void {
  void vscode.commands.executeCommand('setContext', `glossator.${milestone}`, true);
}
