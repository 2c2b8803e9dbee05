/** What a click in the panel means: each button carries a message for the extension host. */

import type { FromPanel } from '../shared/messages';
import { make, makeIcon, type Icon } from './dom';

type Action = FromPanel | (() => void);

const actions = new WeakMap<Element, Action>();

export function withAction<E extends Element>(element: E, action: Action): E {
  actions.set(element, action);
  return element;
}

export interface ButtonLook {
  label: string;
  class?: string;
  icon?: Icon;
  title?: string;
  /** The label is for screen readers and the tooltip alone. */
  iconOnly?: boolean;
}

export function makeButton(look: ButtonLook, action: Action): HTMLButtonElement {
  const button = make('button', {
    class: look.class ?? 'button',
    title: look.title ?? (look.iconOnly ? look.label : ''),
    attributes: { type: 'button', ...(look.iconOnly ? { 'aria-label': look.label } : {}) },
  });
  if (look.icon) {
    button.append(makeIcon(look.icon));
  }
  if (!look.iconOnly) {
    button.append(look.label);
  }
  return withAction(button, action);
}

/** Run the action of what was clicked below `root`; one listener serves every button. */
export function listenForActions(root: Element, send: (message: FromPanel) => void): void {
  const run = (event: Event) => {
    let element = event.target instanceof Element ? event.target : null;
    for (; element && element !== root; element = element.parentElement) {
      const action = actions.get(element);
      if (action) {
        event.preventDefault();
        if (typeof action === 'function') {
          action();
        } else {
          send(action);
        }
        return;
      }
    }
  };
  root.addEventListener('click', run);
  root.addEventListener('keydown', (event) => {
    // A link without an address is not activated by the keyboard on its own.
    const isLink = event.target instanceof Element && event.target.getAttribute('role') === 'link';
    if (isLink && (event as KeyboardEvent).key === 'Enter') {
      run(event);
    }
  });
}
