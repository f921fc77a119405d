// Fake kinds (test/support/fake-kinds.ts): song = playlist, single = smart start, rule = policy, dial = setting, shelf = asset catalog.
import { describe, expect, it } from 'vitest';
import { FakeAccount } from '../../support/fake-account.ts';
import { kinds } from '../../support/fake-kinds.ts';
import { aRule, aSingle, aSong, changeLines, desiredStateOf, only, planFor, target, theDial } from '../../support/planning.ts';
import { rulesOf } from '../../support/rules.ts';

const songs = {
  one: { title: 'a', level: 0, list: ['x', 'y'] },
  two: { title: 'extra', level: 0, list: ['z', 'x'] },
  q: { title: '', level: 0, list: ['q'] },
};

describe('an incomplete read of a kind', () => {
  const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('new'), aRule('p')], { 'song/a': 'one' });

  it('leads to no change, finding or undeclared object of that kind; other kinds are planned', async () => {
    const account = new FakeAccount({ songs });
    account.fail('GET /songs', { category: 'failed' });
    const planResult = await planFor(account, desiredState);
    expect(changeLines(planResult)).toEqual(['create rule/p']);
    expect(planResult.plan.readStatus).toEqual({ song: 'incomplete', rule: 'complete', dial: 'complete' });
    expect(planResult.errors.map(({ category }) => category)).toEqual(['failed']);
    expect(planResult.plan.findings).toEqual([]);
    expect(planResult.plan.summary).toMatchObject({ unchanged: 0, undeclared: 0 });
  });

  it('is assumed if a spot check contradicts the list', async () => {
    const account = new FakeAccount({ songs: { ...songs, hidden: { title: 'new', level: 0, list: [] } } });
    account.intercept('GET /songs', () => ({ body: { items: [{ id: 'two', ...songs.two }] } }));
    const planResult = await planFor(account, desiredState, { target: { ...target, ownership: 'shared' } });
    expect(changeLines(planResult)).toEqual(['create rule/p']);
    expect(planResult.plan.readStatus.song).toBe('incomplete');
    expect(planResult.plan.findings).toEqual([]);
    expect(planResult.undeclared).toEqual([]);
  });

  it('leads to no create of an object that the list lacks, and to no delete of one that it has', async () => {
    const account = new FakeAccount({ songs });
    account.intercept('GET /songs', () => ({ body: { items: [{ id: 'two', ...songs.two }] } }));
    expect(changeLines(await planFor(account, desiredStateOf([aSong('a')])))).toEqual([]);
  });
});

describe('a managed section', () => {
  it('is required for a kind to be read or changed', async () => {
    const account = new FakeAccount({ songs, rules: { r: { name: 'p', strength: 1 } } });
    const planResult = await planFor(account, desiredStateOf([theDial(false, [])], {}, ['dial', 'shelf']));
    expect(account.log('all')).toEqual(['GET /dial']);
    expect(planResult.plan.readStatus).toEqual({ song: 'unmanaged', rule: 'unmanaged', dial: 'complete' });
    expect(changeLines(planResult)).toEqual([]);
  });

  it('is required for `exclusive` to delete objects that are not declared', async () => {
    const account = new FakeAccount({ songs });
    expect(target.ownership).toBe('exclusive');
    expect(changeLines(await planFor(account, desiredStateOf([], {}, ['songs'])))).toEqual(['delete song/~one', 'delete song/~two']);
    expect(changeLines(await planFor(account, desiredStateOf([], {}, ['singles'])))).toEqual(['delete song/~q']);
    expect(changeLines(await planFor(account, desiredStateOf([], {}, ['songs', 'singles'])))).toHaveLength(3);
  });

  it.each(['shared', 'observe'] as const)(
    'deletes nothing under `%s` without a ledger, and reports objects as undeclared',
    async (ownership) => {
      const planResult = await planFor(new FakeAccount({ songs }), desiredStateOf([aSong('a')]), { target: { ...target, ownership } });
      expect(changeLines(planResult)).toEqual([]);
      expect(planResult.undeclared).toEqual([
        { address: 'song/~q', name: '' },
        { address: 'song/~two', name: 'extra' },
      ]);
      expect(planResult.plan.summary).toMatchObject({ unchanged: 1, undeclared: 2 });
    },
  );

  it('never deletes an object that an address with an identity problem may refer to', async () => {
    const twins = { one: { title: 'a', level: 0, list: [] }, two: { title: 'a', level: 0, list: [] } };
    const planResult = await planFor(new FakeAccount({ songs: twins }), desiredStateOf([aSong('a')]));
    expect(changeLines(planResult)).toEqual(['create song/a']);
    expect(planResult.plan.changes[0]?.blocked).toMatchObject({ check: 'identity', reason: expect.stringContaining('one, two') });
    const bound = await planFor(
      new FakeAccount({ songs: twins }),
      desiredStateOf([aSong('b'), aSong('c')], { 'song/b': 'one', 'song/c': 'one' }),
    );
    expect(bound.plan.changes.map(({ action, address, blocked }) => [action, address, blocked?.check])).toEqual([
      ['create', 'song/b', 'identity'],
      ['create', 'song/c', 'identity'],
      ['delete', 'song/~two', undefined],
    ]);
  });
});

