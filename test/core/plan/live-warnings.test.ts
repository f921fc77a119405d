import { describe, expect, it } from 'vitest';
import type { AddressedChange, CollectionKind, Kind, LiveWarning, SettingKind } from '../../../src/core/kinds/kind.ts';
import { GENERAL_CODES } from '../../../src/core/model/finding-codes.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import type { CollectionState, SettingState } from '../../../src/core/plan/kind-state.ts';
import { followUpWarnings, liveWarnings, warningsToFindings } from '../../../src/core/plan/live-warnings.ts';
import { type PlannedChange, planDelete } from '../../../src/core/state/planned-change.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong, desiredStateOf, only, planInputOf, target, theDial } from '../../support/planning.ts';
import { adopted, EMPTY_LEDGER, lastAppliedOf, planAfter, stateWith } from '../../support/previous-states.ts';
import { rulesOf } from '../../support/rules.ts';

const shared = { target: { ...target, ownership: 'shared' } } as const;

async function findings(
  desiredState: Parameters<typeof planAfter>[1],
  bindings: { readonly [address: string]: string },
  more: Partial<PlanInput> = shared,
) {
  const songs = { one: { title: 'a', level: 1, list: ['x', 'y'] }, two: { title: 'b', level: 0, list: ['x', 'z'] } };
  const account = new FakeAccount({ songs, rules: { r: { name: 'p', strength: 4 } } });
  const { plan } = await planAfter(account, desiredState, { ...EMPTY_LEDGER, state: stateWith(bindings) }, more);
  return plan.findings;
}

describe('the warning about an absent section', () => {
  it('counts its objects, and says how to delete or forget them', async () => {
    const found = await findings(desiredStateOf([], {}, ['singles']), { 'song/a': 'one', 'song/b': 'two', 'single/q': 'q', 'rule/p': 'r' });
    expect(found.map(({ address }) => address)).toEqual(['rule/p', 'song/a']);
    expect(found.map(({ code, summary }) => `${code} ${summary}`).sort()).toEqual([
      'section-removed `rules` is not declared any more: 1 of its objects that were applied are left as they are',
      'section-removed `songs` is not declared any more: 2 of its objects that were applied are left as they are',
    ]);
    expect(found[0]?.hint).toBe('To delete them, write `rules: {}`. To forget them instead, also name them under `removed`.');
  });

  it('is absent where nothing was applied, or where `rules` turns it off', async () => {
    expect(await findings(desiredStateOf([], {}, ['singles']), {})).toEqual([]);
    expect(
      await findings(
        desiredStateOf([], {}, ['songs', 'singles']),
        { 'rule/p': 'r' },
        { ...shared, severityRules: rulesOf({ 'section-removed': 'off' }) },
      ),
    ).toEqual([]);
  });
});

