import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JSDOM } from 'jsdom';
import { renderPage, renderPolicy } from '../src/views/pageText';

const page = {
  language: 'zh-cn',
  mode: 'chat' as const,
  nonce: 'abc123',
  script: 'https://x.vscode-cdn.net/panel.js',
  diagram: 'https://x.vscode-cdn.net/diagram.js',
  style: 'https://x.vscode-cdn.net/panel.css',
  styleSource: 'https://*.vscode-cdn.net',
  strings: { stop: '</script><script>alert(1)</script>' },
};

describe('the page of a panel', () => {
  it('lets in our script and style sheet and nothing else', () => {
    assert.deepEqual(renderPolicy(page).split('; '), [
      "default-src 'none'",
      "script-src 'nonce-abc123'",
      'style-src https://*.vscode-cdn.net',
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    assert.doesNotMatch(renderPolicy(page), /unsafe|\*(?!\.)|connect-src/);
  });

  it('keeps a translation from ending the element it stands in', () => {
    const { window } = new JSDOM(renderPage(page));

    const scripts = [...window.document.querySelectorAll('script')];
    assert.equal(scripts.length, 2);
    assert.deepEqual(JSON.parse(scripts[0]?.textContent ?? ''), page.strings);
  });
});
