/** A Mermaid diagram: drawn when its source is complete, with the source at hand. */

import { fill, type PanelStrings } from '../shared/strings';
import { makeButton } from './actions';
import { make, makeIcon } from './dom';
import { canDraw, draw, findDrawing, readLook, type Drawing } from './drawing';
import { renderCode } from './highlight';

/** Laying out more than this holds the panel up. */
const MAX_LINES = 300;
const MAX_LENGTH = 20_000;

const views = new WeakMap<Element, DiagramView>();

export interface DiagramOptions {
  strings: PanelStrings;
  /** What the diagram shows, for those who do not see it; its kind when left out. */
  name?: string;
}

/** Return a figure that shows the source until it is drawn, and always when it cannot be. */
export function makeDiagram(source: string, options: DiagramOptions): HTMLElement {
  const view = new DiagramView(source, options);
  views.set(view.element, view);
  view.show();
  return view.element;
}

/** Draw every diagram of the page again, in the theme it has now. */
export function redrawDiagrams(): void {
  for (const element of document.querySelectorAll('.diagram')) {
    views.get(element)?.show();
  }
}

class DiagramView {
  readonly element: HTMLElement;
  private readonly picture: HTMLImageElement;
  private readonly scroller: HTMLElement;
  private readonly source: HTMLDetailsElement;
  private readonly note: HTMLElement;
  private wanted = 0;

  constructor(
    private readonly text: string,
    private readonly options: DiagramOptions,
  ) {
    const { strings } = options;
    const copy = makeButton(
      { label: strings.copy, class: 'tool-button', icon: 'copy', iconOnly: true },
      { type: 'copy', text },
    );
    this.picture = make('img', { attributes: { alt: this.describe() } });
    this.picture.addEventListener('error', () => {
      this.refuse(strings.diagramInvalid);
    });
    this.scroller = make(
      'div',
      {
        class: 'diagram-picture',
        hidden: true,
        attributes: { tabindex: '0', role: 'group', 'aria-label': this.describe() },
      },
      this.picture,
    );
    this.note = make('div', { class: 'diagram-note', hidden: true });
    this.source = make(
      'details',
      { class: 'diagram-source' },
      make('summary', {}, makeIcon('chevron'), strings.mermaid),
      make('pre', { attributes: { tabindex: '0' } }, renderCode(text, 'mermaid')),
    );
    this.source.open = true;
    this.element = make(
      'figure',
      { class: 'code diagram' },
      make('figcaption', {}, make('span', { text: 'mermaid' }), copy),
      this.scroller,
      this.note,
      this.source,
    );
  }

  show(): void {
    const { strings } = this.options;
    if (!canDraw()) {
      return;
    }
    const nLines = this.text.split('\n').length;
    if (nLines > MAX_LINES || this.text.length > MAX_LENGTH) {
      this.refuse(fill(strings.diagramTooLarge, nLines, MAX_LINES));
      return;
    }
    const look = readLook();
    this.wanted += 1;
    const mine = this.wanted;
    const ready = findDrawing(this.text, look);
    if (ready) {
      this.put(ready);
      return;
    }
    draw(this.text, look).then(
      (drawing) => {
        if (drawing && mine === this.wanted) {
          this.put(drawing);
        }
      },
      (error: unknown) => {
        if (mine === this.wanted) {
          this.refuse(this.explain(error));
        }
      },
    );
  }

  private put(drawing: Drawing): void {
    this.picture.src = drawing.address;
    this.picture.width = drawing.width;
    this.picture.height = drawing.height;
    const wasDrawn = !this.scroller.hidden;
    this.scroller.hidden = false;
    this.note.hidden = true;
    if (!wasDrawn) {
      this.source.open = false;
    }
  }

  private refuse(why: string): void {
    this.note.replaceChildren(makeIcon('warning'), why);
    this.note.hidden = false;
    this.scroller.hidden = true;
    this.source.open = true;
  }

  private explain(error: unknown): string {
    const { strings } = this.options;
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    if (/edge limit/i.test(message)) {
      return strings.diagramTooManyEdges;
    }
    const line = /\bline (\d+)/i.exec(message)?.[1];
    if (line) {
      // What ends too early is found wrong behind its last line.
      const shown = Math.min(Number(line), this.text.split('\n').length);
      return fill(strings.diagramInvalidLine, shown);
    }
    return /^[\w-]+$/.test(message)
      ? fill(strings.diagramUnknown, message)
      : strings.diagramInvalid;
  }

  private describe(): string {
    const { strings, name } = this.options;
    const title = /^\s*(?:accTitle\s*:|title[\s:])\s*(.+)$/m.exec(this.text)?.[1]?.trim();
    const kind = /^\s*(?!%%|---)([A-Za-z]+)/m.exec(this.text)?.[1] ?? 'mermaid';
    return fill(strings.diagramAlt, name ?? title ?? kind);
  }
}