describe('the warning about a delete and a create that look like a rename', () => {
  it('names the `moved` line to add, at the new declaration', async () => {
    const found = await findings(desiredStateOf([aSong('c', { level: 1 })]), { 'song/a': 'one' });
    expect(found).toMatchObject([{ code: 'looks-like-rename', severity: 'warning', address: 'song/c', file: 'songs/c.yaml' }]);
    expect(found[0]?.summary).toBe('song/a is deleted and song/c is created with the same fields: is this a rename?');
    expect(found[0]?.hint).toBe('If so, declare it, and nothing is deleted: `moved: [{ from: song/a, to: song/c }]`.');
  });

  it('does not depend on the order of fields', async () => {
    const fields = { list: ['x', 'y'], title: 'c', level: 1 };
    expect(await findings(desiredStateOf([{ ...aSong('c'), fields }]), { 'song/a': 'one' })).toHaveLength(1);
  });

  it.each([
    ['they differ in more than the name', [aSong('c')], { 'song/a': 'one' }, shared],
    ['they are of two kinds', [aRule('q', 1)], { 'song/a': 'one' }, shared],
  ])('is absent where %s', async (_why, resources, bindings, more) => {
    expect(await findings(desiredStateOf(resources), bindings, more)).toEqual([]);
  });

  it.each([
    ['is deleted', {}],
    ['stays', shared],
  ])('names the `adopt` line to add for an undeclared object that %s', async (_what, more) => {
    const found = await findings(desiredStateOf([aSong('c', { level: 1 })]), {}, more);
    expect(found).toMatchObject([{ code: 'looks-like-rename', severity: 'warning', address: 'song/c', file: 'songs/c.yaml' }]);
    expect(found[0]?.summary).toContain('the undeclared live object one (a) differs only in its name');
    expect(found[0]?.hint).toBe('If so, bind it, and nothing is created: `adopt: { "song/c": "one" }`.');
  });

  it('names the same object in whatever order the service lists equal ones', async () => {
    const alike = ['one', 'two', 'three'].map((id): [string, JsonObject] => [id, { title: id, level: 1, list: ['x', 'y'] }]);
    const hints = async (songs: readonly [string, JsonObject][]) => {
      const account = new FakeAccount({ songs: Object.fromEntries(songs) });
      const { plan } = await planAfter(account, desiredStateOf([aSong('c', { level: 1 })]), EMPTY_LEDGER, shared);
      return plan.findings.map(({ hint }) => hint);
    };
    const named = ['If so, bind it, and nothing is created: `adopt: { "song/c": "one" }`.'];
    expect([await hints(alike), await hints(alike.toReversed())]).toEqual([named, named]);
  });

  it('is absent where an address gets a new object and the name stays the same', async () => {
    const account = new FakeAccount({ songs: { x: { title: 'p', level: 0, list: ['x'] } } });
    const history = { ...EMPTY_LEDGER, state: stateWith({ 'song/p': 'x' }) };
    const { plan } = await planAfter(account, desiredStateOf([aSong('p', { list: ['x', 'y'] })]), history, shared);
    expect(plan.findings.map(({ code }) => code)).toEqual(['id-changes']);
  });

  it('is absent where the deleted object is replaced under its own address', async () => {
    const replacing: Kind = {
      ...song,
      whyNotBindable: ({ displayName }, { id }) => (displayName === 'p' && id === 'one' ? 'it keeps its list' : undefined),
    };
    const found = await findings(
      desiredStateOf([aSong('p', { level: 2 }), aSong('q', { level: 1 })]),
      { 'song/p': 'one' },
      { kinds: [replacing] },
    );
    expect(found.map(({ code, address }) => [code, address])).toEqual([['id-changes', 'song/p']]);
  });

  it('is absent where the kind refuses to bind the undeclared object', async () => {
    const refusing: Kind = { ...song, whyNotBindable: () => 'it keeps its list' };
    const { whyNotBindable: _refuses, ...willing } = song;
    const desiredState = desiredStateOf([aSong('c', { level: 1 })]);
    expect(await findings(desiredState, {}, { kinds: [refusing] })).toEqual([]);
    expect((await findings(desiredState, {}, { kinds: [willing] })).map(({ code }) => code)).toEqual(['looks-like-rename']);
  });

  it('is absent where the new resource is matched by its asset alone', async () => {
    const songs = { one: { title: '', level: 0, list: ['q'] } };
    const { plan } = await planAfter(new FakeAccount({ songs }), desiredStateOf([aSingle('q')]), EMPTY_LEDGER, shared);
    expect([plan.changes.map(({ action }) => action), plan.findings]).toEqual([['create'], []]);
  });
});

describe('the warning about an object that no configuration can declare', () => {
  const objects = { one: { title: 'a', level: 1, list: ['x', 'y'] }, two: { title: '', level: 0, list: ['x', 'z'] } };
  const reasons = new Map([
    ['one', 'its title is reserved'],
    ['two', 'it has no title'],
  ]);

  async function warned(more: Partial<PlanInput> = {}) {
    const whyNotDeclarable = () => reasons;
    const { plan } = await planAfter(new FakeAccount({ songs: objects }), desiredStateOf([]), EMPTY_LEDGER, { whyNotDeclarable, ...more });
    return plan.findings;
  }

  it('names the object and the reason, and says how to delete it or to keep it without the warning', async () => {
    const reason = 'is not declared, and is not deleted, because no configuration can declare it:';
    const hint = (address: string) =>
      `To delete it, begin with \`upkeep plan --target stage --only '${address}' --allow 'deletes=${address}'\`. ` +
      `To keep it without this warning, write \`removed: [${address}]\`.`;
    const position = { severity: 'warning', code: 'cannot-be-declared', file: 'songs.yaml', line: 1, column: 1 };
    expect(await warned()).toEqual([
      { ...position, address: 'song/~one', summary: `song/~one (a) ${reason} its title is reserved`, hint: hint('song/~one') },
      { ...position, address: 'song/~two', summary: `song/~two ${reason} it has no title`, hint: hint('song/~two') },
    ]);
  });

  it('is limited to the addresses that --only selects', async () => {
    expect((await warned({ ...only('song/~two') })).map(({ address }) => address)).toEqual(['song/~two']);
    expect((await warned({ ...only('song/~o*') })).map(({ address }) => address)).toEqual(['song/~one']);
    expect(await warned({ ...only('song/other') })).toEqual([]);
  });

  it('is absent under `shared`, which deletes no such object', async () => {
    expect(await warned(shared)).toEqual([]);
  });
});

