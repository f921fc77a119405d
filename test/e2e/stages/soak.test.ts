/** Soak is how long a value stood on the earlier target, and not how old an apply is (design section 15, rule 5). */
import { expect, test } from 'vitest';
import { atMost } from '../../support/patience.ts';
import { waitsIn } from '../../support/waits.ts';
import { beams } from '../accounts.ts';
import { applied, commit, createRings, type Rings, stagingAndProduction } from './rings.ts';

const MINUTES = 1 / 60;

async function start(repeats: { readonly [name: string]: number }): Promise<Rings> {
  const rings = await createRings(stagingAndProduction(), { 'live/none.yaml': '{}' });
  commit(rings, repeats);
  await applied(rings, 'staging');
  rings.pass(30);
  await applied(rings, 'production');
  return rings;
}

const repeatOf = (rings: Rings, target: string, name: string) => rings.playlists(target).find(({ desc }) => desc === name)?.repeat;

test('what staging corrected after six minutes is not promoted a day later, and is told', async () => {
  const rings = await start({ evening: 0 });
  const mistake = commit(rings, { evening: 3 });
  await applied(rings, 'staging');
  rings.pass(6 * MINUTES);
  const correction = commit(rings, { evening: 7 });
  await applied(rings, 'staging');
  rings.pass(24 - 5 * MINUTES);
  const early = await rings.run('apply', '--target', 'production', '--ref', 'promoted', '--yes');
  expect([early.code, early.stderr]).toEqual([0, expect.stringContaining('nothing to do')]);
  const waits = waitsIn(await rings.plan('--target', 'production', '--ref', mistake));
  expect(waits.map(({ reason, until }) => [reason, until])).toEqual([['has corrected playlist/evening (/repeat) after 6 min', null]]);
  const refused = await rings.run('apply', '--target', 'production', '--ref', mistake, '--yes');
  expect([refused.code, refused.stderr.replace(/\s+/g, ' ')]).toEqual([
    4,
    expect.stringContaining('staging has corrected playlist/evening (/repeat) after 6 min'),
  ]);
  expect(repeatOf(rings, 'production', 'evening')).toBe(0);
  rings.pass(6 * MINUTES);
  expect((await rings.plan('--target', 'production', '--ref', 'promoted')).config?.commit).toBe(correction);
  await applied(rings, 'production', '--ref', 'promoted');
  expect(repeatOf(rings, 'production', 'evening')).toBe(7);
});

test('a correction by hand that is committed afterwards counts, although its apply finds nothing to do', async () => {
  const rings = await start({ evening: 0 });
  const mistake = commit(rings, { evening: 3 });
  await applied(rings, 'staging');
  rings.edit('staging', 'evening', { repeat: 7 });
  rings.pass(6 * MINUTES);
  commit(rings, { evening: 7 });
  await applied(rings, 'staging');
  rings.pass(24 - 5 * MINUTES);
  const reasons = waitsIn(await rings.plan('--target', 'production', '--ref', mistake)).map(({ reason }) => reason);
  expect(reasons).toEqual(['has corrected playlist/evening (/repeat) after 6 min']);
});

test('a delete that staging corrected after six minutes, by forgetting the object instead, is not promoted', async () => {
  const rings = await start({ evening: 0, legacy: 1 });
  const mistake = commit(rings, { evening: 0 });
  await applied(rings, 'staging', '--allow', 'playback-loss', '--allow', 'weakening');
  rings.pass(6 * MINUTES);
  const source: unknown = JSON.parse(rings.project.read('config/account.yaml'));
  rings.project.write('config/account.yaml', JSON.stringify(Object.assign({ removed: ['playlist/legacy'] }, source)));
  rings.project.commit();
  await applied(rings, 'staging');
  rings.pass(24 - 5 * MINUTES);
  const reasons = waitsIn(await rings.plan('--target', 'production', '--ref', mistake)).map(({ reason }) => reason);
  expect(reasons).toEqual([expect.stringContaining('playlist/legacy after 6 min')]);
});

