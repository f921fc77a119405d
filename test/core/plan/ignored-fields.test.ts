import { describe, expect, it } from 'vitest';
import { liveOf } from '../../../src/core/kinds/drm-policy/api.ts';
import { drmPolicy } from '../../../src/core/kinds/drm-policy/index.ts';
import { keyRotationSchedule } from '../../../src/core/kinds/key-rotation-schedule/index.ts';
import type { DesiredResource, Kind, LiveResource, ResourceChange } from '../../../src/core/kinds/kind.ts';
import type { FieldDifference } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { differencesOf } from '../../../src/core/plan/diff-resources.ts';
import {
  differingIgnoredValues,
  ignoredValues,
  sendsIgnored,
  separateExpiredIgnores,
  whyNotSendable,
  withLiveValues,
  withPlaceholdersForIgnored,
} from '../../../src/core/plan/ignored-fields.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { verifySavedPlan } from '../../../src/core/plan/saved-plan.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song as songKind } from '../../support/fake-kinds.ts';
import { aLiveRule, aLiveSong, aRule, aSong, changeLines, desiredStateOf, planFor, target, theDial } from '../../support/planning.ts';
import { lastAppliedOf, stateWith } from '../../support/previous-states.ts';
import { declareServices, onlyItem } from '../kinds/fixtures.ts';

const DAY = 86_400_000;

/** Ignores fields of a resource, until a day where one is given. */
function ignoring(resource: DesiredResource, paths: readonly string[], until?: string): DesiredResource {
  const more = until === undefined ? {} : { until, why: 'editors' };
  return { ...resource, ignored: paths.map((path) => ({ path, ...more, declared: { file: 'a.yaml', line: 7, column: 3 } })) };
}

function song(fields: JsonObject = {}): FakeAccount {
  return new FakeAccount({ songs: { 'id-1': { title: 'a', level: 1, list: ['x', 'y'], ...fields } } });
}

async function planOf(account: FakeAccount, desired: DesiredResource, more: Partial<PlanInput> = {}) {
  const result = await planFor(account, desiredStateOf([desired]), more);
  const [change] = result.plan.changes;
  return { ...result, change, paths: change?.fields.map(({ path }) => path) ?? [] };
}

describe('the plan of a live object', () => {
  it.each<[string, readonly string[], JsonObject, readonly string[]]>([
    ['only an ignored field differs', ['/level'], { level: 2 }, []],
    ['all differences are ignored', ['/level', '/list'], { level: 2, list: ['z'] }, []],
    ['an ignored and another field differ', ['/level'], { level: 2, list: ['z'] }, ['/list']],
    ['another field differs', ['/level'], { list: ['z'] }, ['/list']],
    ['an ignored field differs, of another name', ['/lev'], { level: 2 }, ['/level']],
  ])('where %s', async (_when, paths, live, expected) => {
    const planned = await planOf(song(live), ignoring(aSong('a', { level: 1 }), paths));
    expect(planned.paths).toEqual(expected);
    expect(changeLines(planned)).toEqual(expected.length === 0 ? [] : ['update song/a']);
    expect(planned.plan.summary.unchanged).toBe(expected.length === 0 ? 1 : 0);
  });

  it('names ignored fields in the change, with their live values, last day and reason', async () => {
    const { change, plan } = await planOf(song({ level: 2, list: ['z'] }), ignoring(aSong('a'), ['/level'], '2027-03-31'));
    expect(change?.ignored).toEqual([{ path: '/level', live: 2, until: '2027-03-31', why: 'editors' }]);
    expect(plan).not.toHaveProperty('ignored');
  });

  it('names ignored fields of a resource without a change only where they differ from what is declared', async () => {
    const { plan } = await planOf(song({ level: 2 }), ignoring(aSong('a'), ['/level', '/list']));
    expect(plan.ignored).toEqual([{ address: 'song/a', path: '/level', live: 2 }]);
    expect((await planOf(song({ level: 0 }), ignoring(aSong('a'), ['/level']))).plan).not.toHaveProperty('ignored');
  });

  it('leaves ignored fields out of effect, digest and fingerprint', async () => {
    const desired = ignoring(aSong('a', { list: ['q', 'r'] }), ['/level'], '2027-03-31');
    const [first, second] = [await planOf(song({ level: 5 }), desired), await planOf(song({ level: 9 }), desired)];
    const third = await planOf(song({ level: 5 }), ignoring(aSong('a', { list: ['q', 'r'], level: 7 }), ['/level']));
    expect(first.change?.effect).toBe('neutral');
    for (const other of [second, third]) {
      expect(other.change?.digest).toBe(first.change?.digest);
      expect(other.plan.fingerprint).toBe(first.plan.fingerprint);
      expect(other.plan.requests).toEqual(first.plan.requests);
    }
  });

  it('is not out of date in a saved plan because an ignored field moved, but because another field is ignored', async () => {
    const desired = (...paths: readonly string[]) => ignoring(aSong('a', { list: ['q', 'r'] }), paths);
    const { plan: saved } = await planOf(song({ level: 5 }), desired('/level'));
    expect(verifySavedPlan(saved, await planOf(song({ level: 9 }), desired('/level')))).toMatchObject({ notInPlan: [] });
    expect(verifySavedPlan(saved, await planOf(song({ level: 0 }), desired()))).toMatchObject({
      stale: ['song/a: what is left to others is shown as ["/level",null,null], and is none now'],
    });
  });

  it('sends the declared value of an ignored field with a create', async () => {
    const { change, plan } = await planOf(new FakeAccount(), ignoring(aSong('a', { level: 3 }), ['/level']));
    expect(change).toMatchObject({ action: 'create', fields: [{ path: '/level', after: 3 }, { path: '/list' }, { path: '/title' }] });
    expect(change).not.toHaveProperty('ignored');
    expect(plan.requests[0]?.body).toMatchObject({ level: 3 });
  });

  it('deletes and forgets an object whatever its address ignored before', async () => {
    const { plan } = await planFor(song(), desiredStateOf([]), { lastApplied: lastAppliedOf([ignoring(aSong('a'), ['/level'])]) });
    expect(plan.changes).toMatchObject([{ action: 'delete', name: 'a' }]);
  });

  it('shows requests that hold a live value with a placeholder', async () => {
    const account = new FakeAccount({ dial: { list: ['a'], open: true } });
    const { plan, change } = await planOf(account, ignoring(theDial(false, ['b']), ['/open']));
    expect(change?.fields.map(({ path }) => path)).toEqual(['/list']);
    expect(plan.requests).toMatchObject([{ path: '/dial/list', body: { list: ['b'] } }]);
  });
});

