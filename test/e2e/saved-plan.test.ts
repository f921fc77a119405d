/** One plan: what was reviewed is what is applied, or nothing is (design section 4, rule 2). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { Plan } from '../../src/model/plan.ts';
import { asPlan } from '../support/documents.ts';
import { projectFile, type Stage, stage } from '../support/harness.ts';
import { config, declare, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

/** Two playlists that will be updated, and one that will be created. */
const SECTIONS: JsonObject = { playlists: { ...manyPlaylists(2, { repeat: 5 }), ...manyPlaylists(3, { repeat: 5 }) } };

async function plannedStage(): Promise<Stage & { readonly saved: Plan }> {
  const set = await stage(config(SECTIONS), { seed: { playlist: manyLive(2) } });
  expect((await set.run('plan', '--out', 'json=plan.json')).code).toBe(0);
  return { ...set, saved: asPlan(JSON.parse(set.read('plan.json'))) };
}

async function expectStale(set: Stage, ...texts: readonly string[]): Promise<void> {
  const refused = await set.refused('apply', '--plan', 'plan.json');
  expect(refused).toMatchObject({ code: 6, document: { error: { exit: 6, code: 'stale-plan' } } });
  for (const text of texts) expect(refused.document.error.summary).toContain(text);
  for (const text of texts) expect(refused.stderr).toContain(text);
  expect(set.writes()).toEqual([]);
}

function saveEdited(set: Stage, plan: Plan, edit: (plan: Plan) => object): void {
  set.write('plan.json', JSON.stringify({ ...plan, ...edit(plan) }));
}

test('a saved plan is applied as it is, without a question', async () => {
  const set = await plannedStage();
  const applied = await set.apply('--plan', 'plan.json');
  expect(applied).toMatchObject({ code: 0, document: { verified: true, fingerprint: set.saved.fingerprint } });
  expect(set.writes()).toHaveLength(3);
});

test('a saved plan is not applied after an incomplete read, which the exit code shows even with --skip-blocked', async () => {
  const set = await plannedStage();
  for (const flags of [[], ['--skip-blocked']]) {
    set.emulator.setFaults([{ method: 'GET', path: PLAYLISTS, truncateList: 1 }]);
    expect((await set.run('apply', '--plan', 'plan.json', ...flags)).code).toBe(10);
  }
  expect(set.writes()).toEqual([]);
});

describe('a saved plan is stale, and nothing is written,', () => {
  test('after a planned field changed on the account, and the difference is shown', async () => {
    const set = await plannedStage();
    set.editPlaylist('live1', { repeat: 9 });
    await expectStale(set, 'playlist/p1', '/repeat planned 0 -> 5, now 9 -> 5');
  });

  test('after another field of a planned resource changed on the account', async () => {
    const set = await plannedStage();
    set.editPlaylist('live1', { active: 0 });
    await expectStale(set, 'playlist/p1', '/active planned untouched, now 0 -> 1');
  });

  test('after a planned resource was deleted', async () => {
    const set = await plannedStage();
    set.editPlaylist('live1', null);
    await expectStale(set, 'playlist/p1: planned was update; now it would be create');
  });

  test('after it was applied', async () => {
    const set = await plannedStage();
    expect((await set.apply('--plan', 'plan.json')).code).toBe(0);
    set.writes();
    await expectStale(set, 'playlist/p1: planned was update; now there is nothing to do');
  });

  test('after a planned resource changed in the repository', async () => {
    const set = await plannedStage();
    declare(set, { playlists: manyPlaylists(3, { repeat: 6 }) });
    await expectStale(set, '/repeat planned 0 -> 5, now 0 -> 6');
  });

  test.each([
    ['its fingerprint was edited', (plan: Plan) => ({ fingerprint: plan.fingerprint.replace(/.{4}$/, '0000') })],
    ['a change was taken out', ({ changes }: Plan) => ({ changes: changes.slice(1) })],
    ['a change was put in twice', ({ changes }: Plan) => ({ changes: [...changes, ...changes.slice(0, 1)] })],
    ['a field was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, fields: [] })) })],
    ['an address was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, address: 'playlist/other' })) })],
    ['an action was edited', ({ changes }: Plan) => ({ changes: changes.map((change) => ({ ...change, action: 'delete' })) })],
    ['it is for another target', () => ({ target: 'elsewhere' })],
  ])('where %s', async (_name, edit) => {
    const set = await plannedStage();
    saveEdited(set, set.saved, edit);
    await expectStale(set);
  });

  test('where it was made for another base URL', async () => {
    const set = await plannedStage();
    const other = await stage(config(SECTIONS), { seed: { playlist: manyLive(2) } });
    other.write('plan.json', JSON.stringify(set.saved));
    await expectStale(other, 'fingerprint');
  });
});

describe('a saved plan is applied although', () => {
  test('the account changed elsewhere, and the other differences are named but not applied', async () => {
    const set = await stage(config({ playlists: manyPlaylists(2, { repeat: 5 }) }), {
      seed: { playlist: [...manyLive(1), ...manyLive(2, { repeat: 5 }).slice(1)] },
    });
    await set.run('plan', '--out', 'json=plan.json');
    set.editPlaylist('live2', { active: 0 });
    const applied = await set.apply('--plan', 'plan.json');
    expect(applied).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 1 } } });
    expect(applied.stderr).toContain('not applied: playlist/p2');
    expect(set.writes()).toEqual([`PATCH ${PLAYLISTS}/live1`]);
    expect(set.playlists()).toContainEqual(expect.objectContaining({ id: 'live2', active: 0 }));
  });

  test('the repository declares more now', async () => {
    const set = await plannedStage();
    declare(set, { playlists: manyPlaylists(5, { repeat: 5 }) });
    const applied = await set.apply('--plan', 'plan.json');
    expect(applied).toMatchObject({ code: 0, document: { fingerprint: set.saved.fingerprint, summary: { created: 1, updated: 2 } } });
    expect(applied.stderr).toContain('playlist/p4, playlist/p5');
  });

  test('it was made with --only, and only that part is applied', async () => {
    const set = await plannedStage();
    await set.run('plan', '--only', 'playlist/p2', '--out', 'json=plan.json');
    set.emulator.clearRequests();
    expect((await set.apply('--plan', 'plan.json')).code).toBe(0);
    expect(set.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
  });
});