describe('the warnings about one kind', () => {
  it('never compare a create with a delete of another kind, even where their fields are equal', () => {
    const norm: CollectionKind = { ...rule, name: 'norm', sections: [{ key: 'norms', addressPrefix: 'norm/' }] };
    const desired = { ...aRule('q', 4), address: 'norm/q' };
    const created = plannedOf(norm, 'create', { desired });
    const deletedOf = (kind: CollectionKind): PlannedChange => ({
      ...changed(planDelete(kind, aLiveRule('r', 'p', 4), []), { address: 'rule/p' }),
      isDeletedAsBound: true,
    });
    const state: CollectionState = {
      kind: norm,
      resources: [desired],
      read: { status: 'complete', result: { objects: [], warnings: [] }, readAt: 0, error: null },
      match: { liveByAddress: new Map(), identityProblems: new Map(), unclaimed: [], warnings: [] },
      pruning: { toDelete: [], forgets: [], kept: [], notDeclarable: [] },
      interruptedCreates: new Map(),
      unseenCreates: new Map(),
    };
    const input = planInputOf(new FakeAccount(), desiredStateOf([desired], {}, ['norms']));
    expect(liveWarnings(state, [created, deletedOf(rule)], input)).toEqual([]);
    expect(liveWarnings(state, [created, deletedOf(norm)], input).map(({ code }) => code)).toEqual(['looks-like-rename']);
  });
});

describe('a warning of a kind', () => {
  const input = planInputOf(new FakeAccount(), desiredStateOf([]), { severityRules: rulesOf({ loud: 'error', quiet: 'off' }) });
  const worn = { code: 'worn', summary: 'It is worn.', address: 'song/~one' };
  const position = { severity: 'warning', line: 1, column: 1 };

  it('is located at its declaration, or without one at the section of its kind', () => {
    const findings = (kind: Kind, address: string) => warningsToFindings([{ ...worn, address }], { kind, resources: [aSong('a')] }, input);
    expect(findings(song, 'song/a')).toEqual([{ ...worn, ...position, address: 'song/a', file: 'songs/a.yaml' }]);
    expect(findings(song, 'song/~one')).toEqual([{ ...worn, ...position, file: 'songs.yaml' }]);
    expect(findings({ ...song, sections: [] }, 'song/~one')).toEqual([{ ...worn, ...position, file: 'song.yaml' }]);
  });

  it('has the severity that `rules` sets for its code', () => {
    const warnings = ['loud', 'quiet', 'worn'].map((code) => ({ ...worn, code }));
    expect(warningsToFindings(warnings, { kind: song, resources: [] }, input).map(({ severity, code }) => [severity, code])).toEqual([
      ['error', 'loud'],
      ['warning', 'worn'],
    ]);
  });

  it('has a code that `rules` may name', () => {
    const codes = ['adopt-target-missing', 'cannot-be-declared', 'id-changes', 'section-removed', 'looks-like-rename', 'sent-whole'];
    expect(Object.keys(GENERAL_CODES)).toEqual(expect.arrayContaining(codes));
  });
});

/** The state of the songs after a complete read in which nothing was matched, except for `more`. */
function songState(more: Partial<CollectionState> = {}): CollectionState {
  return {
    kind: song,
    resources: [],
    read: { status: 'complete', result: { objects: [], warnings: [] }, readAt: 0, error: null },
    match: { liveByAddress: new Map(), identityProblems: new Map(), unclaimed: [], warnings: [] },
    pruning: { toDelete: [], forgets: [], kept: [], notDeclarable: [] },
    interruptedCreates: new Map(),
    unseenCreates: new Map(),
    ...more,
  };
}

