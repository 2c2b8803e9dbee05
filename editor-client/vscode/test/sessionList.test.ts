import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionEntry } from '../src/shared/protocol';
import { PanelUnderTest, ready } from './page';

function entry(number: number, title = `Question ${number}`): SessionEntry {
  return {
    sessionId: `s${number}`,
    title,
    nTurns: number,
    updatedAt: '2026-01-31T12:00:00.000+00:00',
    lastQuestion: title,
  };
}

function openList(sessions: readonly SessionEntry[], shown = ''): PanelUnderTest {
  const panel = new PanelUnderTest();
  panel.receive({ type: 'surroundings', surroundings: ready }).draw();
  panel.receive({ type: 'showSessions' });
  assert.deepEqual(panel.sent.at(-1), { type: 'listSessions', query: '' });
  panel.receive({ type: 'sessions', query: '', sessions, shown });
  return panel;
}

describe('the list of sessions', () => {
  it('shows titles, turns and dates, and which one is shown', () => {
    const panel = openList([entry(1, '税怎么算？'), entry(2)], 's2');

    assert.deepEqual(panel.texts('.session-title'), ['税怎么算？', 'Question 2']);
    assert.match(panel.texts('.session-facts')[0] ?? '', /^1 turn · .*2026/);
    assert.match(panel.texts('.session-facts')[1] ?? '', /2 turns · .* · shown now$/);
    assert.equal(document.activeElement, panel.find('.session-search'));
  });

  it('says what to do when there is none, and when none was found', () => {
    const panel = openList([]);
    assert.match(panel.find('.sessions-empty').textContent, /Ask something/);

    panel.type('税', '.session-search');
    panel.receive({ type: 'sessions', query: '税', sessions: [], shown: '' });
    assert.match(panel.find('.sessions-empty').textContent, /“税”/);
  });

  it('leaves an answer out that is not what is looked for by now', () => {
    const panel = openList([entry(1)]);
    panel.type('tax', '.session-search');
    panel.receive({ type: 'sessions', query: 'ta', sessions: [], shown: '' });

    assert.equal(panel.texts('.session').length, 1);
  });

  it('is gone through with the arrows, and left with Escape', () => {
    const panel = openList([entry(1), entry(2)]);
    const search = panel.find('.session-search');
    panel.press('ArrowDown', {}, search);
    panel.press('ArrowDown', {}, document.activeElement as HTMLElement);
    assert.match(document.activeElement?.textContent ?? '', /Question 2/);
    panel.press('ArrowUp', {}, document.activeElement as HTMLElement);
    panel.press('ArrowUp', {}, document.activeElement as HTMLElement);
    assert.equal(document.activeElement, search);
    panel.press('Escape', {}, search);

    assert.equal(panel.find('.sessions').hidden, true);
    assert.equal(document.activeElement, panel.find('textarea'));
  });

  it('goes on with the one that is chosen', () => {
    const panel = openList([entry(1)]);
    panel.find('.session-open').click();

    assert.deepEqual(panel.sent.at(-1), { type: 'resumeSession', sessionId: 's1' });
    assert.equal(panel.find('.sessions').hidden, true);
  });

  it('renames in the row', () => {
    const panel = openList([entry(1)]);
    panel.find('[aria-label="Rename “Question 1”"]').click();
    const input = panel.find<HTMLInputElement>('.session-name');
    assert.equal(document.activeElement, input);
    input.value = '税';
    panel.press('Enter', { isComposing: true }, input);
    panel.press('Enter', {}, input);

    assert.deepEqual(panel.sent.at(-1), { type: 'renameSession', sessionId: 's1', title: '税' });
    panel.receive({ type: 'sessionsChanged' });
    assert.deepEqual(panel.sent.at(-1), { type: 'listSessions', query: '' });
  });

  it('deletes only after it was confirmed', () => {
    const panel = openList([entry(3)]);
    const before = panel.sent.length;
    panel.find('[aria-label="Delete “Question 3”"]').click();
    assert.match(panel.find('.session-question').textContent, /for good\? \(3 turns\)/);
    panel.press('Escape', {}, document.activeElement as HTMLElement);
    assert.equal(panel.texts('.session-question').length, 0);
    assert.equal(panel.sent.length, before);
    assert.equal(panel.find('.sessions').hidden, false);

    panel.find('[aria-label="Delete “Question 3”"]').click();
    panel.find('.session-question button').click();
    assert.deepEqual(panel.sent.at(-1), { type: 'deleteSession', sessionId: 's3' });
  });

  it('exports in the form that is chosen', () => {
    const panel = openList([entry(1)]);
    panel.find('[aria-label="Export “Question 1”"]').click();
    const [, json] = panel.root.querySelectorAll<HTMLElement>('.session-question button');
    json?.click();

    assert.deepEqual(panel.sent.at(-1), {
      type: 'exportSession',
      sessionId: 's1',
      format: 'json',
    });
  });

  it('draws several hundred at once', () => {
    const sessions = Array.from({ length: 500 }, (_, number) => entry(number + 1));
    const panel = openList(sessions);

    assert.equal(panel.texts('.session').length, 500);
  });
});
