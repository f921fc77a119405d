import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GuardDefinition } from '../../../src/core/config/project.ts';
import { evaluateGuards, type GuardInput } from '../../../src/core/guards/evaluate.ts';
import { weakens } from '../../../src/core/kinds/kind.ts';
import type { Row } from '../../../src/core/model/impact.ts';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aRule, aSong, desiredStateOf, planFor } from '../../support/planning.ts';
import { rulesOf } from '../../support/rules.ts';

const sourcePosition = () => ({ file: 'upkeep.yaml', line: 3, column: 5 });

function guard(verdict: GuardDefinition['verdict'], condition: string, id = 'mine'): GuardDefinition {
  return { id, verdict, conditions: [condition], message: 'ask the rights team', position: sourcePosition };
}

/** A rule that gets weaker and a song that is new, under these guards. */
async function planWithGuards(...guards: readonly GuardDefinition[]) {
  const account = new FakeAccount({ rules: { r1: { name: 'gate', strength: 3 } } });
  const { plan } = await planFor(account, desiredStateOf([aRule('gate', 1), aSong('tune')]), { guards });
  return { plan, blocked: Object.fromEntries(plan.changes.map((change) => [change.address, change.blocked])) };
}

describe('a guard', () => {
  test('blocks the changes that it denies, with its id and message, and nothing else', async () => {
    const { blocked, plan } = await planWithGuards(guard('deny', 'change.kind == "rule"'));
    expect(blocked).toEqual({
      'rule/gate': {
        check: 'guard',
        reason: 'guard `mine`: ask the rights team',
        guards: ['mine'],
        lift: { edit: 'change what it objects to, or edit `guards` in upkeep.yaml, under review' },
      },
      'song/tune': null,
    });
    expect(plan.findings).toEqual([]);
  });

  test('that only warns adds a finding at its location for each change, and blocks nothing', async () => {
    const { blocked, plan } = await planWithGuards(guard('warn', 'change.kind == "song"'));
    expect(blocked).toEqual({ 'rule/gate': null, 'song/tune': null });
    expect(plan.findings).toEqual([
      { ...sourcePosition(), severity: 'warning', code: 'guard', summary: 'guard `mine`: ask the rights team', address: 'song/tune' },
    ]);
  });

  test('that fails blocks, even if it would only warn, and is reported once', async () => {
    for (const verdict of ['deny', 'warn'] as const) {
      const { blocked, plan } = await planWithGuards(guard(verdict, 'change.fields[9].path == "/x"'));
      const reason = expect.stringMatching(/^guard `mine`: it could not be evaluated: .*index 9/);
      expect(blocked).toMatchObject({ 'rule/gate': { check: 'guard', reason }, 'song/tune': { check: 'guard', reason } });
      expect(plan.findings).toMatchObject([
        { ...sourcePosition(), code: 'guard-failed', summary: expect.stringContaining('so it blocks') },
      ]);
    }
  });

  test('is named together with another one that denies the same change', async () => {
    const { blocked } = await planWithGuards(guard('deny', 'true', 'one'), guard('deny', 'change.kind == "rule"', 'two'));
    expect(blocked['rule/gate']?.reason).toBe('guard `one`: ask the rights team; guard `two`: ask the rights team');
    expect(blocked['song/tune']?.reason).toBe('guard `one`: ask the rights team');
  });

  test('gets the whole plan before safety checks, and does not change the fingerprint', async () => {
    const { blocked, plan } = await planWithGuards(guard('deny', 'plan.create + plan.update == 2 && plan.changes.size() == 2'));
    expect(Object.values(blocked).every((each) => each?.check === 'guard')).toBe(true);
    expect(plan.fingerprint).toBe((await planWithGuards()).plan.fingerprint);
    expect(plan.requests).toEqual([]);
  });
});

