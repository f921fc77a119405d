/** For any two applies: undoing the second one restores the account after the first one, except for what the plan names. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overwrittenEdits } from '../../src/core/apply/overwritten-edits.ts';
import type { DesiredState } from '../../src/core/config/desired-state.ts';
import type { DesiredResource } from '../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { aRule, aSingle, aSong, desiredStateOf, target, theDial } from '../support/planning.ts';
import { EMPTY_LEDGER, planAndApply } from '../support/previous-states.ts';
import { assertAsyncProperty } from '../support/property.ts';

const RUNS = rounds(300, 20_000);

/** One configuration as it is drawn; addresses and names are few, so that they often meet those of the other configuration. */
interface Declared {
  readonly songs: readonly { readonly key: number; readonly title: number; readonly level: number }[];
  readonly singles: readonly { readonly asset: number; readonly level: number }[];
  readonly rules: readonly { readonly name: number; readonly strength: number }[];
  readonly dial: boolean | null;
  /** Keys of songs: from the first of each pair to the second. */
  readonly moved: readonly (readonly [from: number, to: number])[];
  readonly removed: readonly number[];
  /** Keys of songs, and the number of the live object that each adopts. */
  readonly adopt: readonly (readonly [key: number, object: number])[];
  readonly absent: readonly ('songs' | 'singles' | 'rules')[];
}

const number = fc.nat(4);
const declared: fc.Arbitrary<Declared> = fc.record({
  songs: fc.uniqueArray(fc.record({ key: number, title: number, level: fc.nat(2) }), { selector: ({ key }) => key, maxLength: 5 }),
  singles: fc.uniqueArray(fc.record({ asset: fc.nat(2), level: fc.nat(1) }), { selector: ({ asset }) => asset, maxLength: 2 }),
  rules: fc.uniqueArray(fc.record({ name: fc.nat(2), strength: fc.nat(2) }), { selector: ({ name }) => name, maxLength: 3 }),
  dial: fc.option(fc.boolean()),
  moved: fc.uniqueArray(fc.tuple(number, number), { selector: ([, to]) => to, maxLength: 2 }),
  removed: fc.uniqueArray(number, { maxLength: 2 }),
  adopt: fc.uniqueArray(fc.tuple(number, fc.nat(3)), { selector: ([key]) => key, maxLength: 1 }),
  absent: fc.subarray(['songs', 'singles', 'rules'] as const, { maxLength: 1 }),
});

/** An edit of the account by hand between the two applies. */
const handEdit = fc.record({
  object: fc.nat(6),
  edit: fc.constantFrom('change' as const, 'delete' as const, 'create' as const),
  level: fc.nat(5),
});

const LIVE_SONGS: { readonly [id: string]: JsonObject } = Object.fromEntries(
  [0, 1, 2, 3].map((n) => [`live${n}`, { title: `title ${n}`, level: 7, list: ['x', 'y'] }]),
);

/** Returns the desired state; null if the blocks of the ledger contradict the declarations, which validation refuses. */
function stateOf({ songs, singles, rules, dial, moved, removed, adopt, absent }: Declared): DesiredState {
  const isPresent = (section: Declared['absent'][number]) => !absent.includes(section);
  const keys = new Set(songs.map(({ key }) => key));
  const titles = new Set<number>();
  const named = songs.filter(({ title }) => !titles.has(title) && titles.add(title));
  const resources: readonly DesiredResource[] = [
    ...(isPresent('songs') ? named.map(({ key, title, level }) => aSong(`s${key}`, { title: `title ${title}`, level })) : []),
    ...(isPresent('singles') ? singles.map(({ asset, level }) => aSingle(`asset${asset}`, { level })) : []),
    ...(isPresent('rules') ? rules.map(({ name, strength }) => aRule(`rule${name}`, strength)) : []),
    ...(dial === null ? [] : [theDial(dial, ['one'])]),
  ];
  const present = [...(['songs', 'singles', 'rules'] as const).filter(isPresent), ...(dial === null ? [] : ['dial'])];
  const song = (key: number) => `song/s${key}`;
  const adopted = adopt
    .filter(([key]) => named.some((each) => each.key === key))
    .map(([key, object]) => [song(key), `live${object}`] as const);
  return {
    ...desiredStateOf(resources, Object.fromEntries(adopted), present),
    moved: new Map(
      moved.filter(([from, to]) => from !== to && keys.has(to) && !keys.has(from)).map(([from, to]) => [song(to), song(from)]),
    ),
    removed: new Set(removed.filter((key) => !keys.has(key)).map(song)),
  };
}

