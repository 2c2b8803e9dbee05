/** Draws Mermaid source as a picture. Loaded when an answer holds the first diagram. */

import mermaid, { type MermaidConfig } from 'mermaid';
import type { Drawing, DrawingLook } from '../drawing';

/** The names that Mermaid's detectors give the kinds of diagrams that the bundle holds. */
const DRAWN = /^(flowchart.*|sequence|class.*|state.*|er)$/;
const MAX_EDGES = 250;

declare global {
  /** Hears the style rules of the drawing that is being made; see scripts/slimMermaid.mjs. */
  var glossatorRules: (rules: string) => void;
}

/** Mermaid reads sizes from the page, so the drawing's rules hold in it while it is made. */
const sheet = new CSSStyleSheet();
let rules = '';
globalThis.glossatorRules = (text) => {
  rules = text;
  sheet.replaceSync(text);
};

let nDrawn = 0;
let last: Promise<unknown> = Promise.resolve();

/** Draw one diagram after the other; rejects with what is wrong with the source, in one line. */
export function drawDiagram(source: string, look: DrawingLook): Promise<Drawing> {
  const next = last.then(() => draw(source, look));
  last = next.catch(() => undefined);
  return next;
}

/**
 * Signs that are written as entities, in HTML's spelling or Mermaid's own, and what stands for
 * them while a diagram is drawn: Mermaid would count the letters of the entity and break a line
 * within it. The stand-ins are as wide as the signs.
 */
const STAND_INS: Record<string, string> = {
  quot: '\u02ba',
  apos: '\u02b9',
  lt: '\u02c2',
  gt: '\u02c3',
};
const SIGNS = Object.fromEntries(
  Object.entries(STAND_INS).map(([name, standIn]) => [standIn, `&${name};`]),
);
const SIGN = /[&#](quot|apos|lt|gt);/g;
const STOOD_IN = /[\u02ba\u02b9\u02c2\u02c3]/g;

/** Mermaid's own spelling of an entity, which it turns into the sign; HTML's it would show. */
const ENTITY = /&(amp|nbsp|#\d+);/g;

async function draw(text: string, look: DrawingLook): Promise<Drawing> {
  const source = text
    .replaceAll(SIGN, (_, name: string) => STAND_INS[name] ?? '')
    .replaceAll(ENTITY, (_, name: string) => `#${name.replace('#', '')};`);
  mermaid.initialize(configure(look));
  const kind = mermaid.detectType(source, {});
  if (!DRAWN.test(kind)) {
    throw new Error(kind);
  }
  const place = document.createElement('div');
  place.className = 'drawing-place';
  place.setAttribute('aria-hidden', 'true');
  document.body.append(place);
  document.adoptedStyleSheets.push(sheet);
  try {
    nDrawn += 1;
    const { svg } = await mermaid.render(`glossator-drawing-${nDrawn}`, source, place);
    return readDrawing(svg, rules);
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    place.remove();
  }
}

function configure(look: DrawingLook): MermaidConfig {
  const plain = { useMaxWidth: false, htmlLabels: false };
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    logLevel: 'fatal',
    maxEdges: MAX_EDGES,
    layout: 'dagre',
    htmlLabels: false,
    flowchart: plain,
    class: plain,
    state: { useMaxWidth: false },
    er: { useMaxWidth: false },
    sequence: {
      useMaxWidth: false,
      actorFontSize: 13,
      messageFontSize: 13,
      noteFontSize: 13,
      height: 40,
    },
    theme: 'base',
    themeCSS: '.edgeLabel rect { opacity: 1; }',
    fontFamily: look.fontFamily,
    themeVariables: themeVariables(look),
    // A directive in the source may not change how it is drawn, nor what is allowed.
    secure: [
      ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels'],
      ...['suppressErrorRendering', 'theme', 'themeVariables', 'themeCSS', 'fontFamily', 'layout'],
      ...['flowchart', 'class', 'state', 'er', 'sequence', 'look'],
    ],
  };
}

function themeVariables(look: DrawingLook): Record<string, string | boolean> {
  const { background, raised, foreground, line } = look;
  return {
    darkMode: look.isDark,
    fontFamily: look.fontFamily,
    fontSize: '13px',
    background,
    primaryColor: raised,
    primaryTextColor: foreground,
    primaryBorderColor: line,
    secondaryColor: raised,
    tertiaryColor: background,
    mainBkg: raised,
    nodeBorder: line,
    clusterBkg: background,
    clusterBorder: line,
    lineColor: line,
    textColor: foreground,
    titleColor: foreground,
    edgeLabelBackground: background,
    labelBackgroundColor: background,
    noteBkgColor: raised,
    noteTextColor: foreground,
    noteBorderColor: line,
    actorBkg: raised,
    actorBorder: line,
    actorTextColor: foreground,
    actorLineColor: line,
    signalColor: line,
    signalTextColor: foreground,
    labelBoxBkgColor: raised,
    labelTextColor: foreground,
    loopTextColor: foreground,
    activationBkgColor: raised,
    activationBorderColor: line,
    classText: foreground,
    attributeBackgroundColorOdd: background,
    attributeBackgroundColorEven: raised,
  };
}

/** Labels that are text nodes come out with their entities escaped. */
const TWICE = /&amp;(lt|gt|amp|quot|apos|nbsp|#\d+);/g;
/** XML knows five names of characters, HTML hundreds. */
const FOREIGN_NAME = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi;

function readDrawing(svg: string, style: string): Drawing {
  const text = svg
    .replaceAll(TWICE, '&$1;')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll(FOREIGN_NAME, '&amp;')
    .replaceAll(STOOD_IN, (sign) => SIGNS[sign] ?? sign)
    .replace('>', () => `><style>${escapeXml(style)}</style>`);
  const [, width = '0', height = '0'] =
    /viewBox="[-\d.e]+ [-\d.e]+ ([\d.e]+) ([\d.e]+)"/.exec(text) ?? [];
  return {
    address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
    width: Math.ceil(Number(width)),
    height: Math.ceil(Number(height)),
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
