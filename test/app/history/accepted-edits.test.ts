/** Which edits by hand the entries of a ledger accepted. */
import { describe, expect, it, test } from 'vitest';
import { type AskedEntry, acceptedEdit, type DeclaredTwice, trackEdits } from '../../../src/app/history/accepted-edits.ts';
import { declarationsBy } from '../../../src/app/history/entry-declarations.ts';
import { changesOf } from '../../../src/app/history/resource-history.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import { type DesiredResource, desiredSetting } from '../../../src/core/kinds/kind.ts';
import type { LedgerEntry, RecordedBinding } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { ChangeOutcome, Result } from '../../../src/core/model/outcome.ts';
import { entry } from '../../core/ledger/repositories.ts';
import { field } from '../../report/documents.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { aSong, desiredStateOf, theDial } from '../../support/planning.ts';

function outcome(result: Result, ...paths: readonly string[]): ChangeOutcome {
  const fields = paths.length === 0 ? {} : { fields: paths.map((path) => field(path, 0, 1)) };
  return { address: 'song/a', result, tookMs: 1, ...fields };
}

function ignoring(resource: DesiredResource, path: string): DesiredResource {
  return { ...resource, ignored: [{ path, declared: { file: 'a.yaml', line: 1, column: 1 } }] };
}

/** A setting of upkeep as it was declared before. */
function setting(name: string, fields: JsonObject): Pick<DeclaredTwice, 'kind' | 'id' | 'before'> {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return { kind, id: null, before: desiredSetting(name, name, fields) };
}

function staticKey(scope: string, ...slicers: readonly string[]) {
  return setting('static-key', { scope, slicer_ids: slicers });
}

function schedule(declared: JsonObject) {
  const unset = { enabled: null, frequency: null, unit: null, hour: null, next_rotation: null };
  const { before, ...rest } = setting('key-rotation-schedule', { ...unset, ...declared });
  return { ...rest, before: { ...before, declaredFields: declared } };
}

describe('an edit was accepted', () => {
  const base: DeclaredTwice = {
    kind: song,
    id: '1',
    before: aSong('a', { level: 1 }),
    after: aSong('a', { level: 2, list: ['z'] }),
    outcomes: [],
    now: 0,
  };
  const [level, list] = [
    ['/level', 1, 2, 'strengthens'],
    ['/list', ['x', 'y'], ['z'], 'neutral'],
  ];

  it.each<[string, Partial<DeclaredTwice>, readonly unknown[]]>([
    ['where nothing is recorded', {}, [level, list]],
    ['where the apply skipped it', { outcomes: [outcome('skipped')] }, [level, list]],
    ['where somebody else had made it since the plan', { outcomes: [outcome('unchanged')] }, [level, list]],
    ['where the object was only adopted or moved', { outcomes: [outcome('adopted'), outcome('moved')] }, [level, list]],
    ['of the fields that an update did not write', { outcomes: [outcome('updated', '/level')] }, [list]],
    ['of no field that one of several applies wrote', { outcomes: [outcome('updated', '/level'), outcome('updated', '/list')] }, []],
    ['of no field below or above one that was written', { outcomes: [outcome('updated', '/level/x', '/list')] }, []],
    ['of no field that a failed apply may have written', { outcomes: [outcome('failed', '/list')] }, [level]],
    ['of no field that the service did not show yet', { outcomes: [outcome('unseen', '/list')] }, [level]],
    ['of no field whose values were too large to be recorded', { outcomes: [{ ...outcome('updated'), paths: ['/level'] }] }, [list]],
    ['of nothing where an older entry does not say what it wrote', { outcomes: [outcome('updated')] }, []],
    ['of nothing where the object was created', { outcomes: [outcome('created', '/level')] }, []],
    ['of nothing where both declare the same', { after: aSong('a', { level: 1 }) }, []],
    ['of no field that was left to others before', { before: ignoring(base.before, '/level') }, [list]],
    ['of no field that is left to others since', { after: ignoring(aSong('a', { level: 2, list: ['z'] }), '/list') }, [level]],
    ['of a field that weakens protection', { after: aSong('a', { level: 0 }) }, [['/level', 1, 0, 'weakens']]],
    [
      'of a setting',
      { kind: dial, id: null, before: theDial(false, []), after: theDial(true, []) },
      [['/open', false, true, expect.any(String)]],
    ],
    [
      'of no slicers where the static key was for all before, which leaves them as they are',
      { ...staticKey('all'), after: staticKey('specific', 'a').before, outcomes: [outcome('updated', '/scope')] },
      [],
    ],
    [
      'of slicers where the static key was for some before',
      { ...staticKey('specific', 'a'), after: staticKey('specific', 'a', 'b').before },
      [['/slicer_ids', ['a'], ['a', 'b'], expect.any(String)]],
    ],
    [
      'of no field that a schedule did not declare before',
      { ...schedule({ enabled: true, hour: 1 }), after: schedule({ enabled: true, hour: 2, frequency: 3 }).before },
      [['/hour', 1, 2, expect.any(String)]],
    ],
  ])('%s', (_when, more, fields) => {
    const edit = acceptedEdit({ ...base, ...more });
    expect((edit?.fields ?? []).map(({ path, before, after, effect }) => [path, before, after, effect])).toEqual(fields);
    expect(edit === null).toBe(fields.length === 0);
    for (const each of edit?.fields ?? []) expect(each).toMatchObject({ origin: 'drift' });
  });

  it.each<[Result | 'nothing', boolean]>([
    ['nothing', true],
    ['skipped', true],
    ['unchanged', true],
    ['updated', true],
    ['deleted', false],
    ['forgotten', false],
    ['failed', false],
    ['unseen', false],
  ])('by which the object is gone, where the ledger records `%s` of it: %s', (result, isAccepted) => {
    const outcomes = result === 'nothing' ? [] : [outcome(result, '/level')];
    const edit = acceptedEdit({ ...base, after: null, outcomes });
    expect(edit?.deleted).toBe(isAccepted ? true : undefined);
    if (isAccepted) expect(edit?.fields.map(({ path, before, after }) => [path, before, after])).toEqual(GONE);
  });
});