describe('renames of a kind with unique names', () => {
  const rules = { r1: { name: 'p', strength: 1 }, r2: { name: 'q', strength: 1 } };
  const changesOf = async (desiredState: ReturnType<typeof desiredStateOf>, holdings = rules) => {
    const { plan } = await planFor(new FakeAccount({ rules: holdings }), desiredState, { target: { ...target, ownership: 'shared' } });
    return plan.changes.map(({ action, address, wave, blocked }) => `${wave} ${action} ${address} ${blocked?.check ?? 'not blocked'}`);
  };

  it('are blocked if another object keeps the name', async () => {
    expect(await changesOf(desiredStateOf([aRule('q')], { 'rule/q': 'r1' }))).toEqual(['0 update rule/q identity']);
  });

  it('precede a create that takes the former name', async () => {
    expect(await changesOf(desiredStateOf([aRule('p'), aRule('new')], { 'rule/new': 'r1' }))).toEqual([
      '0 update rule/new not blocked',
      '1 create rule/p not blocked',
    ]);
  });

  it('are blocked if they form a cycle', async () => {
    const swapped = desiredStateOf([aRule('p'), aRule('q')], { 'rule/p': 'r2', 'rule/q': 'r1' });
    expect(await changesOf(swapped)).toEqual(['0 update rule/p identity', '0 update rule/q identity']);
  });

  it('never let a create overwrite an object that two addresses claim', async () => {
    const claimed = desiredStateOf([aRule('p'), aRule('s'), aRule('t')], { 'rule/s': 'r1', 'rule/t': 'r1' });
    expect(await changesOf(claimed, { r1: { name: 'p', strength: 1 }, r2: { name: 'q', strength: 1 } })).toEqual([
      '0 create rule/p identity',
      '0 create rule/s identity',
      '0 create rule/t identity',
    ]);
  });
});

describe('names that need not be unique', () => {
  it('do not block a create because of an object with that name that is never matched by name', async () => {
    const account = new FakeAccount({ songs: { q: { title: 'a', level: 0, list: ['q'] } } });
    const { plan } = await planFor(account, desiredStateOf([aSong('a'), aSingle('q', { title: 'a' })]));
    expect(plan.changes.map(({ action, address, blocked }) => [action, address, blocked])).toEqual([['create', 'song/a', null]]);
  });
});

