/** Similar changes that do no harm fold into one item; whatever holds back, weakens or takes away never does. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Effect, PLAYBACKS } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { type Format, render } from '../../../src/report/index.ts';
import { viewOf } from '../../../src/report/view/index.ts';
import type { ViewItem } from '../../../src/report/view/model.ts';
import type { ChangeParts } from '../../support/changes.ts';
import { change, field, OPTIONS, outcome, plan } from '../documents.ts';
import { readHtml, wordsIn } from '../html-reading.ts';

const shown = (document: Plan, more: Partial<typeof OPTIONS> = {}, format: Format = 'text'): string =>
  render([{ type: 'plan', plan: document }], format, { ...OPTIONS, width: 80, ...more });

const changesOf = (number: number, parts: (index: number) => ChangeParts) =>
  Array.from({ length: number }, (_, index) => change(`playlist/news-${index}`, { name: `News ${index}`, ...parts(index) }));

const create = (index: number): ChangeParts => ({
  action: 'create',
  fields: [
    field('/active', null, 1),
    field('/desc', null, `News ${index}`),
    field('/playlist', null, [{ beam: index }]),
    field('/repeat', null, index === 7 ? 1 : -1),
  ],
});

describe('creates of one kind with the same fields', () => {
  const folded = shown(plan(changesOf(308, create)));

  test('are one item that names the first ones, and says what differs', () => {
    expect(folded.split('\n').length).toBeLessThanOrEqual(20);
    expect(folded).toContain('Other changes (308)\n  + 308 playlists\n');
    expect(folded).toContain('      active:   1\n');
    expect(folded).toContain('      desc:     308 different values: "News 0", "News 1", "News 2", "News 3"\n          and 304 more\n');
    expect(folded).toContain('      playlist: 308 different values\n');
    expect(folded).toContain('      repeat:   2 different values: -1 (307 times), 1\n');
    expect(folded).toContain('news-10, news-11 and 296 more');
  });

  test('are counted as folded, and `--full` lists each by itself and folds nothing', () => {
    expect(folded).toContain('Folded: 308 similar ones in 1 entry; --full lists each by itself.');
    const full = shown(plan(changesOf(308, create)), { full: true });
    expect(full.match(/^ {2}\+ playlist\/news-\d+/gm)).toHaveLength(308);
    expect(full).not.toContain('Folded');
  });

  test('are all in HTML, each with what differs', () => {
    const html = shown(plan(changesOf(40, create)), {}, 'html');
    readHtml(html);
    const words = wordsIn(html);
    for (let index = 0; index < 40; index++) expect(words).toMatch(new RegExp(`desc: +"News ${index}"`));
    expect(words.match(/active: +1\b/g)).toHaveLength(1);
  });

  test('are one item for each set of fields', () => {
    const parts = (index: number): ChangeParts =>
      index % 2 === 0 ? create(index) : { ...create(index), fields: [field('/desc', null, 'x')] };
    const text = shown(plan(changesOf(8, parts)));
    expect(text.match(/\+ 4 playlists/g)).toHaveLength(2);
    expect(text).toContain('Folded: 4 similar ones in 1 entry;');
  });

  test('are named as people call them', () => {
    const policies = ['a', 'b', 'c'].map((name) => change(`drm-policy/${name}`, { action: 'create' }));
    expect(shown(plan(policies))).toContain('+ 3 DRM policies');
  });
});

test.each([
  [{ action: 'move', movedFrom: 'playlist/old' }, 'news-0 (moved from playlist/old), news-1'],
  [{ action: 'adopt', adopts: 'id-of-it' }, 'news-0 (adopts id-of-it), news-1'],
] as const)('objects that are only bound fold, each with what it was: %o', (parts, words) => {
  const text = shown(plan(changesOf(20, () => parts)));
  expect(text.replaceAll(/\n +/g, ' ')).toContain(words);
  expect(text).toContain('and 8 more');
  expect(text).toContain('Folded: 20 similar ones in 1 entry;');
});

test('equal updates name the first of them', () => {
  const text = shown(plan(changesOf(33, () => ({ fields: [field('/repeat', 5, 6)] }))));
  expect(text).toContain('  ~ 33 playlists\n      repeat: 5 -> 6\n      news-0, ');
  expect(text).toContain('and 21 more');
});

test('updates that change other values never share an item', () => {
  const text = shown(plan(changesOf(3, (index) => ({ fields: [field('/repeat', 5, index)] }))));
  for (let index = 0; index < 3; index++) expect(text).toContain(`~ playlist/news-${index}`);
});

const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;

const parts = fc.record({
  action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
  effect: fc.constantFrom<Effect>('weakens', 'strengthens', 'neutral'),
  playback: fc.constantFrom(...PLAYBACKS),
  blocked: fc.constantFrom(null, blocked),
  fields: fc.constantFrom([field('/desc', null, 'a')], [field('/desc', null, 'b')]),
});

test('whatever is blocked, weakens, stops or reduces is named, and every change is in one item', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 3 }), fc.nat(60), fc.boolean(), (some, number, full) => {
      const all = Array.from(
        { length: number },
        (_, index) => some[index % some.length] ?? { blocked: null, effect: 'neutral' as const, playback: 'neutral' as const },
      );
      const changes = changesOf(all.length, (index) => all[index] ?? {});
      const document = plan(changes);
      const { sections } = viewOf({ type: 'plan', plan: document }, { ...OPTIONS, full });
      const items = sections.flatMap((section) => section.items).filter((item) => item.facets !== undefined);
      const addressesOf = ({ subject, members }: ViewItem) => members?.map(({ address }) => address) ?? [subject];
      expect(items.flatMap(addressesOf).toSorted()).toEqual(changes.map(({ address }) => address).toSorted());
      if (full) expect(items).toHaveLength(changes.length);
      const text = shown(document, { full });
      const named = new Set(text.match(/\bnews-\d+\b/g));
      const isHarmless = (each: (typeof all)[number]) =>
        each.blocked === null && each.effect !== 'weakens' && ['neutral', 'gains'].includes(each.playback);
      for (const [index, each] of all.entries()) if (!isHarmless(each)) expect(named).toContain(`news-${index}`);
    }),
  );
});

test('every other format is the same with and without `--full`', () => {
  const document = plan(changesOf(20, create));
  for (const format of ['json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab', 'prometheus'] as const)
    expect(shown(document, { full: true }, format)).toBe(shown(document, {}, format));
});

describe('requests', () => {
  const requestsOf = (number: number, body: (index: number) => { readonly repeat: number }) =>
    Array.from(
      { length: number },
      (_, index) => ({ method: 'PATCH', path: `/p/${index}`, body: body(index), addresses: [`playlist/news-${index}`] }) as const,
    );
  const updates = changesOf(33, () => ({ fields: [field('/repeat', 5, 6)], blocked }));

  test('that do the same are one item with one body', () => {
    const text = shown(plan(updates, { requests: requestsOf(33, () => ({ repeat: 6 })) }), { requests: true });
    expect(text).toContain('Requests with --skip-blocked, in this order (33)');
    expect(text).toContain('  1.-33. PATCH /p/*  33 requests\n      {"repeat":6}\n      playlist/news-0 (/p/0), ');
    expect(text.match(/"repeat":6/g)).toHaveLength(1);
  });

  test('are listed one by one with `--full`, and where their changes differ', () => {
    const requests = requestsOf(33, (index) => ({ repeat: index }));
    expect(shown(plan(updates, { requests }), { requests: true })).toContain('33 different bodies');
    expect(shown(plan(updates, { requests }), { requests: true, full: true })).toContain('{"repeat":32}');
    const others = changesOf(33, (index) => ({ fields: [field('/repeat', 5, index)] }));
    expect(shown(plan(others, { requests }), { requests: true })).toContain('{"repeat":32}');
  });
});

describe('the report of an apply', () => {
  const done = (number: number) =>
    outcome(Array.from({ length: number }, (_, index) => ({ address: `playlist/news-${index}`, result: 'created', tookMs: 5 }) as const));
  const applied = (parts: (index: number) => ChangeParts, full = false) =>
    render([{ type: 'outcome', outcome: done(308), plan: plan(changesOf(308, parts)) }], 'text', { ...OPTIONS, full });

  test('folds what was done without harm', () => {
    const text = applied(create);
    expect(text).toContain('Done (308)\n  created 308 playlists\n      playlist/news-0, ');
    expect(text).toContain('and 296 more');
    expect(text).toContain('Folded: 308 similar ones in 1 entry;');
    expect(applied(create, true).match(/created playlist/g)).toHaveLength(308);
  });

  test('names each change that weakened, stopped or reduced', () => {
    const text = applied((index) => ({ ...create(index), ...(index === 77 ? { effect: 'weakens' } : {}) }));
    expect(text).toContain('  created playlist/news-77');
    expect(text).toContain('created 307 playlists');
  });
});