describe('the warning about an object that going back to an earlier apply does not restore', () => {
  const earlierBindings = stateWith({ 'song/a': 'former', 'song/gone': 'gone' }).bindings;
  const input = planInputOf(new FakeAccount(), desiredStateOf([aSong('a')]), { earlierBindings });
  const summary = (now: string) => `the object that song/a had at the apply of \`--ref\`, former, is not restored: ${now}`;
  const idChanges = {
    severity: 'warning',
    code: 'id-changes',
    hint: 'What refers to the former ID, such as a playback URL, must be changed.',
    file: 'songs/a.yaml',
    line: 1,
    column: 1,
    address: 'song/a',
  } as const;

  /** Returns the warnings about a declared song that has this live object, or none. */
  function warned(id: string | null, more: Partial<CollectionState> = {}, desired = aSong('a'), moreInput: Partial<PlanInput> = {}) {
    const liveByAddress = new Map(id === null ? [] : [[desired.address, aLiveSong(id)]]);
    const match = { liveByAddress, identityProblems: new Map(), unclaimed: [], warnings: [] };
    return liveWarnings(songState({ resources: [desired], match, ...more }), [], { ...input, ...moreInput });
  }

  it('says that another object has its address now, or that a new one is created', () => {
    expect(warned('one')).toEqual([{ ...idChanges, summary: summary('it is one now') }]);
    expect(warned(null)).toEqual([{ ...idChanges, summary: summary('a new one is created, with another ID') }]);
  });

  it('is absent where the address has the same object, or a new one gets the same ID', () => {
    expect(warned('former')).toEqual([]);
    expect(warned(null, {}, aSong('a', { list: ['former'] }))).toEqual([]);
  });

  it('is present where the object that is created gets the ID of another asset, or an ID that only its name equals', () => {
    expect(warned(null, {}, aSong('a', { list: ['other'] }))).toEqual([
      { ...idChanges, summary: summary('a new one is created, with another ID') },
    ]);
    expect(warned(null, {}, { ...aSong('a'), matchKeys: [{ remoteName: 'former' }] })).toHaveLength(1);
    expect(warned(null, {}, { ...aSong('a'), matchKeys: [] })).toHaveLength(1);
  });

  it('is absent where that apply did not bind the address, the plan goes back to none, or the songs were not read', () => {
    expect(warned('one', {}, aSong('b'))).toEqual([]);
    expect(warned(null, {}, aSong('b'))).toEqual([]);
    expect(warned('one', {}, aSong('a'), { earlierBindings: null })).toEqual([]);
    const read = { status: 'incomplete', result: { objects: [], warnings: [] }, readAt: 0, error: null } as const;
    expect(warned(null, { read })).toEqual([]);
  });

  it('is not repeated where the match has warned that the ID changes, but stands beside any other warning', () => {
    const matchWarning = (code: string) => ({ code, summary: 'It is so.', address: 'song/a' });
    const codesWith = (code: string) => {
      const match = { liveByAddress: new Map(), identityProblems: new Map(), unclaimed: [], warnings: [matchWarning(code)] };
      return warned(null, { match }).map((finding) => finding.code);
    };
    expect(codesWith('id-changes')).toEqual(['id-changes']);
    expect(codesWith('adopt-target-missing')).toEqual(['adopt-target-missing', 'id-changes']);
  });
});

describe('the warning about an object whose adoption is undone', () => {
  const ledgerState = stateWith({ 'song/a': adopted('one'), 'song/b': 'two' });
  const input = planInputOf(new FakeAccount(), desiredStateOf([]), { ledgerState, earlierBindings: new Map() });
  const draft = (action: 'forget' | 'delete' | 'update', id: string) =>
    plannedOf(song, action, { live: aLiveSong(id, { title: `the ${id}` }) });

  it('says that the object stays as it is', () => {
    expect(liveWarnings(songState(), [draft('forget', 'one')], input)).toEqual([
      {
        severity: 'warning',
        code: 'undone-adoption',
        summary: 'one (the one) was adopted by an apply that is undone: it stays, with the values that it has now',
        hint: 'The values that it had before are not known. Set them by hand, or declare them.',
        file: 'songs.yaml',
        line: 1,
        column: 1,
        address: 'song/~one',
      },
    ]);
  });

  it.each([
    ['upkeep created the object', [draft('forget', 'two')], {}],
    ['the object is not forgotten', [draft('delete', 'one'), draft('update', 'one')], {}],
    ['the plan goes back to no earlier apply', [draft('forget', 'one')], { earlierBindings: null }],
    ['there is no ledger', [draft('forget', 'one')], { ledgerState: null }],
  ])('is absent where %s', (_why, changes, more) => {
    expect(liveWarnings(songState(), changes, { ...input, ...more })).toEqual([]);
  });
});