describe('an ignored field whose last day is over', () => {
  const over = '2027-03-31';
  const after = () => Date.parse(over) + DAY;
  const desired = ignoring(aSong('a', { level: 3, list: ['q'] }), ['/level'], over);

  it('is compared again, and its change is blocked until the entry is renewed or removed', async () => {
    const { change, paths } = await planOf(song(), desired, { now: after });
    expect(paths).toEqual(['/level', '/list']);
    expect(change?.blocked).toMatchObject({
      check: 'ignore-expired',
      reason: '`ignore_changes` left /level until 2027-03-31 (a.yaml:7) to others, which is over',
      lift: { edit: 'renew or remove the entry of `ignore_changes`', allow: 'ignore-expired' },
    });
    expect(change).not.toHaveProperty('ignored');
  });

  it('is still ignored in the last millisecond of its last day', async () => {
    const { change, paths } = await planOf(song(), desired, { now: () => after() - 1 });
    expect([paths, change?.blocked]).toEqual([['/list'], null]);
  });

  it('blocks no change of another field, and no create', async () => {
    expect((await planOf(song({ level: 3 }), desired, { now: after })).change?.blocked).toBeNull();
    expect((await planOf(new FakeAccount(), desired, { now: after })).change).toMatchObject({ action: 'create', blocked: null });
  });

  it('is written where the check is overridden, and the plan counts that', async () => {
    const overrides = { deletes: 0, checks: new Set(['ignore-expired'] as const) };
    const { change, plan } = await planOf(song(), desired, { now: after, overrides });
    expect(change?.blocked).toBeNull();
    expect(plan.overrides).toEqual([{ check: 'ignore-expired', count: 1 }]);
  });

  it('stays ignored where another entry ignores it longer', async () => {
    const both = { ...desired, ignored: [...(desired.ignored ?? []), ...(ignoring(aSong('a'), ['/level'], '2027-04-01').ignored ?? [])] };
    expect(await planOf(song(), both, { now: after })).toMatchObject({ paths: ['/list'], change: { blocked: null } });
  });
});