test('a change that a safety check blocks is blocked in a saved plan too', async () => {
  const set = await stage(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), { seed: { playlist: manyLive(1) } });
  await set.run('plan', '--out', 'json=plan.json', '--allow', 'loosening');
  expect((await set.run('apply', '--plan', 'plan.json')).code).toBe(4);
  expect(set.writes()).toEqual([]);
  expect((await set.run('apply', '--plan', 'plan.json', '--allow', 'loosening')).code).toBe(0);
});

test.each([
  ['is missing', null],
  ['is not JSON', 'changes: []'],
  ['is no plan', '{}'],
  ['has another version', '{"schemaVersion":2}'],
  ['is an empty list', '[]'],
])('a saved plan that %s exits 8, and no request is sent', async (_name, text) => {
  const set = await stage(config(SECTIONS));
  if (text !== null) set.write('plan.json', text);
  expect(await set.refused('apply', '--plan', 'plan.json')).toMatchObject({ code: 8, document: { error: { exit: 8 } } });
  expect(set.emulator.requests()).toEqual([]);
});

describe('--expect', () => {
  test('applies the plan that has the fingerprint, without a question', async () => {
    const set = await plannedStage();
    expect((await set.apply('--expect', set.saved.fingerprint)).code).toBe(0);
    expect(set.writes()).toHaveLength(3);
  });

  test('compares the whole plan: any other difference makes it stale', async () => {
    const set = await plannedStage();
    declare(set, { playlists: manyPlaylists(4, { repeat: 5 }) });
    expect(await set.refused('apply', '--expect', set.saved.fingerprint)).toMatchObject({ code: 6 });
    expect(set.writes()).toEqual([]);
  });
});

describe('the fingerprint', () => {
  test('does not depend on the time, the order of the account, the findings or --allow', async () => {
    const set = await plannedStage();
    const later = await set.runWith({ now: () => Date.now() + 100_000 }, 'plan', '--format', 'json', '--allow', 'updates');
    expect(asPlan(JSON.parse(later.stdout)).fingerprint).toBe(set.saved.fingerprint);
    set.write('config/warning.yaml', 'vmp_reject_statuses: []\n');
    expect((await set.plan()).document.fingerprint).toBe(set.saved.fingerprint);
  });

  test('differs with the target', async () => {
    const set = await plannedStage();
    set.write('upkeep.yaml', projectFile(set.emulator.url).replace('  live:', '  other:'));
    const { document } = await set.plan();
    expect(document.changes).toEqual(set.saved.changes);
    expect(document.fingerprint).not.toBe(set.saved.fingerprint);
  });
});