const GONE = [
  ['/level', 1, null],
  ['/list', ['x', 'y'], null],
  ['/title', 'a', null],
];

/** What a commit declares, by address: the level of a playlist. */
type Commit = { readonly [address: string]: number };

/** The commits of these tests, by name: `unread` is one that cannot be read. */
const COMMITS: { readonly [name: string]: Commit } = {
  one: { 'playlist/a': 1 },
  two: { 'playlist/a': 2 },
  none: {},
  moved: { 'playlist/b': 2 },
  both: { 'playlist/a': 1, 'playlist/b': 1 },
  edited: { 'playlist/a': 2, 'playlist/b': 2 },
};

/** An apply at a commit: its results, and the bindings and what it left out where they are not as usual. */
interface Applied {
  readonly commit: string | null;
  readonly results?: { readonly [address: string]: Result };
  readonly bindings?: { readonly [address: string]: string };
  readonly leftOut?: readonly string[];
  readonly isKilled?: true;
}

function entryOf({ commit, results = {}, bindings, leftOut = [], isKilled }: Applied): LedgerEntry {
  const bound = bindings ?? Object.fromEntries(Object.keys(COMMITS[commit ?? ''] ?? { 'playlist/a': 1 }).map((each) => [each, `${each}!`]));
  return entry({
    config: { commit, digest: `sha256:${'0'.repeat(64)}` },
    ...(isKilled ? { fingerprint: null } : {}),
    outcomes: Object.entries(results).map(([address, result]) => ({ address, result, tookMs: 1, fields: [field('/level', 0, 1)] })),
    bindings: Object.fromEntries(Object.entries(bound).map(([each, id]): [string, RecordedBinding] => [each, { id, origin: 'created' }])),
    pendingSince: Object.fromEntries(leftOut.map((each) => [each, null])),
  });
}

function resource(address: string, fields: JsonObject): DesiredResource {
  return { ...aSong(address, fields), address };
}

/** The edits that a ledger, oldest entry first, tells of an address, newest first, as words: `2 playlist/a 1-2`. Only some entries may be listed. */
async function editsOf(asked: string, applies: readonly Applied[], listed = applies.map((_, index) => index)): Promise<readonly string[]> {
  const entries = applies.map(entryOf);
  const [changesIn, tracker] = [changesOf(asked), trackEdits()];
  const read = declarationsBy(async (_entry, commit) => {
    const declared = COMMITS[commit];
    if (declared === undefined) return { unusable: 'it is lost' };
    return { desiredState: desiredStateOf(Object.entries(declared).map(([address, level]) => resource(address, { level, playlist: [] }))) };
  });
  const words: string[] = [];
  for (const [index, each] of [...entries.entries()].reverse()) {
    const before = entries[index - 1] ?? null;
    const { follows } = changesIn(each, before);
    const step: AskedEntry = { id: String(index), entry: each, before, follows, isListed: listed.includes(index) };
    const found = tracker.needs(step) ? await read(each) : null;
    for (const { id, edit } of tracker.add(step, found !== null && 'declared' in found ? found.declared : null)) {
      const values = edit.fields.filter(({ path }) => path === '/level').map((level) => `${level.before}-${level.after}`);
      words.push([id, edit.address, ...(edit.interrupted ? ['or interrupted'] : []), ...values].join(' '));
      expect(tracker.awaits(id)).toBe(false);
    }
  }
  return words;
}