describe('the origin of a field that was ignored at the last apply', () => {
  const applied = ignoring(aSong('a', { level: 1 }), ['/level']);
  const origins = async (live: JsonObject, desired: DesiredResource) => {
    const { change } = await planOf(song(live), desired, { lastApplied: lastAppliedOf([applied]) });
    return change && [change.origin, ...change.fields.map(({ path, origin }) => `${path} ${origin}`)];
  };

  it('is unknown, whoever changed it', async () => {
    expect(await origins({ level: 2 }, aSong('a', { level: 1 }))).toEqual(['unknown', '/level unknown']);
    expect(await origins({ level: 1 }, aSong('a', { level: 2 }))).toEqual(['unknown', '/level unknown']);
  });

  it('does not change that of other fields', async () => {
    expect(await origins({ level: 2, list: ['z'] }, aSong('a', { level: 1 }))).toEqual(['unknown', '/level unknown', '/list drift']);
  });

  it('is known where the field is ignored only now', async () => {
    const lastApplied = lastAppliedOf([aSong('a', { level: 1 })]);
    expect((await planOf(song({ level: 2 }), aSong('a', { level: 1 }), { lastApplied })).change?.origin).toBe('drift');
  });
});

describe('what drifted', () => {
  /** Lowers the level of a song, and edits its list, by hand. */
  const desired = (level: number) => ignoring(aSong('a', { level }), ['/level', '/list']);
  const drifted = async (level: number, more: Partial<PlanInput> = {}, live: JsonObject = {}) => {
    const { paths, plan } = await planOf(song({ list: ['z', 'w'], ...live }), desired(level), {
      reportsRiskyEditsOfIgnoredFields: true,
      ...more,
    });
    return { paths, ignored: plan.ignored ?? plan.changes[0]?.ignored };
  };

  it('contains no edit of an ignored field that weakens nothing', async () => {
    expect(await drifted(0)).toEqual({
      paths: [],
      ignored: [
        { address: 'song/a', path: '/level', live: 1 },
        { address: 'song/a', path: '/list', live: ['z', 'w'] },
      ],
    });
  });

  it('contains an edit of an ignored field that weakens protection, and no other ignored field of the resource', async () => {
    expect(await drifted(5)).toEqual({ paths: ['/level'], ignored: [{ path: '/list', live: ['z', 'w'] }] });
  });

  it('contains no edit of an ignored field where the target allows risky edits of the address', async () => {
    const allowed = { ...target, ignoreChanges: { allowed: true, acceptRiskyEditsAt: ['song/*'] } };
    expect((await drifted(5, { target: allowed })).paths).toEqual([]);
  });

  it('contains an edit of a field that a new address alone would allow', async () => {
    const allowed = { ...target, ignoreChanges: { allowed: true, acceptRiskyEditsAt: ['song/a'] } };
    const boundTo = (address: string) => stateWith({ [address]: 'id-1' });
    expect((await drifted(5, { target: allowed, ledgerState: boundTo('song/a') })).paths).toEqual([]);
    expect((await drifted(5, { target: allowed, ledgerState: boundTo('song/b') })).paths).toEqual(['/level']);
  });

  it('contains an edit of an ignored field that stops playback on devices', async () => {
    const { analyzeImpact } = stoppedBy(['/list']);
    expect((await drifted(0, { analyzeImpact })).paths).toEqual(['/list']);
  });

  it('contains all edits of ignored fields that stop playback only together', async () => {
    const { analyzeImpact, asked } = stoppedBy(['/level', '/list']);
    expect((await drifted(0, { analyzeImpact })).paths).toEqual(['/level', '/list']);
    expect(asked.slice(0, 3)).toEqual([['/level', '/list'], ['/level'], ['/list']]);
  });

  it('is no part of a plan: risky edits of ignored fields are neither compared nor written', async () => {
    expect((await drifted(5, { reportsRiskyEditsOfIgnoredFields: false })).paths).toEqual([]);
  });

  /** An analysis by which playback stops where all of these fields of the song differ. */
  function stoppedBy(paths: readonly string[]) {
    const asked: string[][] = [];
    const analyzeImpact: PlanInput['analyzeImpact'] = ({ resourcesOf }) => {
      const differing = resourcesOf('song').flatMap(({ before, after }) =>
        ['level', 'list'].filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])).map((name) => `/${name}`),
      );
      asked.push(differing);
      const isStopped = paths.every((path) => differing.includes(path));
      const reasons = [{ playback: 'stops', text: 'it stops' } as const];
      return { byChange: new Map(), playbackReasons: new Map(isStopped ? [['song/a', reasons]] : []), summary: null };
    };
    return { analyzeImpact, asked };
  }
});

