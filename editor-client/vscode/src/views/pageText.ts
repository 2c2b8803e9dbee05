/** The text of a panel's page, apart from the editor so that it can be tested. */

export interface Page {
  language: string;
  mode: 'chat' | 'answer' | 'model';
  nonce: string;
  script: string;
  /** The module that draws diagrams; the script loads it when it is wanted. */
  diagram: string;
  style: string;
  styleSource: string;
  strings: Record<string, string>;
}

export function renderPolicy(page: Pick<Page, 'nonce' | 'styleSource'>): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.styleSource}`,
    // A drawn diagram: in a picture nothing runs and nothing is loaded.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    // Makes the browser itself refuse to parse text as HTML.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export function renderPage(page: Page): string {
  return `<!doctype html>
<html lang="${escape(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(renderPolicy(page))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(page.style)}">
<title>Glossator</title>
</head>
<body>
<div id="root" data-mode="${page.mode}" data-diagram="${escape(page.diagram)}"></div>
<script type="application/json" id="strings">${escapeJson(page.strings)}</script>
<script nonce="${page.nonce}" src="${escape(page.script)}"></script>
</body>
</html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** A `</script>` inside a string would end the element it stands in. */
function escapeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
