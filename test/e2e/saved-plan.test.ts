/** One plan: what was reviewed is what is applied, or nothing is (design section 4, rule 2). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { asPlan, fingerprintOf } from '../support/documents.ts';
import { rounds } from '../support/figures.ts';
import { createTestProject, OWNER, projectFile, type TestProject } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { asset, config, declare, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

/** Two playlists that will be updated, and one that will be created. */
const SECTIONS: JsonObject = { playlists: { ...manyPlaylists(2, { repeat: 5 }), ...manyPlaylists(3, { repeat: 5 }) } };

async function plannedProject(): Promise<TestProject & { readonly saved: Plan }> {
  const project = await createTestProject(config(SECTIONS), { seed: { playlist: manyLive(2) } });
  expect((await project.run('plan', '--out', 'json=plan.json')).code).toBe(0);
  return { ...project, saved: asPlan(JSON.parse(project.read('plan.json'))) };
}

async function expectStale(project: TestProject, ...texts: readonly string[]): Promise<void> {
  const refused = await project.refused('apply', '--plan', 'plan.json');
  expect(refused).toMatchObject({ code: 6, document: { error: { exit: 6, code: 'stale-plan' } } });
  for (const text of texts) expect(refused.document.error.summary).toContain(text);
  for (const text of texts) expect(refused.stderr).toContain(text);
  expect(project.writes()).toEqual([]);
}

function saveEdited(project: TestProject, plan: Plan, edit: (plan: Plan) => object): void {
  project.write('plan.json', JSON.stringify({ ...plan, ...edit(plan) }));
}

test('a saved plan is applied as it is, without a question', async () => {
  const project = await plannedProject();
  const applied = await project.apply('--plan', 'plan.json');
  expect(applied).toMatchObject({ code: 0, document: { verified: true, fingerprint: project.saved.fingerprint } });
  expect(project.writes()).toHaveLength(3);
});

test('a saved plan in which the own user ID is hidden is applied, and is refused where what was hidden has changed', async () => {
  const slicers = (...ids: readonly string[]) => ({ static_key: { scope: 'specific', slicer_ids: ids } });
  const project = await createTestProject(config(slicers(`${OWNER}:s1`)), { target: 'weakening: allow' });
  expect((await project.run('plan', '--out', 'json=plan.json')).code).toBe(0);
  expect(project.read('plan.json')).not.toContain(OWNER);
  declare(project, slicers(`${OWNER}:s1`, 's2'));
  await expectStale(project, 'static-key');
  declare(project, slicers(`${OWNER}:s1`));
  expect((await project.apply('--plan', 'plan.json')).code).toBe(0);
  expect(project.live('static-key')).toMatchObject({ static_key_slicer_ids: [`${OWNER}:s1`] });
});

test('a saved plan is not applied after an incomplete read, which the exit code shows even with --skip-blocked', async () => {
  const project = await plannedProject();
  for (const flags of [[], ['--skip-blocked']]) {
    project.emulator.setFaults([{ method: 'GET', path: PLAYLISTS, truncateList: 1 }]);
    expect((await project.run('apply', '--plan', 'plan.json', ...flags)).code).toBe(10);
  }
  expect(project.writes()).toEqual([]);
});