describe('live values that are sent with the declared ones', () => {
  const difference: FieldDifference = { path: '/list', before: ['a'], after: ['b'] };

  it('block the update where the whole could not be declared', async () => {
    const account = new FakeAccount({ dial: { list: ['a'], open: true } });
    const seen: unknown[] = [];
    const whyNotDeclarable: PlanInput['whyNotDeclarable'] = (kind, objects) => {
      seen.push([kind.name, objects.map(({ fields }) => fields)]);
      return new Map([['', 'an open dial has no list']]);
    };
    const { change } = await planOf(account, ignoring(theDial(false, ['b']), ['/open']), { whyNotDeclarable });
    expect(change).toMatchObject({ fields: [difference], blocked: { check: 'ignored-value' } });
    expect(change?.blocked?.reason).toBe(
      'it would be sent with live values of ignored fields, and the whole could not be declared: an open dial has no list',
    );
    expect(seen).toEqual([['dial', [{ list: ['b'], open: true }]]]);
  });

  it('are not checked where only the fields that differ are sent', async () => {
    const whyNotDeclarable: PlanInput['whyNotDeclarable'] = (_kind, objects) => new Map(objects.map(({ id }) => [id ?? '', 'never']));
    const { change } = await planOf(song({ list: ['z', 'w'] }), ignoring(aSong('a'), ['/level']), { whyNotDeclarable });
    expect(change).toMatchObject({ blocked: null });
  });
});

describe('an ignored field without a live value', () => {
  const ignored = (path: string) => [{ path, declared: { file: 'a.yaml', line: 1, column: 1 } }];

  it('is sent as declared where the answer of the service does not show it', () => {
    const declared = onlyItem(
      drmPolicy.declare({ drm_policies: { p: { playready: { license_begin_seconds: 60 } } } }, declareServices).resources,
    );
    const live = liveOf(
      { method: 'GET', path: '/', repeatable: true },
      { _id: '1', policy_name: 'p', playready: { can_persist: true } },
      0,
    );
    const desired = { ...declared, ignored: ignored('/playready') };
    expect(withLiveValues(drmPolicy, desired, live).declaredFields).toEqual({
      playready: { can_persist: true, license_begin_seconds: 60 },
    });
    expect(differencesOf(drmPolicy, desired, live, 0)).toEqual([]);
  });

  it('is sent as declared in a setting where it was never set, and is no reason to write', () => {
    const schedule = { enabled: true, frequency: 1, unit: 'd', hour: 20 };
    const declared = onlyItem(keyRotationSchedule.declare({ key_rotation_schedule: schedule }, declareServices).resources);
    const live = { id: null, fields: { enabled: false }, unknownMembers: [] } as const;
    const desired = { ...declared, ignored: ignored('/hour') };
    expect(withLiveValues(keyRotationSchedule, desired, live).declaredFields).toEqual(schedule);
    const paths = differencesOf(keyRotationSchedule, desired, live, 0).map(({ path }) => path);
    expect(paths).toEqual(['/enabled', '/frequency', '/unit']);
  });
});

