/** Files that are dropped on the composer or pasted into it, as VS Code and browsers hand them over. */

const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];
const JSON_LISTS = ['resourceurls', 'codefiles'];
const EDITORS = 'codeeditors';

/** Hand the files to `take` that are dropped on `element` or pasted into `input`. */
export function listenForFiles(
  element: HTMLElement,
  input: HTMLElement,
  take: (uris: string[]) => void,
): void {
  const takeFrom = (event: Event, data: DataTransfer | null) => {
    const uris = readUris(data);
    if (uris.length) {
      event.preventDefault();
      take(uris);
    }
  };
  element.addEventListener('dragover', (event) => {
    if (mayHoldFiles(event.dataTransfer)) {
      event.preventDefault();
      element.classList.add('drop-target');
    }
  });
  element.addEventListener('dragleave', () => {
    element.classList.remove('drop-target');
  });
  element.addEventListener('drop', (event) => {
    element.classList.remove('drop-target');
    takeFrom(event, event.dataTransfer);
  });
  input.addEventListener('paste', (event) => {
    takeFrom(event, event.clipboardData);
  });
}

/** Return the files that are named; plain text and pictures are none. */
export function readUris(data: DataTransfer | null): string[] {
  if (!data) {
    return [];
  }
  const listed = URI_LISTS.flatMap((type) => data.getData(type).split(/\r?\n/));
  const named = JSON_LISTS.flatMap((type) => readTexts(data.getData(type)));
  const open = readEditors(data.getData(EDITORS));
  const uris = [...listed, ...named.map(fromPath), ...open].map((each) => each.trim());
  return [...new Set(uris.filter((each) => /^[a-z][a-z0-9+.-]+:/i.test(each)))];
}

export function mayHoldFiles(data: DataTransfer | null): boolean {
  const types = (data ? [...data.types] : []).map((each) => each.toLowerCase());
  return [...URI_LISTS, ...JSON_LISTS, EDITORS].some((each) => types.includes(each));
}

function fromPath(text: string): string {
  return text.startsWith('/') ? `file://${encodeURI(text)}` : text;
}

function readTexts(json: string): string[] {
  const value = parse(json);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The tabs of editors: `[{resource: {scheme, path, external}}]`. */
function readEditors(json: string): string[] {
  const value = parse(json);
  if (!Array.isArray(value)) {
    return [];
  }
  return value.flatMap(
    (each: { resource?: { external?: unknown; scheme?: unknown; path?: unknown } }) => {
      const { external, scheme, path } = each.resource ?? {};
      if (typeof external === 'string') {
        return [external];
      }
      return typeof scheme === 'string' && typeof path === 'string'
        ? [`${scheme}://${encodeURI(path)}`]
        : [];
    },
  );
}

function parse(json: string): unknown {
  try {
    return json ? JSON.parse(json) : null;
  } catch {
    return null;
  }
}
