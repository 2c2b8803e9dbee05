/** Building elements. Nothing here, or anywhere in the panel, parses HTML. */

type Child = Node | string | null | undefined | false;

export interface Properties {
  class?: string;
  title?: string;
  text?: string;
  hidden?: boolean;
  attributes?: Record<string, string>;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (properties.class) {
    element.className = properties.class;
  }
  if (properties.title) {
    element.title = properties.title;
  }
  if (properties.text !== undefined) {
    element.textContent = properties.text;
  }
  if (properties.hidden) {
    element.hidden = true;
  }
  for (const [name, value] of Object.entries(properties.attributes ?? {})) {
    element.setAttribute(name, value);
  }
  for (const child of children) {
    if (child) {
      element.append(child);
    }
  }
  return element;
}

const ICON_PATHS = {
  check: 'M3 8.5l3.2 3.2L13 5',
  chevron: 'M6 4l4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM8 5v3.2l2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  text: 'M3 4h10M3 7h10M3 10h6',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.4',
} as const;

export type Icon = keyof typeof ICON_PATHS;

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing in the colour of the text around it, invisible to screen readers. */
export function makeIcon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICON_PATHS[name]);
  svg.append(path);
  return svg;
}

/** Put `children` into `parent` unless they stand there already: an untouched node keeps its state. */
export function putChildren(parent: Element, children: readonly Node[]): void {
  children.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present !== child) {
      parent.insertBefore(child, present ?? null);
    }
  });
  while (parent.childNodes.length > children.length) {
    parent.lastChild?.remove();
  }
}