describe('the warning about a setting that is not declared any more', () => {
  const state: SettingState = {
    kind: dial,
    resources: [],
    read: { status: 'unmanaged', result: { objects: [], warnings: [] }, readAt: 0, error: null },
    match: { liveByAddress: new Map(), identityProblems: new Map(), unclaimed: [], warnings: [] },
  };
  const warned = (present: readonly string[], applied: PlanInput['lastApplied'], kind: SettingKind = dial) =>
    liveWarnings({ ...state, kind }, [], planInputOf(new FakeAccount(), desiredStateOf([], {}, present), { lastApplied: applied }));
  const withDial = lastAppliedOf([theDial(true, [])]);

  it('says that it is left as it was applied', () => {
    expect(warned(['songs'], withDial)).toEqual([
      {
        severity: 'warning',
        code: 'section-removed',
        summary: '`dial` is not declared any more: the setting is left as it was applied',
        hint: 'To change it, declare it, or set it by hand.',
        file: 'dial.yaml',
        line: 1,
        column: 1,
        address: 'dial',
      },
    ]);
  });

  it('is absent where it is declared, or was not applied', () => {
    expect(warned(['songs', 'dial'], withDial)).toEqual([]);
    expect(warned(['songs'], lastAppliedOf([]))).toEqual([]);
    expect(warned(['songs'], null)).toEqual([]);
  });
});

describe('the warning about things elsewhere that the changes of a kind do not update', () => {
  const input = planInputOf(new FakeAccount(), desiredStateOf([aSong('a'), aSong('b')]));
  const named = { code: 'named-elsewhere', summary: 'A schedule names them.', address: 'song/a' };

  /** Asks a song for the warning about these changes; returns the findings and what the kind was asked about. */
  function followUp(
    changes: (kind: Kind) => readonly PlannedChange[],
    more: Partial<PlanInput> = {},
    warnings: readonly LiveWarning[] = [named],
  ) {
    const asked: (readonly AddressedChange[])[] = [];
    const kind: CollectionKind = {
      ...song,
      followUpWarnings: (changes) => {
        asked.push(changes);
        return warnings;
      },
    };
    const state = songState({ kind, resources: [aSong('a'), aSong('b')] });
    return { findings: followUpWarnings(state, changes(kind), { ...input, ...more }), asked: asked.flat() };
  }

  const live = aLiveSong('one');
  const fields = [{ path: '/level', before: 0, after: 1, origin: 'change', effect: 'neutral' }] as const;

  it('is told of the changes that write, by address, with both sides and the fields', () => {
    const { asked, findings } = followUp((kind) => [
      changed(plannedOf(kind, 'update', { desired: aSong('b', { level: 1 }), live }), { fields }),
      plannedOf(kind, 'create', { desired: aSong('a') }),
      plannedOf(kind, 'forget'),
      plannedOf(kind, 'adopt', { desired: aSong('d') }),
      plannedOf(rule, 'update', { desired: aRule('r'), live: aLiveRule('r', 'r') }),
      plannedOf(kind, 'delete', { live: aLiveSong('two') }),
    ]);
    expect(asked).toEqual([
      { address: 'song/a', action: 'create', before: null, after: aSong('a'), fields: [] },
      { address: 'song/b', action: 'update', before: live, after: aSong('b', { level: 1 }), fields },
      { address: 'song/~two', action: 'delete', before: aLiveSong('two'), after: null, fields: [] },
    ]);
    expect(findings).toEqual([{ ...named, severity: 'warning', file: 'songs/a.yaml', line: 1, column: 1 }]);
  });

  it('is told only of what `--only` selects', () => {
    const both = (kind: Kind) => ['a', 'b'].map((key) => plannedOf(kind, 'create', { desired: aSong(key) }));
    expect(followUp(both, { ...only('song/b') }).asked.map(({ address }) => address)).toEqual(['song/b']);
  });

  it('is absent where the kind has none, and where nothing elsewhere names its resources', () => {
    expect(followUp((kind) => [plannedOf(kind, 'create')], {}, []).findings).toEqual([]);
    expect(followUpWarnings(songState(), [plannedOf(song, 'create')], input)).toEqual([]);
  });
});