describe('evaluateGuards', () => {
  const scheduled = (action: 'create' | 'update' | 'delete' | 'adopt', address: string): PlannedChange =>
    changed(plannedOf(song, action), {
      address,
      name: 'tune',
      effect: 'weakens',
      playback: 'stops',
      playbackReasons: [{ playback: 'stops', text: 'it falls silent' }],
      fields: [
        {
          path: '/level',
          before: 2,
          after: 1,
          origin: 'drift',
          effect: 'weakens',
          reasons: [weakens('the gate opens'), weakens('it stays open')],
        },
      ],
      phase: 'weaken',
    });
  const updated = scheduled('update', 'song/a');
  const { origin } = updated.change;
  const input = (guards: GuardInput['guards'], more: Partial<GuardInput> = {}): GuardInput => ({
    target: 'stage',
    guards,
    run: { command: 'apply', ci: 'github', actor: 'ada', commit: 'c0ffee', message: '', branch: 'main', pullRequest: '7' },
    positionOf: (path) => ({ file: `${path.join('/')}.yaml`, line: 1, column: 1 }),
    impacts: new Map(),
    rules: [],
    ...more,
  });

  test('knows the former address and the live name of an object, whatever its declaration is called', async () => {
    const moved: PlannedChange = { ...updated, change: { ...updated.change, action: 'update', movedFrom: 'song/before' } };
    const known = guard('deny', 'change.former_address == "song/before" && change.live_name == "The title"');
    expect([...(await evaluateGuards([moved, updated], input([known]))).denied.keys()]).toEqual([moved]);
    const unknown = guard('deny', 'change.former_address == "" && change.live_name == ""');
    const created = scheduled('create', 'song/new');
    expect([...(await evaluateGuards([moved, created], input([unknown]))).denied.keys()]).toEqual([created]);
  });

  /** Builds the condition that an expression has this value: objects member by member, since the values of a map have one type only. */
  function hasValue(expression: string, value: Json): string {
    if (Array.isArray(value))
      return [`${expression}.size() == ${value.length}`, ...value.map((item, index) => hasValue(`${expression}[${index}]`, item))].join(
        ' && ',
      );
    if (!isJsonObject(value)) return `${expression} == ${JSON.stringify(value)}`;
    return Object.entries(value)
      .map(([name, item]) => hasValue(`${expression}.${name}`, item))
      .join(' && ');
  }

  /** Returns the addresses of the changes for which a condition holds. */
  async function holdsFor(condition: string, changes: readonly PlannedChange[], more: Partial<GuardInput> = {}) {
    const { denied } = await evaluateGuards(changes, input([guard('deny', condition)], more));
    expect([...denied.values()].filter(({ reason }) => reason.includes('could not be evaluated'))).toEqual([]);
    return [...denied.keys()].map(({ change }) => change.address);
  }

  test('shows a guard every member of the change', async () => {
    const change = {
      address: 'song/a',
      kind: 'song',
      name: 'tune',
      file: 'songs/a.yaml',
      action: 'update',
      origin,
      effect: 'weakens',
      reasons: ['the gate opens', 'it stays open'],
      playback: 'stops',
      playbackReasons: ['it falls silent'],
      phase: 'weaken',
      fields: [{ path: '/level', before: 2, after: 1, origin: 'drift', effect: 'weakens' }],
      ignored: [],
    };
    expect(await holdsFor(hasValue('change', change), [updated])).toEqual(['song/a']);
    expect(await holdsFor(hasValue('plan.changes', [change]), [updated])).toEqual(['song/a']);
  });

  test('shows a guard every member of the run', async () => {
    const run = { command: 'apply', ci: 'github', actor: 'ada', commit: 'c0ffee', branch: 'main', pull_request: '7' };
    expect(await holdsFor(hasValue('run', run), [updated])).toEqual(['song/a']);
  });

  test('shows a guard the file that declares the resource: that of a list of assets where it has one, and none for a delete', async () => {
    const inTextFile = { ...aSong('t'), textFilePosition: { file: 'songs.txt', line: 3, column: 1 } };
    const listed = changed(plannedOf(song, 'update', { desired: inTextFile }), { address: 'song/t' });
    const changes = [updated, listed, scheduled('delete', 'song/d')];
    expect(await holdsFor('change.file.endsWith(".yaml")', changes)).toEqual(['song/a']);
    expect(await holdsFor('change.file == "songs.txt"', changes)).toEqual(['song/t']);
    expect(await holdsFor('change.file == ""', changes)).toEqual(['song/d']);
  });

  test('shows a guard which fields of the change are left to others', async () => {
    const ignored = ['/title', '/list/0'].map((path) => ({ path, declared: { file: 'songs.yaml', line: 1, column: 1 } }));
    const leaving = changed(plannedOf(song, 'update', { desired: { ...aSong('a'), ignored } }), { address: 'song/i' });
    const changes = [updated, leaving, scheduled('delete', 'song/d')];
    expect(await holdsFor('change.ignored == ["/title", "/list/0"]', changes)).toEqual(['song/i']);
    expect(await holdsFor('change.ignored.size() == 0', changes)).toEqual(['song/a', 'song/d']);
  });

  test('shows a guard the number of changes of each action that writes, whatever the order', async () => {
    const changes = [
      scheduled('delete', 'song/d'),
      scheduled('create', 'song/b'),
      updated,
      scheduled('delete', 'song/e'),
      scheduled('create', 'song/c'),
      scheduled('delete', 'song/f'),
    ];
    const condition = 'change.address == "song/a" && [plan.create, plan.update, plan.delete, plan.changes.size()] == [2, 1, 3, 6]';
    expect(await holdsFor(condition, changes)).toEqual(['song/a']);
  });

  test('shows a guard the impact on devices of its change only', async () => {
    const shown = {
      address: 'song/a',
      device: 'iphone',
      name: 'iPhone',
      system: 'fairplay',
      lost: ['HD'],
      gained: ['SD'],
      restricted: ['UHD1'],
      unrestricted: ['UHD2'],
      uncertain: [],
      changed: [],
    } as const;
    const plays = { playback: 'plays', rules: [] } as const;
    const row: Row = { SD: plays, HD: plays, UHD1: plays, UHD2: plays };
    const impacts = new Map([['song/a', [{ ...shown, before: row, after: row }]]]);
    const changes = [updated, scheduled('create', 'song/b')];
    expect(await holdsFor(hasValue('impact', [shown]), changes, { impacts })).toEqual(['song/a']);
    expect(await holdsFor('impact.size() == 0', changes, { impacts })).toEqual(['song/b']);
  });

  test('asks no guard about a change that only the ledger records', async () => {
    expect(await holdsFor('true', [scheduled('adopt', 'song/a')])).toEqual([]);
    expect(await holdsFor('true', [scheduled('adopt', 'song/a'), scheduled('create', 'song/b')])).toEqual(['song/b']);
  });

  test('starts no thread where there is no guard, or nothing that writes', async () => {
    const onThread = vi.fn();
    process.on('worker', onThread);
    onTestFinished(() => void process.off('worker', onThread));
    const nothing = { denied: new Map(), findings: [] };
    expect(await evaluateGuards([updated], input([]))).toEqual(nothing);
    expect(await evaluateGuards([scheduled('adopt', 'song/a')], input([guard('deny', 'true')]))).toEqual(nothing);
    expect(onThread).not.toHaveBeenCalled();
    await evaluateGuards([updated], input([guard('deny', 'true')]));
    expect(onThread).toHaveBeenCalledOnce();
  });

  test('gives a warning the severity that `rules` sets, or leaves it out', async () => {
    const severities = async (rules: Parameters<typeof rulesOf>[0], condition = 'true') =>
      (await evaluateGuards([updated], input([guard('warn', condition)], { rules: rulesOf(rules) }))).findings.map(({ code, severity }) => [
        code,
        severity,
      ]);
    expect(await severities({})).toEqual([['guard', 'warning']]);
    expect(await severities({ guard: 'error' })).toEqual([['guard', 'error']]);
    expect(await severities({ guard: 'off' })).toEqual([]);
    expect(await severities({ guard: 'off' }, 'change.fields[9].path == "/x"')).toEqual([['guard-failed', 'warning']]);
  });

  test('warns of every change for which a guard holds, with its address, and of a failed guard once, without one', async () => {
    const changes = [updated, scheduled('create', 'song/b')];
    const addresses = async (condition: string) =>
      (await evaluateGuards(changes, input([guard('warn', condition)]))).findings.map(({ address }) => address ?? 'none');
    expect(await addresses('true')).toEqual(['song/a', 'song/b']);
    expect(await addresses('change.fields[9].path == "/x"')).toEqual(['none']);
  });

  test('reports the failure of a guard beside its warnings of other changes, whatever their order', async () => {
    const failsForUpdates = guard('warn', 'change.action == "create" || change.fields[9].path == "/x"');
    const created = scheduled('create', 'song/b');
    const found = async (...changes: readonly PlannedChange[]) =>
      (await evaluateGuards(changes, input([failsForUpdates]))).findings.map(({ code, address }) => `${code} ${address ?? 'none'}`);
    expect(await found(updated, created)).toEqual(['guard-failed none', 'guard song/b']);
    expect(await found(created, updated)).toEqual(['guard song/b', 'guard-failed none']);
  });
});