describe('the ignored fields of a resource', () => {
  const declared = { file: 'a.yaml', line: 7, column: 3 };
  const [open, ended, ending] = ['/open', '/ended', '/ending'].map((path) => ({
    path,
    declared,
    ...(path === '/open' ? {} : { until: '2027-03-31' }),
  }));
  const ignored = [open, ended, ending].flatMap((field) => field ?? []);

  it('are separated from those that have expired, which are added to the ones that are known', () => {
    const after = Date.parse('2027-04-01');
    const before = { path: '/before', declared };
    const separated = separateExpiredIgnores({ ...aSong('a'), ignored, expired: [before] }, after);
    expect([separated.ignored, separated.expired]).toEqual([[open], [before, ended, ending]]);
    const none = separateExpiredIgnores({ ...aSong('a'), ignored: ignored.slice(1) }, after);
    expect(none).toStrictEqual({ ...aSong('a'), expired: [ended, ending] });
  });

  it('stay as they are where none has expired', () => {
    const resource = { ...aSong('a'), ignored };
    expect(separateExpiredIgnores(resource, 0)).toStrictEqual(resource);
    expect(separateExpiredIgnores(aSong('a'), 0)).toStrictEqual(aSong('a'));
  });

  it('are shown with their live values: null where only the declaration has one, and not at all where neither has', () => {
    const desired = ignoring({ ...aSong('a'), fields: { both: 1, declared: 2 } }, ['/both', '/declared', '/live', '/neither']);
    const live = { ...aLiveSong('one'), fields: { both: 3, live: 4 } };
    expect(ignoredValues(desired, live)).toStrictEqual([
      { path: '/both', live: 3 },
      { path: '/declared', live: null },
      { path: '/live', live: 4 },
    ]);
    expect(differingIgnoredValues(ignoring(desired, ['/both', '/neither'], '2027-03-31'), live)).toStrictEqual([
      { path: '/both', live: 3, until: '2027-03-31', why: 'editors' },
    ]);
  });

  it('have live values also below an object that a read may leave out', () => {
    const desired = ignoring({ ...aSong('a'), fields: { more: { one: 1, two: 2 } } }, ['/more/one']);
    const live = { ...aLiveSong('one'), fields: { more: { one: 5, two: 6 } }, maybeMissingInRead: ['/more'] };
    expect(withLiveValues(songKind, desired, live).fields).toEqual({ more: { one: 5, two: 2 } });
  });

  it('have live values in what a setting declares, and leave that alone where no value differs', () => {
    const desired = { ...ignoring(theDial(false, []), ['/open']), declaredFields: { list: [] } };
    const live = (isOpen: boolean): LiveResource => ({ id: null, fields: { list: ['z'], open: isOpen }, unknownMembers: [] });
    expect(withLiveValues(dial, desired, live(false)).declaredFields).toEqual({ list: [] });
    expect(withLiveValues(dial, desired, live(true)).declaredFields).toEqual({ list: [], open: true });
    const song = { ...ignoring(aSong('a'), ['/level']), declaredFields: {} };
    expect(withLiveValues(songKind, song, aLiveSong('one', { level: 4 }))).toMatchObject({ fields: { level: 4 }, declaredFields: {} });
  });
});

describe('a resource that is sent whole', () => {
  const desired = ignoring(aRule('p', 1), ['/strength']);
  const live = aLiveRule('r1', 'q', 5);

  it.each<[string, boolean, Kind, ResourceChange]>([
    ['an update of a policy with ignored fields', true, rule, { desired, live }],
    ['an update of a setting with ignored fields', true, dial, { desired: ignoring(theDial(true, []), ['/list']), live }],
    ['an update of a kind of which only the fields that differ are sent', false, songKind, { desired, live }],
    ['an update without ignored fields', false, rule, { desired: aRule('p'), live }],
    ['a create', false, rule, { desired, live: null }],
    ['a delete', false, rule, { desired: null, live }],
  ])('%s holds live values: %s', (_what, expected, kind, change) => {
    expect(sendsIgnored(kind, change)).toBe(expected);
  });

  it('is checked with its own name, or else with that of the live object', () => {
    const seen: unknown[] = [];
    const whyNotDeclarable: PlanInput['whyNotDeclarable'] = (_kind, objects, now) => {
      seen.push([...objects.map((each) => [each.id, 'remoteName' in each && each.remoteName, each.fields]), now]);
      return new Map([['r1', 'two names']]);
    };
    const { remoteName: _name, ...unnamed } = desired;
    expect(whyNotSendable(rule, { desired, live }, whyNotDeclarable, 7)).toBe('two names');
    expect(whyNotSendable(rule, { desired: unnamed, live }, whyNotDeclarable, 7)).toBe('two names');
    expect(seen).toEqual([
      [['r1', 'p', desired.fields], 7],
      [['r1', 'q', desired.fields], 7],
    ]);
  });

  it('has placeholders for ignored fields in the plan, so that its digest does not depend on their live values', async () => {
    const planned = async (strength: number) => {
      const account = new FakeAccount({ rules: { r1: { name: 'q', strength } } });
      return (await planFor(account, desiredStateOf([desired], { 'rule/p': 'r1' }))).plan;
    };
    const [first, second] = [await planned(5), await planned(9)];
    expect(first.requests.map(({ body }) => body)).toEqual([{ name: 'p', strength: '(live value)' }]);
    expect(second.requests).toEqual(first.requests);
    expect([first.changes[0]?.ignored, second.changes[0]?.ignored]).toEqual([
      [{ path: '/strength', live: 5 }],
      [{ path: '/strength', live: 9 }],
    ]);
    expect(second.changes[0]?.digest).toBe(first.changes[0]?.digest);
  });

  it('has no placeholder where it is created', () => {
    expect(withPlaceholdersForIgnored(rule, { desired, live: null })).toEqual({ desired, live: null });
  });
});
