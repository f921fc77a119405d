import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '../../../src/core/apply/input.ts';
import { ObjectsOfOthers } from '../../../src/core/apply/objects-of-others.ts';
import { Refusals } from '../../../src/core/apply/refusals.ts';
import { resolveByReading } from '../../../src/core/apply/resolve-uncertain.ts';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import { nextDelay } from '../../../src/core/model/pauses.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';
import { assertProperty } from '../../support/property.ts';

/** Plans on an empty account, and resolves the changes on one with this data. `why` are the reasons of the changes that failed. */
async function resolve(resources: readonly DesiredResource[], data: AccountData) {
  const { changes, context } = await planFor(new FakeAccount(), desiredStateOf(resources));
  const account = new FakeAccount(data);
  const { now } = account;
  const objectsOfOthers = new ObjectsOfOthers(changes, new Map());
  const { requestOptions } = context;
  const fixed = {
    service: account,
    now,
    elapsed: now,
    waitPolicy: account,
    settling: account.settling(),
    refusals: new Refusals(),
    objectsOfOthers,
    onError: () => undefined,
  };
  const applyContext: ApplyContext = { ...fixed, requestOptions };
  const results = [...(await resolveByReading(changes, applyContext, 'unknown')).values()];
  return { changes, objectsOfOthers, results, why: results.map(({ reason }) => reason) };
}

const list = ['x', 'y'];

describe('resolveByReading', () => {
  it('binds a create to the object that is found as desired, so that no other create can be bound to it', async () => {
    const { changes, objectsOfOthers, results } = await resolve([aSong('a'), aSong('b')], {
      songs: { born: { title: 'a', level: 0, list } },
    });
    expect(results).toEqual([{ planned: changes[0], state: 'done', id: 'born' }]);
    expect(changes.map((planned) => objectsOfOthers.has(planned, 'born'))).toEqual([false, true]);
  });

  it('returns a setting that reads as desired as done, without an ID', async () => {
    const { changes, results } = await resolve([theDial(true, ['s'])], { dial: { open: true, list: ['s'] } });
    expect(results).toEqual([{ planned: changes[0], state: 'done' }]);
  });

  it.each([
    ['trimmed', 'song', ' song '],
    ['escaped', 'Tom & Jerry', 'Tom &amp; Jerry'],
    ['cut', 'a long name', 'a long'],
  ])('fails a create whose object was probably stored under another form of its name (%s)', async (_form, name, stored) => {
    const { why } = await resolve([aSong('a', { title: name })], { songs: { born: { title: stored, level: 0, list } } });
    expect(why).toEqual(['born is probably what was created, under another form of its name; if it is, name it under `adopt`']);
  });

  it('tells an object that one of several match keys names from one that none of them names', async () => {
    const desired = aSong('y', { list: ['y'] });
    expect(desired.matchKeys).toHaveLength(2);
    const stale = (id: string, path: string) => [`stale: another object exists (${id}), which differs in ${path}`];
    expect((await resolve([desired], { songs: { y: { title: 'other', level: 0, list: ['y'] } } })).why).toEqual(stale('y', '/title'));
    expect((await resolve([desired], { songs: { other: { title: 'y', level: 0, list } } })).why).toEqual(stale('other', '/list'));
    expect((await resolve([desired], { songs: { other: { title: 'y ', level: 0, list: ['y'] } } })).why).toEqual([
      expect.stringContaining('other is probably what was created'),
    ]);
  });
});

/** Returns all delays until `giveUpMs`. */
function delays(giveUpMs: number): readonly number[] {
  const all: number[] = [];
  for (let waited = 0; ; ) {
    const pause = nextDelay(waited, giveUpMs);
    if (pause === null) return all;
    all.push(pause);
    waited += pause;
  }
}

describe('nextDelay', () => {
  it('grows from 0.2 to 5 s', () => {
    expect(delays(21_200)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(delays(0)).toEqual([]);
  });

  it('adds up to exactly `giveUpMs`', () => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 600_000 }), (giveUpMs) => {
        const all = delays(giveUpMs);
        expect(all.reduce((sum, ms) => sum + ms, 0)).toBe(giveUpMs);
        expect(all.every((ms) => ms > 0 && ms <= 5000)).toBe(true);
      }),
    );
  });

  it('is never shorter than Retry-After, nor longer than the remaining time', () => {
    assertProperty(
      fc.property(fc.nat(30_000), fc.nat(30_000), fc.nat(30_000), (waited, giveUpMs, asked) => {
        const pause = nextDelay(waited, giveUpMs, asked);
        if (pause === null) expect(giveUpMs - waited < Math.max(1, asked)).toBe(true);
        else {
          expect(pause).toBeGreaterThanOrEqual(asked);
          expect(waited + pause).toBeLessThanOrEqual(giveUpMs);
        }
      }),
    );
  });
});