describe('a saved plan is stale, and nothing is written,', () => {
  test('after a planned field changed on the account, and the difference is shown', async () => {
    const project = await plannedProject();
    project.editPlaylist('live1', { repeat: 9 });
    await expectStale(project, 'playlist/p1', '/repeat planned 0 -> 5, now 9 -> 5');
  });

  test('after another field of a planned resource changed on the account', async () => {
    const project = await plannedProject();
    project.editPlaylist('live1', { active: 0 });
    await expectStale(project, 'playlist/p1', '/active planned untouched, now 0 -> 1');
  });

  test('after a planned resource was deleted', async () => {
    const project = await plannedProject();
    project.editPlaylist('live1', null);
    await expectStale(project, 'playlist/p1: planned was update; now it would be create');
  });

  test('after it was applied', async () => {
    const project = await plannedProject();
    expect((await project.apply('--plan', 'plan.json')).code).toBe(0);
    project.writes();
    await expectStale(project, 'playlist/p1: planned was update; now there is nothing to do');
  });

  test('after a planned resource changed in the repository', async () => {
    const project = await plannedProject();
    declare(project, { playlists: manyPlaylists(3, { repeat: 6 }) });
    await expectStale(project, '/repeat planned 0 -> 5, now 0 -> 6');
  });

  test.each([
    ['its fingerprint was edited', (plan: Plan) => ({ fingerprint: fingerprintOf(plan).replace(/.{4}$/, '0000') })],
    ['a change was taken out', ({ changes }: Plan) => ({ changes: changes.slice(1) })],
    ['a change was put in twice', ({ changes }: Plan) => ({ changes: [...changes, ...changes.slice(0, 1)] })],
    ['a field was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, fields: [] })) })],
    ['an address was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, address: 'playlist/other' })) })],
    ['an action was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, action: 'delete' })) })],
    ['it is for another target', () => ({ target: 'elsewhere' })],
  ])('where %s', async (_name, edit) => {
    const project = await plannedProject();
    saveEdited(project, project.saved, edit);
    await expectStale(project);
  });

  test('where it was made for another base URL', async () => {
    const project = await plannedProject();
    const other = await createTestProject(config(SECTIONS), { seed: { playlist: manyLive(2) } });
    other.write('plan.json', JSON.stringify(project.saved));
    await expectStale(other, 'fingerprint');
  });
});

describe('a saved plan is applied although', () => {
  test('the account changed elsewhere, and the other differences are named but not applied', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(2, { repeat: 5 }) }), {
      seed: { playlist: [...manyLive(1), ...manyLive(2, { repeat: 5 }).slice(1)] },
    });
    await project.run('plan', '--out', 'json=plan.json');
    project.editPlaylist('live2', { active: 0 });
    const applied = await project.apply('--plan', 'plan.json');
    expect(applied).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 1 } } });
    expect(applied.stderr).toContain('not applied: playlist/p2');
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live1`]);
    expect(project.playlists()).toContainEqual(expect.objectContaining({ id: 'live2', active: 0 }));
  });

  test('the repository declares more now', async () => {
    const project = await plannedProject();
    declare(project, { playlists: manyPlaylists(5, { repeat: 5 }) });
    const applied = await project.apply('--plan', 'plan.json');
    expect(applied).toMatchObject({ code: 0, document: { fingerprint: project.saved.fingerprint, summary: { created: 1, updated: 2 } } });
    expect(applied.stderr).toContain('playlist/p4, playlist/p5');
  });

  test('it was made with --only, and only that part is applied', async () => {
    const project = await plannedProject();
    await project.run('plan', '--only', 'playlist/p2', '--out', 'json=plan.json');
    project.emulator.clearRequests();
    expect((await project.apply('--plan', 'plan.json')).code).toBe(0);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
  });
});

test('a change that a saved plan shows as blocked is applied only with the override, and one that it shows as free may not be blocked', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), {
    seed: { playlist: manyLive(1) },
    target: 'weakening: allow',
  });
  await project.run('plan', '--out', 'json=plan.json');
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('weakening: allow', 'weakening: block'));
  await expectStale(project, 'playlist/p1: it is shown as free, and is blocked now by safety check');
  await project.run('plan', '--out', 'json=plan.json');
  expect((await project.run('apply', '--plan', 'plan.json')).code).toBe(4);
  expect(project.writes()).toEqual([]);
  expect((await project.run('apply', '--plan', 'plan.json', '--allow', 'weakening')).code).toBe(0);
});

/** The members of a saved plan that are not compared, each with the reason. `*` stands for one name or place. */
const NOT_COMPARED: readonly (readonly [member: string, reason: string])[] = [
  ['/config', 'the commit is named in the outcome instead'],
  ['/run', 'it is about the run that made the plan'],
  ['/readStatus', 'it is about the reads of that run; the reads now decide'],
  ['/cost/reads', 'it counts the requests of that run'],
  ['/decision', 'it is what an apply might have done then: each apply decides anew'],
  ['/findings', 'they are about the whole configuration and account'],
  ['/impact', 'it depends on policies and VMP statuses that the plan leaves alone'],
  ['/summary/unchanged', 'it counts what the plan leaves alone'],
  ['/summary/undeclared', 'it counts what the plan leaves alone'],
  ['/summary/recognized', 'it counts what is recognized by its name, and without a ledger each apply recognizes anew'],
  ['/changes/*/origin', 'it depends on what was applied last'],
  ['/changes/*/fields/*/origin', 'it depends on what was applied last'],
  ['/changes/*/declared', 'a declaration may move within the files'],
  ['/changes/*/wave', 'only the order of the waves counts, and which changes are in one'],
  ['/changes/*/blocked/check', 'what blocks a change depends on the whole account'],
  ['/changes/*/blocked/reason', 'what blocks a change depends on the whole account'],
  ['/changes/*/blocked/lift', 'what blocks a change depends on the whole account'],
  ['/changes/*/blocked/limit', 'what blocks a change depends on the whole account'],
  ['/changes/*/blocked/checks', 'what blocks a change depends on the whole account'],
];

type Place = readonly (string | number)[];

/** Returns the places of all members of a document, the inner ones as well. */
function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(at.length > 0 ? [at] : []), ...members.flatMap(([name, member]) => placesIn(member, [...at, name]))];
}

/** Returns the document with one member changed, or undefined to leave it out. */
function editedAt(value: unknown, [name, ...rest]: Place, edit: (member: unknown) => unknown): unknown {
  if (name === undefined) return edit(value);
  if (Array.isArray(value))
    return value
      .flatMap((member: unknown, index) => (index === name ? [editedAt(member, rest, edit)] : [member]))
      .filter((member) => member !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, member === String(name) ? editedAt(inner, rest, edit) : inner]),
  );
}

/** Changes to a member: to another value of its type, to nothing, to another type. */
const EDITS: readonly ((member: unknown) => unknown)[] = [
  (member) => {
    if (typeof member === 'number') return member + 1;
    if (typeof member === 'boolean') return !member;
    if (Array.isArray(member)) return member.length > 0 ? member.slice(1) : ['x'];
    if (typeof member === 'string') return member === 'neutral' ? 'strengthens' : `${member}x`;
    return member === null ? { check: 'guard', reason: 'x', lift: { edit: 'x' } } : {};
  },
  (member) => (member === 'weakens' ? 'neutral' : Array.isArray(member) ? [...member, ...member.slice(0, 1)] : undefined),
  (member) => (member === 'weaken' ? 'strengthen' : null),
];

test('a decision that was edited in a saved plan permits nothing: an apply decides anew', async () => {
  const project = await createTestProject(config({ drm_policies: { a: {} } }), {
    target: 'windows: { deny: [{ why: freeze }] }\nweakening: allow\n',
  });
  await project.run('plan', '--out', 'json=plan.json');
  const plan = asPlan(JSON.parse(project.read('plan.json')));
  expect(plan.decision).toMatchObject({ status: 'waits', sends: [] });
  const sends = plan.changes.map(({ address }) => address);
  const decision = { ...plan.decision, status: 'ready', exit: 0, holds: [], sends, withSkip: sends, next: [] };
  project.write('plan.json', JSON.stringify({ ...plan, decision }));
  const { code, stderr } = await project.run('apply', '--plan', 'plan.json');
  expect([code, stderr]).toEqual([4, expect.stringContaining('its window is closed: freeze')]);
  expect(project.writes()).toEqual([]);
});

test('any one edited member of a saved plan is refused, but those that are known not to be compared', {
  timeout: atMost(rounds(120_000, 600_000)),
}, async () => {
  const project = await createTestProject(
    config({
      playlists: { ...manyPlaylists(1, { repeat: 5 }), ...manyPlaylists(2, { skip_drm: 1 }) },
      smart_starts: { vod: { assets: [asset(4), asset(5)] } },
      drm_policies: { premium: { fairplay: { persistence: true } }, basic: {} },
      vmp_reject_statuses: ['PLATFORM_TAMPERED'],
    }),
    { seed: { playlist: manyLive(2), 'drm-policy': [{ policy_name: 'premium' }] } },
  );
  await project.run('plan', '--out', 'json=plan.json');
  const plan: unknown = JSON.parse(project.read('plan.json'));
  // The reasons that devices give depend on what the plan leaves alone, too.
  const ofDevices = asPlan(plan).changes.flatMap(({ playbackReasons = [] }, nth) =>
    playbackReasons.flatMap(({ devices }, reason) => (devices ? [`/changes/${nth}/playbackReasons/${reason}`] : [])),
  );
  expect(ofDevices).not.toEqual([]);
  const isOfDevices = (name: string) => ofDevices.some((at) => at.startsWith(`${name}/`) || `${name}/`.startsWith(`${at}/`));
  // Nothing is written, because a change is blocked: exit 4 means that the plan was accepted.
  expect((await project.run('apply', '--plan', 'plan.json')).code).toBe(4);
  const refused = async (place: Place, edit: (member: unknown) => unknown): Promise<boolean> => {
    const edited = editedAt(plan, place, edit);
    if (isDeepStrictEqual(edited, plan)) return true;
    project.write('plan.json', JSON.stringify(edited));
    const { code } = await project.run('apply', '--plan', 'plan.json');
    expect([4, 6, 8]).toContain(code);
    return code !== 4;
  };
  const patterns = NOT_COMPARED.map(([member]) => new RegExp(`^${member.replaceAll('*', '[^/]+')}(/|$)`));
  await assertAsyncProperty(
    fc.asyncProperty(fc.constantFrom(...placesIn(plan)), fc.constantFrom(...EDITS), async (place, edit) => {
      if (await refused(place, edit)) return;
      const name = `/${place.join('/')}`;
      expect(patterns.some((pattern) => pattern.test(name)) || isOfDevices(name), name).toBe(true);
    }),
    { numRuns: rounds(150, 3_000) },
  );
  expect(project.writes()).toEqual([]);
});

test.each([
  ['is missing', null],
  ['is not JSON', 'changes: []'],
  ['is no plan', '{}'],
  ['has another version', '{"schemaVersion":2}'],
  ['is an empty list', '[]'],
])('a saved plan that %s exits 8, and no request is sent', async (_name, text) => {
  const project = await createTestProject(config(SECTIONS));
  if (text !== null) project.write('plan.json', text);
  expect(await project.refused('apply', '--plan', 'plan.json')).toMatchObject({ code: 8, document: { error: { exit: 8 } } });
  expect(project.emulator.requests()).toEqual([]);
});

describe('--expect', () => {
  test('applies the plan that has the fingerprint, without a question', async () => {
    const project = await plannedProject();
    expect((await project.apply('--expect', fingerprintOf(project.saved))).code).toBe(0);
    expect(project.writes()).toHaveLength(3);
  });

  test('compares the whole plan: any other difference makes it stale', async () => {
    const project = await plannedProject();
    declare(project, { playlists: manyPlaylists(4, { repeat: 5 }) });
    expect(await project.refused('apply', '--expect', fingerprintOf(project.saved))).toMatchObject({ code: 6 });
    expect(project.writes()).toEqual([]);
  });
});

describe('the fingerprint', () => {
  test('does not depend on the time, the order of the account, the findings or --allow', async () => {
    const project = await plannedProject();
    const later = await project.runWith({ now: () => Date.now() + 100_000 }, 'plan', '--format', 'json', '--allow', 'updates');
    expect(asPlan(JSON.parse(later.stdout)).fingerprint).toBe(project.saved.fingerprint);
    project.write('config/warning.yaml', 'vmp_reject_statuses: []\n');
    expect((await project.plan()).document.fingerprint).toBe(project.saved.fingerprint);
  });

  test('differs with the target', async () => {
    const project = await plannedProject();
    project.write('upkeep.yaml', projectFile(project.emulator.url).replace('  live:', '  other:'));
    const { document } = await project.plan();
    expect(document.changes).toEqual(project.saved.changes);
    expect(document.fingerprint).not.toBe(project.saved.fingerprint);
  });
});
