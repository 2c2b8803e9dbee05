/** Streaming Markdown: only blocks that changed are built again, so a selection above survives. */

import { make, putChildren } from './dom';
import { growInto } from './growing';
import { parseBlocks, type Markdown, type Parsed } from './markdown';

export class AnswerView {
  readonly element = make('div', { class: 'markdown' });
  private shown: { key: string; element: HTMLElement }[] = [];
  private last: Parsed | null = null;

  update(text: string, context: Markdown): void {
    const isShown =
      this.last?.text === text &&
      this.last.context.citations === context.citations &&
      this.last.context.title === context.title;
    if (isShown) {
      return;
    }
    // With other citations a link that looks the same may lead elsewhere.
    const mayGrow = this.last?.context.citations === context.citations;
    this.last = parseBlocks(text, context, this.last);
    this.shown = this.last.blocks.map((block, index) => {
      const before = this.shown[index];
      if (before?.key === block.key) {
        return before;
      }
      const element = block.build();
      const hasGrown = mayGrow && before !== undefined && growInto(before.element, element);
      return { key: block.key, element: hasGrown ? before.element : element };
    });
    putChildren(
      this.element,
      this.shown.map((block) => block.element),
    );
  }
}
