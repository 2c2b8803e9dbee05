import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Checks, describeCheck, nameOutcome } from '../src/checks';
import type { DocumentCheck } from '../src/shared/protocol';

const texts = JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<
  string,
  string
>;

function phrase(translate: (message: string) => string) {
  return {
    t: (message: string, ...values: (string | number)[]) =>
      translate(message).replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  };
}

const inEnglish = phrase((message) => message);
const inChinese = phrase((message) => texts[message] ?? message);

function check(part: Partial<DocumentCheck> = {}): DocumentCheck {
  return {
    uri: 'file:///a.py',
    path: 'a.py',
    outcome: 'clean',
    reason: '',
    reasonCode: '',
    nFindings: 0,
    nRules: 12,
    nJudged: 0,
    skipped: [],
    isJudging: false,
    ...part,
  };
}

void describe('the outcome of a check', () => {
  void it('is one of three in the status bar', () => {
    const outcomes = [
      check(),
      check({ outcome: 'findings', nFindings: 1 }),
      check({ outcome: 'findings', nFindings: 3 }),
      check({ outcome: 'not-checked', reason: 'the file is minified' }),
    ];

    const told = [inEnglish, inChinese].map((l10n) => outcomes.map((c) => nameOutcome(c, l10n)));

    assert.deepEqual(told, [
      ['clean', '1 finding', '3 findings', 'not checked'],
      ['无问题', '1 处问题', '3 处问题', '未检查'],
    ]);
  });

  void it('says which rules it rests on, and why some were left out', () => {
    const reason = 'no model is in use';
    const skipped = [{ ruleIds: ['a', 'b', 'c', 'd'], reason, reasonCode: 'no-model' }];

    assert.deepEqual(describeCheck(check({ skipped }), inEnglish), [
      'a.py: clean',
      'Rules: 12 checked, 0 judged by the model, 4 left out',
      `Left out a, b, c, …: ${reason}`,
    ]);
    assert.deepEqual(describeCheck(check({ nJudged: 2 }), inChinese), [
      'a.py：无问题',
      '规则：检查 12 条，模型判断 2 条，略过 0 条',
    ]);
  });

  void it('says why nothing was checked', () => {
    const minified = check({ outcome: 'not-checked', reason: 'the file is minified', nRules: 0 });

    assert.deepEqual(describeCheck(minified, inEnglish), [
      'a.py: not checked, the file is minified',
    ]);
  });

  void it('says that the model is still at it', () => {
    const lines = describeCheck(check({ isJudging: true }), inEnglish);

    assert.equal(lines.at(-1), 'The model is judging what was saved');
  });

  void it('is kept by document, the latest one, until the document is closed', () => {
    const checks = new Checks();

    checks.hear([check(), check({ uri: 'file:///b.py' })]);
    checks.hear([check({ outcome: 'findings', nFindings: 2 })]);
    checks.forget('file:///b.py');

    assert.equal(checks.of('file:///a.py')?.nFindings, 2);
    assert.equal(checks.of('file:///b.py'), null);
    assert.equal(checks.of(undefined), null);
  });
});
