/**
 * Services that answer wrongly about what they created: with the ID of another object, or with a name that they keep in another form. No
 * answer changes the identity of an object, and nothing is created twice (design section 3, identity; design section 4, rule 4).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, declare, PLAYLISTS } from './accounts.ts';

const POLICY = '/api/v3/drm/policies/create-or-update';

type Quirks = Partial<ServiceQuirks>;

function projectWith(ledger: 'none' | 'git', sections: JsonObject, quirks: Quirks, seed: JsonObject = {}): Promise<TestProject> {
  const create = ledger === 'git' ? createGitProject : createTestProject;
  return create(config(sections), { quirks, seed, target: 'playback_loss: allow' });
}

function names(project: TestProject, kind: 'playlist' | 'drm-policy'): readonly unknown[] {
  return [project.live(kind)].flat().map((each) => Object(each)[kind === 'playlist' ? 'desc' : 'policy_name']);
}

describe('a create that is answered with the ID of an object that was there before', () => {
  const foreign = { id: 'foreign', desc: 'by hand', repeat: 7, playlist: beams(8, 9) };
  const mine = { playlists: { a: { playlist: beams(1, 2) } } };

  test('fails and binds nothing: the other object is never written or deleted', async () => {
    const project = await createGitProject(config(mine), { seed: { playlist: [foreign] } });
    project.emulator.setFaults([{ method: 'POST', path: PLAYLISTS, existingId: true }]);
    const failed = await project.apply('--yes');
    expect(failed).toMatchObject({ code: 5, document: { outcomes: [{ result: 'failed', error: expect.stringContaining('foreign') }] } });
    expect(project.entries()).toMatchObject([{ bindings: {} }]);

    project.emulator.setFaults([]);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { adopted: 1 } } });
    declare(project, { playlists: {} });
    project.commit();
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { deleted: 1 } } });
    expect(project.playlists()).toMatchObject([foreign]);
  });

  test('fails where the ID is that of a create of the same run', async () => {
    const sections = { playlists: { a: { playlist: beams(1, 2) }, b: { playlist: beams(3, 4) } } };
    const project = await createGitProject(config(sections), { target: 'http: { concurrency: 1, requests_per_second: 0 }' });
    project.emulator.setFaults([{ method: 'POST', path: PLAYLISTS, nth: 2, existingId: true }]);
    expect((await project.apply('--yes')).code).toBe(5);
    expect(Object.keys(project.entries()[0]?.bindings ?? {})).toHaveLength(1);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.playlists()).toHaveLength(2);
  });

  test('fails for a policy, too, and the other policy is never written or deleted', async () => {
    const seed = { 'drm-policy': [{ _id: 'foreign', policy_name: 'by hand', fairplay: { lease: true } }] };
    const project = await createGitProject(config({ drm_policies: { premium: { fairplay: { hd: { hdcp_enforcement: 1 } } } } }), { seed });
    project.emulator.setFaults([{ method: 'POST', path: POLICY, existingId: true }]);
    expect((await project.apply('--yes')).code).toBe(5);
    expect(project.entries()).toMatchObject([{ bindings: {} }]);
    project.emulator.setFaults([]);
    declare(project, { drm_policies: {} });
    project.commit();
    expect((await project.apply('--yes', '--allow', 'deletes')).code).toBe(0);
    expect(project.live('drm-policy')).toMatchObject([{ _id: 'foreign', fairplay: { lease: true } }, { policy_name: 'premium' }]);
  });
});

/** A name, and the quirk by which the service keeps it in another form. */
const FORMS: readonly (readonly [form: ServiceQuirks['storedNames'], name: string, stored: string])[] = [
  ['trimmed', 'Evening ', 'Evening'],
  ['nfc', 'Cafe\u0301', 'Caf\u00e9'],
  ['cut', 'Evening block', 'Evening '],
  ['escaped', 'Us & Them', 'Us &amp; Them'],
];

