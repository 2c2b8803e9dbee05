import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTarget } from '../src/panel/codeBlocks';
import { placeCode } from '../src/shared/placing';

const CART = `import shop

class Cart:
    def __init__(self):
        self.items = []

    @cached
    def total(self, currency):
        # adds up
        cents = sum(self.items)

        return cents

def total(cart):
    return cart.total("EUR")


LIMIT = 3
`;

function apply(text: string, code: string, line = 0): string | null {
  const lines = text.split('\n');
  const replacements = placeCode(text, code, line);
  for (const { first, last, lines: put } of replacements?.toReversed() ?? []) {
    lines.splice(first, last - first + 1, ...put);
  }
  return replacements && lines.join('\n');
}

describe('where code belongs', () => {
  it('puts a definition over the one of its name, indented as that is', () => {
    const code = 'def __init__(self, items=()):\n    self.items = list(items)\n';

    assert.equal(
      apply(CART, code),
      CART.replace(
        'def __init__(self):\n        self.items = []',
        'def __init__(self, items=()):\n        self.items = list(items)',
      ),
    );
  });

  it('tells two of the same name apart by the line that the answer names', () => {
    const code = 'def total(cart):\n    return 0';

    assert.equal(placeCode(CART, code), null);
    assert.match(apply(CART, code, 14) ?? '', /\ndef total\(cart\):\n {4}return 0\n\n\nLIMIT/);
    assert.match(
      apply(CART, code, 9) ?? '',
      /@cached\n {4}def total\(cart\):\n {8}return 0\n\ndef/,
    );
  });

  it('takes decorators and comments above a definition along when the code has some', () => {
    const code = '@lru_cache\ndef total(self):\n    return 1';

    const text = apply(CART, code, 9) ?? '';
    assert.match(text, /\n {4}@lru_cache\n {4}def total\(self\):\n {8}return 1\n/);
    assert.doesNotMatch(text, /@cached/);
  });

  it('finds functions, methods and constants of languages with braces', () => {
    const before = `export function add(a: number) {
  if (a) {
    return 1;
  }
  return a;
}

class Cart {
  total(currency: string): number {
    return 1;
  }
}

const limit = () => {
  return 3;
};
`;
    const after = apply(
      before,
      'const limit = () => 4;\n\nfunction add(a: number, b: number) {\n  return a + b;\n}',
    );
    assert.match(
      after ?? '',
      /^function add\(a: number, b: number\) \{\n {2}return a \+ b;\n\}\n\nclass/,
    );
    assert.match(after ?? '', /\n\nconst limit = \(\) => 4;\n$/);
    assert.match(
      apply(before, 'total(currency: string): number {\n  return 2;\n}') ?? '',
      /class Cart \{\n {2}total\(currency: string\): number \{\n {4}return 2;\n {2}\}\n\}/,
    );
  });

  it('says that it does not know rather than guess', () => {
    for (const code of [
      'def missing(): pass',
      'x = 1',
      'import os\n\ndef __init__(self): pass',
      '',
    ]) {
      assert.equal(placeCode(CART, code), null, code);
    }
  });
});

describe('the file that code is for', () => {
  const path = (info: string, code: string, before: string) => findTarget(info, code, before)?.path;

  it('is the one that the fence names, then its first line, then the text above', () => {
    assert.equal(path(' title="src/a.py"', '# src/b.py', 'see src/c.py:3'), 'src/a.py');
    assert.equal(path(':src/a.py', 'x', ''), 'src/a.py');
    assert.equal(path('', '// src/b.ts', 'see src/c.py:3'), 'src/b.ts');
    assert.equal(path('', 'x', 'see src/c.py:3, then `src/d.py`:'), 'src/d.py');
    assert.equal(path('', 'x', 'in `self.items`, see src/c.py:3'), 'src/c.py');
  });

  it('is not known when nothing names one', () => {
    assert.equal(path('', '# adds up', 'Use `self.items` for that.'), undefined);
  });
});
