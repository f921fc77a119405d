/** Equal changes become one item that names all of them. */
import { describe, expect, test } from 'vitest';
import { type Document, type Format, render } from '../../../src/report/index.ts';
import type { ChangeParts } from '../../support/changes.ts';
import { change, field, OPTIONS, plan } from '../documents.ts';
import { readHtml, wordsIn } from '../html-reading.ts';

const LIMIT = '38 deletes of playlist, over the limit of 5';
const TOO_MANY = { check: 'deletes', reason: LIMIT, lift: { allow: 'deletes=38' }, limit: LIMIT } as const;

function shown(format: Format, number: number, parts: (index: number) => ChangeParts): string {
  const changes = Array.from({ length: number }, (_, index) =>
    change(`playlist/news-midday-${index}`, { name: `News ${index}`, ...parts(index) }),
  );
  const document: Document = { type: 'plan', plan: plan(changes) };
  return render([document], format, { ...OPTIONS, width: 80 });
}

const repeat = (): ChangeParts => ({ fields: [field('/repeat', 5, 6)] });
const gone = (index: number): ChangeParts => ({ action: 'delete', blocked: TOO_MANY, fields: [field('/desc', `News ${index}`, null)] });

describe('equal changes', () => {
  test.each([
    [2, 2],
    [3, 1],
    [10, 1],
  ])('are one item from three on: %i changes, %i items', (number, items) => {
    expect(shown('text', number, repeat).match(/repeat: 5 -> 6/g)).toHaveLength(items);
  });

  test('are named, and counted as what they are', () => {
    const text = shown('text', 10, repeat);
    expect(text).toContain('Other changes (10)\n  ~ 10 playlists\n      repeat: 5 -> 6\n      news-midday-0, news-midday-1, ');
    const html = shown('html', 10, repeat);
    expect(html).toContain('Other changes <span class="count">10</span>');
    expect(html.match(/<li id="c-[0-9a-f]{12}"><a href="#c-[0-9a-f]{12}" title="playlist\/news-midday-\d">News \d<\/a>/g)).toHaveLength(10);
    const markdown = shown('markdown', 10, repeat);
    expect(markdown).toContain('| update | 10 playlists | `News 0`, `News 1`, ');
    expect(markdown).toContain('! 10 playlists\n    news-midday-0, news-midday-1, ');
  });

  test('differ in what they do, why they are blocked, or which session sees it', () => {
    const kinds: readonly ChangeParts[] = [
      { fields: [field('/repeat', 5, 7)] },
      { ...repeat(), effect: 'weakens' },
      { ...repeat(), playback: 'stops' },
      { ...repeat(), origin: 'drift' },
      { ...repeat(), blocked: TOO_MANY },
      { ...repeat(), playback: 'reduces', playbackReasons: [{ playback: 'reduces', text: 'x' }] },
    ];
    for (const other of kinds) {
      const text = shown('text', 4, (index) => (index === 3 ? other : repeat()));
      expect(text).toContain('  ~ 3 playlists');
      expect(text).toContain('playlist/news-midday-3');
    }
  });

  test('keep a move and an adoption apart, because each names an object of its own', () => {
    expect(shown('text', 5, (index) => ({ action: 'adopt', adopts: `id-${index}` })).match(/adopts id-/g)).toHaveLength(5);
  });
});

describe('a plan of 38 deletes', () => {
  test('fits on one screen as text: the reason in the verdict and once at the changes, and every name', () => {
    const text = shown('text', 38, gone);
    expect(text.split('\n').length).toBeLessThanOrEqual(30);
    expect(text.match(/over\s+the\s+limit\s+of\s+5/g)).toHaveLength(2);
    for (let index = 0; index < 38; index++) expect(text).toContain(`news-midday-${index}`);
    for (const line of text.split('\n').filter((each) => !each.startsWith('Fingerprint'))) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('shows in HTML what each of them takes away', () => {
    const html = shown('html', 38, gone);
    readHtml(html);
    for (let index = 0; index < 38; index++) expect(wordsIn(html)).toContain(`desc: "News ${index}"`);
  });
});
