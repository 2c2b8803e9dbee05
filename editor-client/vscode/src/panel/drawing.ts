/** Pictures of diagrams: the script that draws them is loaded when the first one is wanted. */

/** The colours and the font of the editor's theme, as a drawing needs them. */
export interface DrawingLook {
  isDark: boolean;
  fontFamily: string;
  background: string;
  raised: string;
  foreground: string;
  line: string;
}

/** A picture by its `data:` address, and its natural size in pixels. */
export interface Drawing {
  address: string;
  width: number;
  height: number;
}

export type DrawDiagram = (source: string, look: DrawingLook) => Promise<Drawing>;

let load: (() => Promise<{ drawDiagram: DrawDiagram }>) | null = null;
let loading: Promise<{ drawDiagram: DrawDiagram }> | null = null;

/** Say how the drawing script is loaded; until then nothing is drawn. */
export function setDrawing(loadScript: (() => Promise<{ drawDiagram: DrawDiagram }>) | null): void {
  load = loadScript;
  loading = null;
  kept.clear();
}

/** An answer is built again when its citations arrive, and must not flicker then. */
const kept = new Map<string, Drawing>();
const N_KEPT = 40;

/** A drawing that was made before for this source and theme. */
export function findDrawing(source: string, look: DrawingLook): Drawing | undefined {
  return kept.get(keyOf(source, look));
}

/** Draw; undefined where nothing can draw. Rejects with what is wrong with the source. */
export async function draw(source: string, look: DrawingLook): Promise<Drawing | undefined> {
  loading ??= load?.() ?? null;
  if (!loading) {
    return undefined;
  }
  const drawing = await (await loading).drawDiagram(source, look);
  kept.set(keyOf(source, look), drawing);
  for (const key of [...kept.keys()].slice(0, -N_KEPT)) {
    kept.delete(key);
  }
  return drawing;
}

export function canDraw(): boolean {
  return load !== null;
}

function keyOf(source: string, look: DrawingLook): string {
  return `${JSON.stringify(look)}${source}`;
}

/** Read the theme that the editor has put on the page. */
export function readLook(): DrawingLook {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) =>
    names.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== '') ?? '';
  const kind = document.body.className;
  const isDark = /vscode-(dark|high-contrast)(?!-light)/.test(kind);
  const isContrast = kind.includes('high-contrast');
  const background = read('--vscode-editor-background') || (isDark ? '#1e1e1e' : '#ffffff');
  const foreground = read('--vscode-foreground') || (isDark ? '#cccccc' : '#333333');
  return {
    isDark,
    fontFamily: style.fontFamily,
    background,
    raised: isContrast ? background : read('--vscode-editorWidget-background') || background,
    foreground,
    line: isContrast
      ? read('--vscode-contrastBorder') || foreground
      : read('--vscode-descriptionForeground') || foreground,
  };
}