describe('--only', () => {
  const account = () => new FakeAccount({ songs, rules: { r: { name: 'gone', strength: 1 } } });
  const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b'), aSingle('q'), aRule('p'), theDial(true, [])]);

  it('filters changes, and does not read the kinds that it does not select', async () => {
    const own = account();
    const planResult = await planFor(own, desiredState, { ...only('song/a') });
    expect(changeLines(planResult)).toEqual(['update song/a']);
    expect(planResult.plan.readStatus).toEqual({ song: 'complete', rule: 'skipped', dial: 'skipped' });
    expect(own.log('all').filter((request) => request !== 'GET /songs')).toEqual([]);
    expect(planResult.plan.summary).toMatchObject({ create: 0, update: 1, delete: 0, unchanged: 0 });
  });

  it('accepts several globs, settings and undeclared objects', async () => {
    const planResult = await planFor(account(), desiredState, { ...only('dial', 'rule/~*') });
    expect(changeLines(planResult)).toEqual(['update dial', 'delete rule/~r']);
    expect(planResult.plan.readStatus.song).toBe('skipped');
  });

  it('applies safety checks to the full plan', async () => {
    const limits = { ...target.limits, delete: { count: 1, percent: 100 } };
    const planResult = await planFor(account(), desiredStateOf([]), { ...only('song/~one'), target: { ...target, limits } });
    expect(planResult.plan.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([['song/~one', 'deletes']]);
  });

  it('keeps the digests of the full plan', async () => {
    const whole = await planFor(account(), desiredState);
    const part = await planFor(account(), desiredState, { ...only('song/*') });
    const digests = whole.plan.changes
      .filter(({ kind, address }) => kind === 'song' && address.startsWith('song/'))
      .map(({ digest }) => digest);
    expect(part.plan.changes.map(({ digest }) => digest)).toEqual(digests);
  });
});

describe('findings about the account', () => {
  it('are located at the declaration, with the severity that `rules` sets', async () => {
    const account = () => new FakeAccount({ dial: { list: [], open: false, worn: true } });
    const findings = async (rules: { readonly [code: string]: 'error' | 'warning' | 'off' }) => {
      const { plan } = await planFor(account(), desiredStateOf([theDial(false, [])]), { severityRules: rulesOf(rules) });
      return plan.findings.map(({ severity, code, file, address }) => [severity, code, file, address]);
    };
    expect(await findings({})).toEqual([['warning', 'worn', 'dial.yaml', 'dial']]);
    expect(await findings({ worn: 'error' })).toEqual([['error', 'worn', 'dial.yaml', 'dial']]);
    expect(await findings({ worn: 'off' })).toEqual([]);
  });

  it('have only the members of a finding, and are sorted together with the others', async () => {
    const finding = { severity: 'warning', code: 'c', summary: 's', file: 'zzz.yaml', line: 1, column: 1 } as const;
    const positionOf = () => ({ file: 'config.yaml', line: 3, column: 5, excerpt: 'dial: {}', written: 'secret' });
    const declaration = { ...desiredStateOf([aSong('a')], { 'song/a': 'gone' }), findings: [finding], positionOf };
    const { plan } = await planFor(new FakeAccount({ dial: { list: [], open: false, worn: true } }), declaration);
    expect(plan.findings.map(({ code }) => code)).toEqual(['adopt-target-missing', 'worn', 'c']);
    expect(Object.keys(plan.findings[0] ?? {}).sort()).toEqual([
      'address',
      'code',
      'column',
      'excerpt',
      'file',
      'hint',
      'line',
      'severity',
      'summary',
    ]);
  });
});

describe('the order of the list of kinds', () => {
  it('does not affect the plan', async () => {
    const desiredState = desiredStateOf([aSong('a'), aSong('b'), aRule('p'), theDial(true, ['s'])]);
    const one = await planFor(new FakeAccount({ songs }), desiredState);
    const other = await planFor(new FakeAccount({ songs }), desiredState, { kinds: kinds.toReversed() });
    expect(other.plan.changes).toEqual(one.plan.changes);
    expect(other.plan.requests).toEqual(one.plan.requests);
  });
});

describe('the event loop', () => {
  it('gets control between the stages of a plan and between kinds, so that other targets continue', async () => {
    const account = new FakeAccount({ songs });
    let [turns, isPlanned] = [0, false];
    const others = async (): Promise<void> => {
      for (; !isPlanned; turns++) await new Promise((resolve) => setImmediate(resolve));
    };
    const planning = planFor(account, desiredStateOf([aSong('a'), aSong('new'), aRule('p')])).finally(() => {
      isPlanned = true;
    });
    await Promise.all([planning, others()]);
    // Stages: read, diff (each kind), impact, schedule, guards and safety checks, undeclared objects, plan document.
    expect(turns).toBeGreaterThanOrEqual(kinds.length + 5);
  });
});
