/** Which changes are sent, and why the others are not (design section 4, rules 6 and 7). */
import { describe, expect, test } from 'vitest';
import { type SentSoFar, sentChanges, whyNotSent } from '../../../src/core/decide/sent.ts';
import type { Change } from '../../../src/core/model/change.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';

const BLOCKED: Change['blocked'] = { check: 'updates', reason: 'too many', lift: { allow: 'updates' } };

/** An update of an address. */
function update(
  name: string,
  members: Partial<Pick<Change, 'effect' | 'wave' | 'blocked'>> = {},
  more: Partial<Pick<PlannedChange, 'dependsOn' | 'nameGoesTo'>> = {},
): PlannedChange {
  return { ...changed(plannedOf(song, 'update'), { address: `song/${name}`, ...members }), ...more };
}

const NOTHING_YET: SentSoFar = { isDone: () => false, notStrengthened: null, stopped: null };

describe('a change is not sent', () => {
  const why = (
    change: PlannedChange,
    all: readonly PlannedChange[] = [change],
    soFar: Partial<SentSoFar> = {},
    unread: readonly string[] = [],
  ) => whyNotSent(all, unread)(change, { ...NOTHING_YET, ...soFar });
  const weakening = update('w', { effect: 'weakens' });

  test('where it is blocked, whatever has stopped the run', () => {
    expect(why(update('a', { blocked: BLOCKED }), undefined, { stopped: 'it was interrupted' })).toBe(
      'blocked by safety check `updates`: too many',
    );
  });

  test('after the run was stopped', () => {
    expect(why(update('a'), undefined, { stopped: 'it was interrupted' })).toBe('it was interrupted');
  });

  test('where its name goes to a blocked change, directly or by a chain of renames, and in a ring where none is', () => {
    const last = update('c', { blocked: BLOCKED });
    const middle = update('b', {}, { nameGoesTo: 'song/c' });
    const first = update('a', {}, { nameGoesTo: 'song/b' });
    const all = [first, middle, last];
    expect(all.slice(0, 2).map((each) => why(each, all))).toEqual(Array(2).fill('its name goes to song/c, which is blocked'));
    const ring = [update('a', {}, { nameGoesTo: 'song/b' }), update('b', {}, { nameGoesTo: 'song/a' })];
    expect(ring.map((each) => why(each, ring))).toEqual([null, null]);
  });

  test('before the rename that frees its name', () => {
    const taker = update('a', {}, { dependsOn: 'song/b' });
    expect(why(taker)).toBe('it needs the name that the rename of song/b frees, which was not applied');
    expect(why(taker, [taker], { isDone: (address) => address === 'song/b' })).toBeNull();
  });

  test.each<[what: string, all: readonly PlannedChange[], soFar: Partial<SentSoFar>, unread: readonly string[], reason: string | null]>([
    ['nothing is in the way', [], {}, [], null],
    ['a kind could not be read', [], {}, ['rule'], 'rule could not be read, so nothing that weakens protection is applied in this run'],
    [
      'a strengthening change is blocked',
      [update('s', { effect: 'strengthens', blocked: BLOCKED })],
      {},
      [],
      'song/s strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run',
    ],
    [
      'a strengthening change was not made',
      [],
      { notStrengthened: 'song/s' },
      [],
      'song/s strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run',
    ],
    ['only another change is blocked', [update('n', { blocked: BLOCKED })], {}, [], null],
  ])('where it weakens protection and %s', (_what, others, soFar, unread, reason) => {
    expect(why(weakening, [weakening, ...others], soFar, unread)).toBe(reason);
    expect(why(update('x'), [update('x'), ...others], soFar, unread)).toBeNull();
  });
});

describe('the changes that are sent where nothing fails', () => {
  const sent = (changes: readonly PlannedChange[], unread: readonly string[] = []) =>
    sentChanges(changes, unread).map(({ change }) => change.address);

  test('are looked at by waves, and named in their own order', () => {
    const taker = update('a', { wave: 1 }, { dependsOn: 'song/b' });
    const freed = update('b', { wave: 0 });
    expect(sent([taker, freed])).toEqual(['song/a', 'song/b']);
    expect(sent([{ ...taker, change: { ...taker.change, wave: 0 } }, changed(freed, { wave: 1 })])).toEqual(['song/b']);
  });

  test('are none that need a rename which is not made', () => {
    const blocked = update('b', { blocked: BLOCKED });
    expect(sent([blocked, update('a', { wave: 1 }, { dependsOn: 'song/b' }), update('c')])).toEqual(['song/c']);
  });

  test('are none that weaken where one that strengthens is not sent for another reason than a block', () => {
    const strengthening = update('s', { effect: 'strengthens' }, { dependsOn: 'song/gone' });
    expect(sent([strengthening, update('w', { effect: 'weakens', wave: 1 }), update('n')])).toEqual(['song/n']);
  });
});
