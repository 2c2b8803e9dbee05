/** A page for the panel's parts, and what it told the extension host. */

import { JSDOM } from 'jsdom';
import type { FromPanel, Surroundings, ToPanel } from '../src/shared/messages';
import type { Citation } from '../src/shared/protocol';
import { PANEL_STRINGS, type PanelStrings } from '../src/shared/strings';
import type { Draft } from '../src/shared/asking';
import { Panel } from '../src/panel/panel';

export const strings: PanelStrings = PANEL_STRINGS;

/** Make a page and the globals a browser has. `resources` is unset: jsdom loads nothing. */
export function openPage(): Document {
  const { window } = new JSDOM('<!doctype html><body><div id="root"></div></body>');
  Object.assign(globalThis, {
    document: window.document,
    Node: window.Node,
    Element: window.Element,
    HTMLElement: window.HTMLElement,
    HTMLInputElement: window.HTMLInputElement,
    getComputedStyle: window.getComputedStyle.bind(window),
  });
  // jsdom lays nothing out, so there is nothing to scroll.
  window.HTMLElement.prototype.scrollIntoView = () => undefined;
  return window.document;
}

export class PanelUnderTest {
  readonly sent: FromPanel[] = [];
  readonly root: HTMLElement;
  private readonly panel: Panel;
  /** What is kept of the composer. */
  state: Draft | undefined;
  private readonly frames: (() => void)[] = [];

  constructor(mode: 'chat' | 'answer' = 'chat') {
    const page = openPage();
    const root = page.getElementById('root');
    if (!root) {
      throw new Error('the page has no root');
    }
    this.root = root;
    const host = {
      postMessage: (message: FromPanel) => {
        this.sent.push(message);
      },
      keep: (draft: Draft) => {
        this.state = draft;
      },
    };
    const schedule = (draw: () => void) => {
      this.frames.push(draw);
    };
    this.panel = new Panel(root, host, { strings, mode, schedule });
  }

  receive(...messages: ToPanel[]): this {
    messages.forEach((message) => {
      this.panel.receive(message);
    });
    return this;
  }

  /** Draw what waits for a frame; returns how many frames that took. */
  draw(): number {
    const frames = this.frames.splice(0);
    frames.forEach((frame) => {
      frame();
    });
    return frames.length;
  }

  find<E extends HTMLElement = HTMLElement>(selector: string): E {
    const found = this.root.querySelector<E>(selector);
    if (!found) {
      throw new Error(`nothing matches ${selector} in ${this.root.innerHTML}`);
    }
    return found;
  }

  texts(selector: string): string[] {
    return [...this.root.querySelectorAll(selector)].map((each) => each.textContent);
  }

  type(text: string, selector = 'textarea'): void {
    const input = this.find<HTMLTextAreaElement>(selector);
    input.value = text;
    const { Event } = this.window;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Hand files over as a drop or a paste does. */
  hand(kind: 'drop' | 'paste', data: Record<string, string>): boolean {
    const { Event } = this.window;
    const event = new Event(kind, { bubbles: true, cancelable: true });
    const transfer = {
      types: Object.keys(data),
      getData: (type: string) => data[type] ?? '',
    };
    Object.assign(event, { dataTransfer: transfer, clipboardData: transfer });
    this.find('textarea').dispatchEvent(event);
    return event.defaultPrevented;
  }

  press(key: string, options: KeyboardEventInit = {}, target = this.find('textarea')): void {
    const { KeyboardEvent } = this.window;
    const event = new KeyboardEvent('keydown', {
      key,
      bubbles: true,
      cancelable: true,
      ...options,
    });
    target.dispatchEvent(event);
  }

  private get window(): Window & typeof globalThis {
    const window = this.root.ownerDocument.defaultView;
    if (!window) {
      throw new Error('the page is gone');
    }
    return window;
  }
}

export const ready: Surroundings = {
  server: { state: 'running', message: '', installCommand: 'pip install .' },
  model: {
    configured: true,
    name: 'm-1',
    endpoint: 'http://x',
    source: 'environment',
    message: '',
  },
  index: { nDocuments: 12, nSections: 80, nSkills: 6, nRules: 25, ready: true, updatedAt: null },
  hasFolder: true,
  context: 'src/a.py:3',
};

export function cite(text: string, verdict: Citation['verdict'] = 'exact'): Citation {
  const [path = '', line = '1'] = text.split(':');
  const firstLine = Number(line.split('-')[0]);
  return { text, path, uri: `file:///w/${path}`, firstLine, lastLine: firstLine, verdict };
}
