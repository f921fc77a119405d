/**
 * A client in Python, written from the API documents and api-notes sections 1 to 3: the emulator answers it as the documents say, it finds
 * nothing wrong with the signatures of upkeep, and upkeep manages what it made. `.ci/run` installs it from Debian.
 */
import { spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/model/json.ts';
import vectors from '../core/api-client/signature-vectors.json' with { type: 'json' };
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { API_KEY, createTestProject, OWNER, projectFile, type TestProject } from '../support/harness.ts';
import { asset, beams, config, declare } from './accounts.ts';

const SCRIPT = fileURLToPath(new URL('./foreign_client.py', import.meta.url));
/** The Python of Debian, or the first one of the path, whichever has the package. */
const PYTHON = ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', 'import requests']).status === 0);
const isHere = PYTHON !== undefined;
if (!isHere) process.stderr.write('The client in Python was not run, because a package is not here: apt-get install python3-requests\n');

test('CI has Python with the package requests', () => {
  expect(isHere || (process.env.CI ?? '') === '', 'apt-get install python3-requests').toBe(true);
});

/** Runs a function of the script. @throws Error if it fails */
async function python(name: string, job: { readonly [member: string]: Json }): Promise<unknown> {
  const child = spawn(PYTHON ?? 'python3', [SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify({ do: name, ...job }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (errors !== '') throw new Error(errors);
  return JSON.parse(output);
}

const accountOf = (project: TestProject) => ({ url: project.emulator.url, owner: OWNER, api_key: API_KEY });
const TOOL_PLAYLIST = { desc: 'Tool made', playlist: [{ ad: { dur: 30 } }, ...beams(1, 2)], repeat: '-1', beam_break_duration: '60' };

describe.runIf(isHere)('a client in Python', () => {
  test.each([
    ['as the API documents say', false],
    ["with the habits of the vendor's tool", true],
  ])('creates, lists, updates and deletes a playlist %s', async (_how, tool) => {
    const project = await createTestProject({});
    const result = await python('playlist', { ...accountOf(project), tool, body: TOOL_PLAYLIST });
    const made = { desc: 'Tool made', playlist: TOOL_PLAYLIST.playlist, repeat: -1, beam_break_duration: 60, profile: '' };
    expect(result).toMatchObject({
      created: { status: 201, json: { ...made, '@type': 'LinearPlaylist', active: 1 } },
      listed: { status: 200, json: { '@type': 'Collection', total_items: 1, items: [made] } },
      inactive: { status: 200, json: { total_items: 0, items: [] } },
      updated: { status: 200, json: { ...made, active: 0 } },
      read: { status: 200, json: { ...made, active: 0 } },
      deleted: { status: 204, json: null },
      gone: { status: 404 },
    });
  });

  test('makes playlists of single assets, whose IDs are those of the assets', async () => {
    const project = await createTestProject({});
    const body = { assets: [asset(3)], repeat: '2' };
    expect(await python('create', { ...accountOf(project), tool: true, path: '/smart-start', body })).toMatchObject({
      json: { '@type': 'SmartStart', ss_created: [asset(3)] },
    });
    expect(project.playlists()).toMatchObject([{ id: asset(3), repeat: 2 }]);
  });

  test.each([
    ['as the API documents say', false],
    ["with the habits of the vendor's tool", true],
  ])('manages policies, rejected statuses and the scope of the static key %s', async (_how, tool) => {
    const project = await createTestProject({});
    const policy = { policy_name: 'tool', fairplay: { persistence: true, hd: { hdcp_enforcement: 1 } } };
    const drm = { ...accountOf(project), tool, policy, statuses: ['PLATFORM_TAMPERED'], slicers: ['b', 'a'] };
    const slicers = { status: 200, json: { error: 0, owner: OWNER, static_key_slicer_ids: ['b', 'a'] } };
    expect(await python('drm', drm)).toMatchObject({
      created: { status: 200, json: { error: 0, configs: [{ ...policy, owner: OWNER }] } },
      listed: { status: 200, json: { error: 0, configs: [policy] } },
      // What an update leaves out is reset (drm-api-v3 section 4.1).
      updated: { json: { error: 0, configs: [{ fairplay: { persistence: false, hd: { hdcp_enforcement: -1 } } }] } },
      deleted: { json: { error: 0, configs: [] } },
      statuses: { json: { error: 0, vmp_reject_statuses: ['PLATFORM_TAMPERED'] } },
      slicers,
      scope: { json: { error: 0, owner: OWNER, use_static_encryption_key: false } },
      read: slicers,
    });
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
  });

  test('is refused when it sends the same msg and sig a second time', async () => {
    const project = await createTestProject({});
    expect(await python('replay', accountOf(project))).toMatchObject([{ status: 200 }, { status: 400 }]);
  });

  test('makes a playlist that upkeep plans as any other: numbers compare as numbers, and an ad first is a warning', async () => {
    const playlists = { made: { ...TOOL_PLAYLIST, repeat: -1, beam_break_duration: 60 } };
    const project = await createTestProject(config({ playlists }), { quirks: { numericStrings: true } });
    await python('create', { ...accountOf(project), tool: true, path: '/linear-playlist', body: TOOL_PLAYLIST });
    const { code, document } = await project.plan('--detailed-exitcode');
    expect([code, document.changes]).toEqual([0, []]);
    expect(document.findings).toMatchObject([{ severity: 'warning', code: 'ad-first' }]);
    expect(project.playlists()).toHaveLength(1);
  });

  test.each([
    [0, [{ status: 200, json: { repeat: 2 } }, { status: 200, json: { repeat: 3 } }, { status: 404 }]],
    [60_000, [{ status: 404 }, { status: 404 }, { status: 404 }]],
  ])('reads what it wrote after a lag of %i milliseconds, by the clock of the service', async (readDelayMs, shown) => {
    const project = await createTestProject({}, { quirks: { readDelayMs } });
    const body = { desc: 'Tool made', playlist: beams(1, 2), repeat: 2 };
    const result = await python('reads', { ...accountOf(project), body, change: { repeat: 3 } });
    expect(result).toMatchObject({ after_create: shown[0], after_update: shown[1], after_delete: shown[2] });
    expect(project.playlists()).toEqual([]);
  });

  test.each([
    ['numbers', { active: 1, skip_drm: 1, studio_drm_required: 0, ad_slate_fill: 0 }],
    ['booleans', { active: true, skip_drm: true, studio_drm_required: false, ad_slate_fill: false }],
  ] as const)('reads switches as %s, and makes a playlist that upkeep plans as any other', async (switches, shown) => {
    const playlists = { made: { desc: 'Tool made', skip_drm: 1, playlist: beams(1, 2) } };
    const project = await createTestProject(config({ playlists }), { quirks: { switches } });
    const body = { desc: 'Tool made', skip_drm: 1, playlist: beams(1, 2) };
    const created = await python('create', { ...accountOf(project), path: '/linear-playlist', body });
    expect(created).toMatchObject({ status: 201, json: shown });
    expect((await project.plan('--detailed-exitcode')).document).toMatchObject({ changes: [], findings: [] });
  });

  test.each([
    ['kept', asset(10).toUpperCase(), 0],
    ['folded', asset(10), 2],
  ] as const)('finds the case of an asset ID %s, and upkeep names what differs in nothing else', async (assetIdCase, stored, code) => {
    const capitals = asset(10).toUpperCase();
    const entries = [{ beam: { id: capitals } }, ...beams(2)];
    const project = await createTestProject(config({ playlists: { made: { desc: 'Tool made', playlist: entries } } }), {
      quirks: { assetIdCase },
    });
    const created = await python('create', {
      ...accountOf(project),
      path: '/linear-playlist',
      body: { desc: 'Tool made', playlist: entries },
    });
    expect(created).toMatchObject({ status: 201, json: { playlist: [{ beam: { id: stored } }, ...beams(2)] } });
    const planned = await project.plan('--detailed-exitcode');
    expect(planned.code).toBe(code);
    expect(planned.document.findings.some((finding) => finding.code === 'asset-id-case')).toBe(code !== 0);
  });

  test('computes the published signature vectors', async () => {
    const wanted = vectors.map(({ sig, json }) => ({ sig, meaning: JSON.parse(json) }));
    expect(await python('vectors', { vectors })).toEqual(wanted);
  });

  test.each(['form', 'json'])('finds nothing wrong with the requests of upkeep, whose v3 POST is sent as %s', async (v3_post) => {
    const policy = { fairplay: { hd: { hdcp_enforcement: 1 } } };
    const project = await createTestProject(
      config({
        playlists: { evening: { playlist: beams(1, 2) }, gone: { playlist: beams(3, 4) } },
        smart_starts: { vod: { assets: [asset(9)] } },
        drm_policies: { hd: policy, 'nach Mitternacht +/=&': policy },
        vmp_reject_statuses: ['PLATFORM_TAMPERED'],
        static_key: { scope: 'specific', slicer_ids: ['a'] },
        key_rotation_schedule: { enabled: true, frequency: 2, unit: 'd', hour: 4 },
      }),
    );
    const tap = await startTap(project.emulator.url);
    const target = `ownership: exclusive\nweakening: allow\nservice: { v3_post: ${v3_post} }`;
    project.write('upkeep.yaml', projectFile(tap.url, target));
    expect(await project.run('apply', '--yes', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    declare(project, { playlists: { evening: { repeat: 2, playlist: beams(1, 2) } }, smart_starts: {}, drm_policies: { hd: policy } });
    expect(await project.run('apply', '--yes', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    const job = { connections: tap.sent(), owner: OWNER, v3_post };
    const found = await python('verify', { ...job, api_key: API_KEY });
    const requests = project.emulator.requests().map(({ method, path }) => `${method} ${path}`);
    const withProblems = (...problems: readonly string[]) => expect.arrayContaining(requests.map((request) => ({ request, problems })));
    expect(found).toEqual(withProblems());
    expect(found).toHaveLength(requests.length);
    expect(await python('verify', { ...job, api_key: `${API_KEY}x` })).toEqual(withProblems('sig is not the HMAC of msg'));
    const kinds = new Set(requests.map((request) => request.replace(/(\/v[34]).*/, '$1')));
    expect([...kinds].sort()).toEqual([
      'DELETE /api/v3',
      'DELETE /api/v4',
      'GET /api/v3',
      'GET /api/v4',
      'PATCH /api/v4',
      'POST /api/v3',
      'POST /api/v4',
    ]);
  });
});

/** A listener that forwards connections, and keeps the bytes that clients sent. */
interface Tap {
  readonly url: string;
  /** The bytes of each connection, as base64. */
  sent(): readonly string[];
}

/** Starts a listener in front of a service; it closes after the test. */
async function startTap(url: string): Promise<Tap> {
  const { hostname, port } = new URL(url);
  const connections: Buffer[][] = [];
  const server = createServer((client) => {
    const chunks: Buffer[] = [];
    connections.push(chunks);
    const service = connect(Number(port), hostname);
    client.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterTest(() => {
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the listener has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sent: () => connections.map((chunks) => Buffer.concat(chunks).toString('base64')),
  };
}
