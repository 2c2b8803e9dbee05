import assert from 'node:assert/strict';
import { it } from 'node:test';
import { IndexNews, describeAge } from '../src/indexNews';

const inEnglish = {
  t: (message: string, ...values: (string | number)[]) => message.replace('{0}', String(values[0])),
};

void it('only a later reading than the one before is news', () => {
  const news = new IndexNews();

  const heard = [null, 1_000, 1_000, 2_000, null, 3_000, 3_500].map((at) => news.hear(at));

  assert.deepEqual(heard, [false, false, false, true, false, false, true]);
});

void it('the age of knowledge is told in words', () => {
  const told = [0, 59_000, 61_000, 180_000].map((age) => describeAge(0, age, inEnglish));

  assert.deepEqual(told, [
    'updated just now',
    'updated just now',
    'updated a minute ago',
    'updated 3 minutes ago',
  ]);
  assert.match(describeAge(0, 3_600_000, inEnglish), /^updated at \d/);
});