const first: Applied = { commit: 'one', results: { 'playlist/a': 'created' } };

test.each<[string, readonly Applied[], readonly string[]]>([
  ['the entry that declares it, where nothing was written', [first, { commit: 'two' }], ['1 playlist/a 1-2']],
  ['no entry, where an apply wrote it', [first, { commit: 'two', results: { 'playlist/a': 'updated' } }], []],
  ['no entry, where nothing is declared otherwise', [first, { commit: 'one' }], []],
  ['each entry that accepted one', [first, { commit: 'two' }, { commit: 'one' }], ['2 playlist/a 2-1', '1 playlist/a 1-2']],
  [
    'the entry that included it, after one that left it out',
    [first, { commit: 'two', leftOut: ['playlist/a'] }, { commit: 'two' }],
    ['2 playlist/a 1-2'],
  ],
  [
    'no entry, where an attempt that failed may have written it',
    [first, { commit: 'two', leftOut: ['playlist/a'], results: { 'playlist/a': 'failed' } }, { commit: 'two' }],
    [],
  ],
  ['the next entry with a commit, after one without', [first, { commit: null }, { commit: 'two' }], ['2 playlist/a 1-2']],
  [
    'no entry, where an apply without a commit wrote it',
    [first, { commit: null, results: { 'playlist/a': 'updated' } }, { commit: 'two' }],
    [],
  ],
  ['the next entry whose commit can be read', [first, { commit: 'lost' }, { commit: 'two' }], ['2 playlist/a 1-2']],
  ['no entry, where no older commit can be read', [{ commit: 'lost' }, { commit: 'two' }], []],
  ['no entry, where the newest commit cannot be read', [first, { commit: 'lost' }], []],
  [
    'an entry after a killed apply, which may have written it',
    [first, { commit: 'one', isKilled: true }, { commit: 'two' }],
    ['2 playlist/a or interrupted 1-2'],
  ],
  ['the entry that binds the lost object no more', [first, { commit: 'none' }], ['1 playlist/a 1-null']],
  ['no entry, where an apply deleted the object', [first, { commit: 'none', results: { 'playlist/a': 'deleted' } }], []],
  ['no entry, where the address has another object', [first, { commit: 'two', bindings: { 'playlist/a': 'other' } }], []],
  ['no entry, where the section is not managed any more', [first, { commit: 'none', bindings: { 'playlist/a': 'playlist/a!' } }], []],
  [
    'no entry, where the object was declared anew',
    [first, { commit: 'none', results: { 'playlist/a': 'deleted' } }, { commit: 'two' }],
    [],
  ],
])('an accepted edit stands at %s', async (_where, applies, expected) => {
  expect(await editsOf('playlist/a', applies)).toEqual(expected);
});

test('an edit that was accepted with a rename stands at the new address, and at the old one not as a deletion', async () => {
  const moved: Applied = { commit: 'moved', results: { 'playlist/b': 'moved' }, bindings: { 'playlist/b': 'playlist/a!' } };
  expect(await editsOf('playlist/b', [first, moved])).toEqual(['1 playlist/b 1-2']);
  expect(await editsOf('playlist/*', [first, moved])).toEqual(['1 playlist/b 1-2']);
  expect(await editsOf('playlist/a', [first, moved])).toEqual([]);
});

test('an address has its own edits, and a glob those of all addresses that match it', async () => {
  const applies: readonly Applied[] = [{ commit: 'both' }, { commit: 'edited', leftOut: ['playlist/b'] }, { commit: 'edited' }];
  expect(await editsOf('playlist/a', applies)).toEqual(['1 playlist/a 1-2']);
  expect(await editsOf('playlist/b', applies)).toEqual(['2 playlist/b 1-2']);
  expect(await editsOf('play*', applies)).toEqual(['2 playlist/b 1-2', '1 playlist/a 1-2']);
});

test('an entry that is not listed tells no edit of its own, and what a newer one accepted', async () => {
  const applies: readonly Applied[] = [first, { commit: 'two' }, { commit: 'one' }];
  expect(await editsOf('playlist/a', applies, [2])).toEqual(['2 playlist/a 2-1']);
  expect(await editsOf('playlist/a', applies, [1])).toEqual(['1 playlist/a 1-2']);
});
