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
  apply: 'M9 2.5H4v11h8V6M9 2.5V6h3M6 9.5h4M8 7.5v4',
  check: 'M3 8.5l3.2 3.2L13 5',
  chevron: 'M6 4l4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM8 5v3.2l2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M13 8H3.5M7.5 4l-4 4 4 4',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  edit: 'M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2zM9.3 4.5l2.2 2.2',
  export: 'M8 10V2.5M5 5.5l3-3 3 3M3 9v4.5h10V9',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  retry: 'M12.5 6A5 5 0 103 8.5M12.5 2.5V6H9',
  insert: 'M3 3.5h10M3 12.5h10M8 5.5v5M5.8 8.3L8 10.5l2.2-2.2',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  symbol: 'M5.5 3L2.5 8l3 5M10.5 3l3 5-3 5',
  text: 'M3 4h10M3 7h10M3 10h6',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9',
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