test('what staging took back while it renamed the object is not promoted', async () => {
  const rings = await start({ evening: 5 });
  const soaked = commit(rings, { evening: 2 });
  await applied(rings, 'staging');
  rings.pass(24.2);
  const night = { playlists: { night: { repeat: 5, playlist: beams(1) } }, moved: [{ from: 'playlist/evening', to: 'playlist/night' }] };
  rings.project.write('config/account.yaml', JSON.stringify(night));
  rings.project.commit();
  await applied(rings, 'staging');
  rings.pass(0.5);
  const reasons = waitsIn(await rings.plan('--target', 'production', '--ref', soaked)).map(({ reason }) => reason);
  expect(reasons).toEqual(['has changed back playlist/evening (/repeat)']);
  await applied(rings, 'production', '--ref', 'promoted');
  expect(repeatOf(rings, 'production', 'evening')).toBe(5);
});

test('what staging replaced after its soak is promoted', async () => {
  const rings = await start({ evening: 0 });
  const soaked = commit(rings, { evening: 3 });
  await applied(rings, 'staging');
  rings.pass(30);
  commit(rings, { evening: 7 });
  await applied(rings, 'staging');
  rings.pass(1);
  expect((await rings.plan('--target', 'production', '--ref', 'promoted')).config?.commit).toBe(soaked);
  await applied(rings, 'production', '--ref', 'promoted');
  expect(repeatOf(rings, 'production', 'evening')).toBe(3);
});

/** A merge of a playlist, and when it was applied to staging. */
interface Merge {
  readonly at: number;
  readonly name: string;
  readonly value: number;
}

/**
 * Plays three days with a merge every three hours, each of another playlist, and one more without. Three minutes after each, production gets
 * what is promoted; three minutes later, every other merge is corrected.
 */
async function threeDays(): Promise<{
  readonly merges: readonly Merge[];
  readonly seen: readonly { readonly at: number; readonly values: ReadonlyMap<string, unknown> }[];
}> {
  const names = Array.from({ length: 24 }, (_, index) => `p${index}`);
  const repeats = Object.fromEntries(names.map((name) => [name, 0]));
  const rings = await start(repeats);
  const merges: Merge[] = [];
  const seen: { at: number; values: ReadonlyMap<string, unknown> }[] = [];
  const merge = async (name: string, value: number): Promise<void> => {
    repeats[name] = value;
    commit(rings, repeats);
    await applied(rings, 'staging');
    merges.push({ at: rings.now(), name, value });
  };
  for (let round = 0; round <= 33; round += 1) {
    const name = names[round];
    if (name !== undefined) await merge(name, 5);
    rings.pass(3 * MINUTES);
    if (round >= 7) {
      await applied(rings, 'production', '--ref', 'promoted');
      seen.push({ at: rings.now(), values: new Map(rings.playlists('production').map(({ desc, repeat }) => [String(desc), repeat])) });
    }
    rings.pass(3 * MINUTES);
    if (name !== undefined && round % 2 === 0) await merge(name, 7);
    rings.pass(3 - 6 * MINUTES);
  }
  return { merges, seen };
}

const HOUR_MS = 3_600_000;

/** Returns the value that a playlist must have on production: that of its newest merge which is a day old. */
function wanted(merges: readonly Merge[], name: string, at: number): number {
  return merges.filter((merge) => merge.name === name && merge.at + 24 * HOUR_MS <= at).at(-1)?.value ?? 0;
}

test('production follows 24 hours behind a merge every three hours, each of another playlist, and never has what was corrected after six minutes', {
  timeout: atMost(600_000),
}, async () => {
  const { merges, seen } = await threeDays();
  expect(merges).toHaveLength(36);
  const corrected = new Set(merges.flatMap(({ name, value }) => (value === 7 ? [name] : [])));
  expect(seen).toHaveLength(27);
  for (const { at, values } of seen)
    for (const [name, value] of values) {
      // What is merged with a mistake waits for its correction, and nothing waits longer.
      const newest = wanted(merges, name, at);
      expect([name, value]).toEqual([name, corrected.has(name) && newest === 5 ? 0 : newest]);
    }
  expect([...(seen.at(-1)?.values.values() ?? [])].toSorted()).toEqual([...Array(12).fill(5), ...Array(12).fill(7)]);
});
