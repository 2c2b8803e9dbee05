import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPlace, parsePlace, parseTarget, renderPlace } from '../src/panel/places';

describe('the address of a link', () => {
  const cases: [string, string][] = [
    ['https://example.org/a', 'web'],
    ['HTTP://example.org', 'web'],
    ['https:///etc/passwd', 'none'],
    ['file:///w/src/a.py#L12-L14', 'place'],
    ['file://host/share/a.py', 'none'],
    ['src/a.py', 'place'],
    ['./src/a.py:3', 'place'],
    ['src/%E7%BA%A6%E5%AE%9A.md#L3', 'place'],
    ['%zz', 'none'],
    ['command:x', 'none'],
    ['javascript:alert(1)', 'none'],
    ['vscode://x', 'none'],
    ['mailto:a@example.org', 'none'],
    ['//example.org/x', 'none'],
    ['', 'none'],
    ['#heading', 'none'],
  ];
  for (const [href, kind] of cases) {
    it(`${JSON.stringify(href)} is ${kind}`, () => {
      assert.equal(parseTarget(href).kind, kind);
    });
  }

  it('keeps the lines of a file address', () => {
    const target = parseTarget('file:///w/a%20b.py#L12-L14');

    assert.deepEqual(target, {
      kind: 'place',
      place: { uri: 'file:///w/a%20b.py', path: '', firstLine: 12, lastLine: 14 },
    });
    assert.equal(target.kind === 'place' && renderPlace(target.place), 'a b.py:12–14');
  });
});

describe('a place in running text', () => {
  it('needs a path and a line', () => {
    assert.deepEqual(parsePlace('src/a.py:12-14'), {
      uri: null,
      path: 'src/a.py',
      firstLine: 12,
      lastLine: 14,
    });
    for (const text of ['src/a.py', 'key:1', 'a b', '12:30', 'http://x/a:1 b', '127.0.0.1:80']) {
      assert.equal(parsePlace(text), null, text);
    }
  });

  it('is found between Chinese characters', () => {
    assert.equal(findPlace('函数定义在src/a.py:3，')?.text, 'src/a.py:3');
    assert.equal(findPlace('请看 knowledge/约定/a.md:3')?.place.path, 'knowledge/约定/a.md');
  });
});