describe.each(FORMS)('a service that keeps names %s', (storedNames, name, stored) => {
  const playlists = { playlists: { evening: { desc: name, playlist: beams(1, 2) } } };
  const policies = { drm_policies: { [name]: { fairplay: { hd: { hdcp_enforcement: 1 } } } } };

  test.each(['stored', 'asSent'] as const)(
    'gets one playlist, which the ledger binds, where it answers with the name %s',
    async (answeredNames) => {
      const project = await createGitProject(config(playlists), { quirks: { storedNames, answeredNames } });
      for (const _ of [1, 2, 3]) expect([4, 5]).toContain((await project.apply('--yes')).code);
      expect(names(project, 'playlist')).toEqual([stored]);
      expect(project.entries().at(-1)?.bindings).toEqual({ 'playlist/evening': { id: project.playlists()[0]?.id, origin: 'created' } });
      declare(project, { playlists: {} });
      project.commit();
      expect((await project.apply('--yes', '--allow', 'deletes', '--allow', 'playback-loss')).code).toBe(0);
      expect(project.playlists()).toEqual([]);
    },
  );

  test.each(['stored', 'asSent'] as const)(
    'gets one playlist without a ledger, and later creates are blocked; it answers %s',
    async (answeredNames) => {
      const project = await projectWith('none', playlists, { storedNames, answeredNames });
      expect((await project.apply('--yes')).code).toBe(5);
      const { document } = await project.plan();
      const [live] = project.playlists();
      expect(document.changes).toMatchObject([
        { action: 'create', blocked: { check: 'identity', reason: expect.stringContaining(String(live?.id)) } },
      ]);
      expect((await project.refused('apply', '--yes')).code).toBe(4);
      expect(names(project, 'playlist')).toEqual([stored]);
      declare(project, { ...playlists, adopt: { 'playlist/evening': String(live?.id) } });
      expect((await project.plan()).document.changes).toMatchObject([{ action: 'update', fields: [{ path: '/desc' }] }]);
    },
  );

  test.each([
    ['is lost', { reset: 'after' }],
    ['has no usable ID', { afterWrite: true, status: 201, body: { id: '' } }],
  ] satisfies [string, FaultRule][])('gets one object of each kind where the answer to each create %s', async (_how, rule) => {
    const project = await projectWith('git', { ...playlists, ...policies }, { storedNames });
    project.emulator.setFaults([PLAYLISTS, POLICY].map((path) => ({ method: 'POST', path, ...rule })));
    expect((await project.apply('--yes')).code).toBe(5);
    for (const kind of ['playlist', 'drm-policy'] as const) expect(names(project, kind)).toEqual([stored]);
    const blocked = { action: 'create', blocked: { check: 'identity' } };
    expect((await project.plan()).document.changes).toMatchObject([blocked, blocked]);
  });

  test.each(['none', 'git'] as const)('gets one policy, with the ledger %s', async (ledger) => {
    const project = await projectWith(ledger, policies, { storedNames });
    for (const _ of [1, 2, 3]) expect([4, 5]).toContain((await project.run('apply', '--yes')).code);
    expect(names(project, 'drm-policy')).toEqual([stored]);
  });

  test('never loses an object of another form to exclusive ownership while it may be that of a declaration', async () => {
    const live = { id: 'live', desc: stored, playlist: beams(1, 2) };
    const project = await createTestProject(config(playlists), { seed: { playlist: [live] }, target: 'ownership: exclusive' });
    await project.run('apply', '--yes', '--skip-blocked', '--allow', 'deletes');
    expect(project.writes()).toEqual([]);
  });
});

describe('a live playlist whose description is almost that of a declaration', () => {
  const evening = { playlists: { evening: { desc: 'Evening block', playlist: beams(1, 2) } } };

  test('blocks no create where it is named under `removed`, and is kept', async () => {
    const live = { id: 'other', desc: 'Evening', playlist: beams(1, 2) };
    const project = await createTestProject(config(evening), { seed: { playlist: [live] }, target: 'ownership: exclusive' });
    const { document } = await project.plan();
    expect(document.changes[0]?.blocked?.reason).toContain('removed: [playlist/~other]');
    declare(project, { ...evening, removed: ['playlist/~other'] });
    expect((await project.apply('--yes')).code).toBe(0);
    expect(names(project, 'playlist')).toEqual(['Evening', 'Evening block']);
  });

  test('blocks no create where it only begins like it and holds another list', async () => {
    const project = await createTestProject(config(evening), {
      seed: { playlist: [{ id: 'other', desc: 'Evening', playlist: beams(3, 4) }] },
    });
    expect((await project.plan()).document.changes).toMatchObject([{ action: 'create', blocked: null }]);
  });

  test('blocks no create where another address declares it', async () => {
    const project = await createTestProject(
      config({ playlists: { ...evening.playlists, other: { desc: 'Evening', playlist: beams(1, 2) } } }),
      { seed: { playlist: [{ id: 'other', desc: 'Evening', playlist: beams(1, 2) }] } },
    );
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/evening', action: 'create', blocked: null }]);
  });

  test('blocks no create where the ledger binds it to another address', async () => {
    const other = { other: { desc: 'Evening', playlist: beams(1, 2) } };
    const project = await createGitProject(config({ playlists: other }), { target: 'playback_loss: allow' });
    await project.apply('--yes');
    declare(project, evening);
    project.commit();
    expect((await project.plan()).document.changes).toMatchObject([
      { action: 'create', blocked: null },
      { action: 'delete', blocked: null },
    ]);
  });

  test('is never an asset-ID playlist', async () => {
    const live = { id: asset(1), desc: 'Evening', playlist: beams(1) };
    const project = await createTestProject(config(evening), { seed: { playlist: [live] } });
    expect((await project.plan()).document.changes).toMatchObject([{ action: 'create', blocked: null }]);
  });
});

test('a name with a space at an end, or one that is not NFC, is a warning at its place', async () => {
  const project = await createTestProject(
    config({
      playlists: { a: { desc: 'Evening ', playlist: beams(1, 2) }, b: { desc: 'Cafe\u0301', playlist: beams(3, 4) } },
      smart_starts: { vod: { desc: ' vod', assets: [asset(5)] } },
      drm_policies: { ' premium': {}, 'cafe\u0301': {} },
    }),
  );
  const { document } = await project.plan();
  expect(document.findings.map(({ code, severity, address = 'smart_starts' }) => [address, code, severity])).toEqual([
    ['playlist/a', 'name-spaces', 'warning'],
    ['playlist/b', 'name-not-nfc', 'warning'],
    ['smart_starts', 'name-spaces', 'warning'],
    ['drm-policy/%20premium', 'name-spaces', 'warning'],
    ['drm-policy/cafe%CC%81', 'name-not-nfc', 'warning'],
  ]);
});
