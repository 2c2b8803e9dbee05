/** Streaming Markdown: only blocks that changed are built again, so a selection above survives. */

import { make, putChildren } from './dom';
import { parseBlocks, type Markdown } from './markdown';

export class AnswerView {
  readonly element = make('div', { class: 'markdown' });
  private shown: { key: string; element: HTMLElement }[] = [];
  private last: { text: string; context: Markdown } | null = null;

  update(text: string, context: Markdown): void {
    const isShown =
      this.last?.text === text &&
      this.last.context.citations === context.citations &&
      this.last.context.title === context.title;
    if (isShown) {
      return;
    }
    this.last = { text, context };
    this.shown = parseBlocks(text, context).map((block, index) => {
      const before = this.shown[index];
      return before?.key === block.key ? before : { key: block.key, element: block.build() };
    });
    putChildren(
      this.element,
      this.shown.map((block) => block.element),
    );
  }
}
