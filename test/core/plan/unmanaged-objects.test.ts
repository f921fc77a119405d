import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../src/core/kinds/kind.ts';
import type { KindRead } from '../../../src/core/plan/kind-state.ts';
import { unmanagedObjects } from '../../../src/core/plan/unmanaged-objects.ts';
import { isManaged } from '../../../src/core/state/object-globs.ts';
import { planAdopt } from '../../../src/core/state/planned-change.ts';
import { song } from '../../support/fake-kinds.ts';
import { rounds } from '../../support/figures.ts';
import { aLiveSong, aSong } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';
import { assertProperty } from '../../support/property.ts';

/** Asks for the objects at these places of the list; those at `bound` are bound by the ledger. */
function globsFor(
  objects: readonly LiveObject[],
  wanted: readonly number[],
  bound: readonly number[] = [],
  manages: readonly string[] = ['song/own'],
) {
  const read: KindRead = { status: 'complete', result: { objects, warnings: [] }, readAt: 0, error: null };
  const changes = wanted.flatMap((place) => {
    const live = objects[place];
    if (live === undefined) return [];
    return [{ ...planAdopt(song, aSong(`own${place}`), live), identityProblem: { reason: 'it is not named', isUnmanaged: true as const } }];
  });
  const bindings = Object.fromEntries(bound.flatMap((place) => (objects[place] ? [[`song/bound${place}`, objects[place].id]] : [])));
  return unmanagedObjects({ changes, readByKind: new Map([['song', read]]), ledgerState: stateWith(bindings) }, manages);
}

const named = (...names: readonly string[]) => names.map((title, n) => aLiveSong(`id${n}`, { title }));

describe('unmanagedObjects', () => {
  it('names several objects by their common first word, single ones by their name, and the others by ID', () => {
    const objects = named('Kids One', 'Kids Two', 'Gala', '', 'a*b', '~id7', 'Show 1', 'Show 2', 'Show 3', 'twice', 'twice');
    expect(globsFor(objects, [0, 1, 2, 3, 4, 5, 6, 7, 9])).toEqual({
      count: 9,
      // `Show *` would also name the third show, and `twice` the other object of this name.
      globs: ['song/Kids *', 'song/Gala', 'song/Show 1', 'song/Show 2', 'song/~id3', 'song/~id4', 'song/~id5', 'song/~id9'],
    });
  });

  it('lets a glob also name what the ledger binds or `manages` names already', () => {
    const objects = named('Kids One', 'Kids Two', 'Kids Three');
    expect(globsFor(objects, [0, 1], [2]).globs).toEqual(['song/Kids *']);
    expect(globsFor(objects, [0, 1], [], ['song/Kids Three']).globs).toEqual(['song/Kids *']);
    expect(globsFor(objects, [0, 1]).globs).toEqual(['song/Kids One', 'song/Kids Two']);
  });

  it('lists nothing where nothing is unmanaged', () => {
    expect(globsFor(named('a'), [])).toEqual({ count: 0, globs: [] });
  });

  it('names exactly the objects that are asked for, whatever their names are', () => {
    const name = fc
      .array(fc.constantFrom('Kids', 'kids', ' ', '-', '_', '*', '~', 'song/', '/', 'id1', '\u0007', 'ä', '%20'), { maxLength: 4 })
      .map((parts) => parts.join(''));
    assertProperty(
      fc.property(fc.array(name, { maxLength: 8 }), fc.infiniteStream(fc.constantFrom('wanted', 'bound', 'foreign')), (names, roles) => {
        const objects = named(...names);
        const roleOf = objects.map(() => roles.next().value);
        const places = (role: string) => roleOf.flatMap((each, place) => (each === role ? [place] : []));
        const { globs } = globsFor(objects, places('wanted'), places('bound'));
        const isNamed = (live: LiveObject) => globs.length > 0 && isManaged(globs, song, live);
        objects.forEach((live, place) => {
          const isForeign = roleOf[place] === 'foreign' && !isManaged(['song/own'], song, live);
          if (roleOf[place] === 'wanted') expect(isNamed(live)).toBe(true);
          if (isForeign) expect([live.remoteName, globs, isNamed(live)]).toEqual([live.remoteName, globs, false]);
        });
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });
});