function isEqual(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** All objects of an account, by ID; the dial is one of them. */
function objectsOf(account: FakeAccount): ReadonlyMap<string, JsonObject> {
  const withoutId = ({ id: _id, ...fields }: JsonObject): JsonObject => fields;
  const songs = [...account.songs].map(([id, fields]): [string, JsonObject] => [id, withoutId(fields)]);
  const rules = [...account.rules].map(([id, fields]): [string, JsonObject] => [id, withoutId(fields)]);
  return new Map([...songs, ...rules, ['dial', account.dial]]);
}

function editByHand(
  account: FakeAccount,
  { object, edit, level }: { readonly object: number; readonly edit: string; readonly level: number },
): void {
  const ids = [...account.songs.keys()].sort();
  const id = ids[object % Math.max(ids.length, 1)];
  if (edit === 'create') account.songs.set(`hand${object}`, { id: `hand${object}`, title: `title ${object}`, level, list: ['x', 'y'] });
  else if (id !== undefined && edit === 'delete') account.songs.delete(id);
  else if (id !== undefined) account.songs.set(id, { ...account.songs.get(id), level });
}

/** What became of the histories so far. */
const figures = { histories: 0, moved: 0, forgotten: 0, deleted: 0, created: 0, newIds: 0, keptValues: 0, overwritten: 0 };

test(`undo restores the account in ${RUNS} random pairs of applies, except for what it names`, {
  timeout: atMost(rounds(120_000, RUNS * 100)),
}, async () => {
  const property = fc.asyncProperty(
    declared,
    declared,
    fc.array(handEdit, { maxLength: 2 }),
    fc.constantFrom('shared' as const, 'exclusive' as const),
    async (first, second, handEdits, ownership) => {
      const [before, after] = [stateOf(first), stateOf(second)];
      const account = new FakeAccount({ songs: LIVE_SONGS });
      const overrides = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
      const more = { target: { ...target, ownership, ledger: 'git' as const }, overrides };
      const a = await planAndApply(account, before, EMPTY_LEDGER, 'a', more);
      fc.pre(isClean(a.outcomeLines, a));
      const wanted = objectsOf(account);
      for (const edit of handEdits) editByHand(account, edit);
      const edited = objectsOf(account);
      const b = await planAndApply(account, after, a.history, 'b', more);
      fc.pre(isClean(b.outcomeLines, b));
      const overwritten = overwrittenEdits(b.planResult.changes, resultsOf(b.outcomeLines), null);
      const afterSecond = objectsOf(account);

      const earlierBindings = a.history.state.bindings;
      const undo = await planAndApply(account, before, b.history, 'a', { ...more, appliesEarlierCommit: true, earlierBindings });
      // Two objects with one name after an edit by hand cannot be told apart, and are blocked.
      fc.pre(!undo.planResult.plan.changes.some(({ blocked }) => blocked?.check === 'identity'));
      expect(isClean(undo.outcomeLines, undo), undo.outcomeLines.join()).toBe(true);
      const restored = objectsOf(account);
      const findings = undo.planResult.plan.findings;
      const named = (code: string) => findings.filter((finding) => finding.code === code).map(({ address }) => address);

      // Every address of the first apply has an object with the values of that apply, and the same ID unless the plan names the address.
      const bindings = undo.history.state.bindings;
      for (const [address, binding] of earlierBindings) {
        const id = bindings.get(address)?.id;
        if (!before.resources.some((resource) => resource.address === address)) continue;
        expect(restored.get(id ?? ''), address).toEqual(wanted.get(binding.id));
        expect(id === binding.id || named('id-changes').includes(address), `${address} has another ID without a word`).toBe(true);
        if (id === binding.id) expect(bindings.get(address)).toEqual(binding);
        else expect(edited.has(binding.id) && afterSecond.has(binding.id), `${address} has another ID without need`).toBe(false);
      }
      // Nothing else is there, except for what is named, what was made by hand, and sections that the first configuration left alone.
      const boundAtFirst = new Set([...earlierBindings.values()].map(({ id }) => id));
      const boundNow = new Set([...bindings.values()].map(({ id }) => id));
      const isUnmanaged = (id: string) => sectionsOf(id, afterSecond).every((section) => !before.presentKeys.has(section));
      const keptNames = findings.filter(({ code }) => code === 'undone-adoption').map(({ summary }) => summary.split(' ')[0]);
      for (const [id, fields] of restored) {
        if (boundAtFirst.has(id) || boundNow.has(id) || isUnmanaged(id) || id === 'dial') continue;
        const isKept = keptNames.includes(id);
        if (!isKept) expect(fields, id).toEqual(edited.get(id));
      }
      // What was there and belonged to no address is there again, unless it was deleted by hand, or by an apply that records it.
      for (const [id] of wanted) {
        if (restored.has(id) || isUnmanaged(id) || boundAtFirst.has(id) || !edited.has(id)) continue;
        expect(Object.keys(overwritten), `${id} is gone without a word`).toContain(`song/~${id}`);
      }
      // An edit by hand is gone only where the second apply recorded it, or where the plan to undo shows the change.
      const addressAtSecond = new Map([...b.history.state.bindings].map(([address, { id }]) => [id, address]));
      const shown = undo.planResult.plan.changes.map(({ address }) => address);
      for (const [address, { id }] of earlierBindings) {
        const byHand = edited.get(id);
        if (byHand === undefined || isEqual(byHand, wanted.get(id)) || isEqual(byHand, restored.get(id))) continue;
        const told = [...Object.keys(overwritten), ...shown];
        expect(
          told.includes(address) || told.includes(addressAtSecond.get(id) ?? ''),
          `the edit of ${address} is gone without a word`,
        ).toBe(true);
      }
      const dialIsRestored = isEqual(restored.get('dial'), wanted.get('dial'));
      expect(dialIsRestored || (first.dial === null && named('section-removed').includes('dial')), 'the dial').toBe(true);
      // A second plan has nothing to do.
      const again = await planAndApply(account, before, undo.history, 'a', more);
      expect(again.outcomeLines.filter((line) => !line.startsWith('forgotten'))).toEqual([]);
      count(undo.outcomeLines, {
        newIds: named('id-changes').length,
        keptValues: keptNames.length,
        overwritten: Object.keys(overwritten).length,
      });
    },
  );
  await assertAsyncProperty(property, { numRuns: RUNS });
  const proof = 'undo';
  record({
    proof,
    name: 'pairs of applies undone',
    value: figures.histories,
    wanted: `at least ${RUNS}`,
    holds: figures.histories >= RUNS,
  });
  for (const name of ['moved', 'forgotten', 'newIds', 'keptValues', 'overwritten'] as const) {
    record({ proof, name, value: figures[name], wanted: 'more than 0', holds: figures[name] > 0 });
    expect(figures[name], name).toBeGreaterThan(0);
  }
});

function sectionsOf(id: string, objects: ReadonlyMap<string, JsonObject>): readonly string[] {
  if (id === 'dial') return ['dial'];
  return 'strength' in (objects.get(id) ?? {}) ? ['rules'] : ['songs', 'singles'];
}

/** Decides whether nothing failed and nothing was blocked. */
function isClean(
  outcomeLines: readonly string[],
  { planResult }: { readonly planResult: { readonly plan: { readonly summary: { readonly blocked: number } } } },
): boolean {
  return planResult.plan.summary.blocked === 0 && outcomeLines.every((line) => !/^(failed|skipped) /.test(line));
}

function resultsOf(outcomeLines: readonly string[]): Parameters<typeof overwrittenEdits>[1] {
  const results = ['created', 'updated', 'deleted', 'adopted', 'moved', 'forgotten'] as const;
  return new Map(
    outcomeLines.flatMap((line) => {
      const [word, address = ''] = line.split(' ');
      const result = results.find((each) => each === word);
      return result ? [[address, result] as const] : [];
    }),
  );
}

function count(outcomeLines: readonly string[], more: Pick<typeof figures, 'newIds' | 'keptValues' | 'overwritten'>): void {
  figures.histories += 1;
  for (const word of ['moved', 'forgotten', 'deleted', 'created'] as const) {
    figures[word] += outcomeLines.filter((line) => line.startsWith(`${word} `)).length;
  }
  for (const name of ['newIds', 'keptValues', 'overwritten'] as const) figures[name] += more[name];
}
