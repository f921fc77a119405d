/** `--record` and `emulate --replay` as a user runs them. */
import { existsSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/recording.schema.json' with { type: 'json' };
import { main } from '../../../src/cli/main.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { startReplay } from '../../../src/emulator/replay-server.ts';
import type { Recording } from '../../../src/recording/recording.ts';
import { wireOf } from '../../recording/support.ts';
import { CREDENTIALS, createSearcher } from '../../support/canary.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { createTestProject, OWNER, projectIn, type TestProject, temporaryFolder } from '../../support/harness.ts';
import { fakeIo } from '../fake-io.ts';

const isRecording = new Ajv({ strict: false }).compile<Recording>(schema);

const [LATE, MORNING, OLD] = ['1a'.repeat(16), '2b'.repeat(16), '3c'.repeat(16)];
const [FILM, NEWS] = ['4d'.repeat(16), '5e'.repeat(16)];
const SEED = {
  playlist: [
    { id: LATE, desc: 'Late film of Miller', playlist: [{ beam: { id: FILM } }, { ad: { dur: 30 } }, { beam: { id: NEWS } }] },
    { id: MORNING, desc: 'Morning magazine', playlist: [{ beam: { id: NEWS } }, { beam: { id: FILM } }] },
    { id: OLD, desc: 'No longer wanted', playlist: [{ beam: { id: NEWS } }, { beam: { id: NEWS } }] },
  ],
  'drm-policy': [{ policy_name: 'premium-films', fairplay: { hd: { hdcp_enforcement: 1 } } }],
  'vmp-reject-statuses': ['PLATFORM_TAMPERED'],
};
const CONFIG = `
playlists:
  late: { desc: Late film of Miller, repeat: 3, playlist: [{ beam: ${FILM} }, { ad: 30 }, { beam: ${NEWS} }] }
  morning: { desc: Morning magazine, playlist: [{ beam: ${NEWS} }, { beam: ${FILM} }] }
  extra: { desc: Brand new evening, playlist: [{ beam: ${FILM} }, { beam: ${NEWS} }] }
drm_policies:
  premium-films: { fairplay: { hd: { hdcp_enforcement: 0 } } }
vmp_reject_statuses: [PLATFORM_TAMPERED]
`;

const projectOf = () =>
  createTestProject({ 'config/a.yaml': CONFIG }, { seed: SEED, target: 'ownership: exclusive\nledger: none\ncheck: { assets: true }' });

function recordingIn(project: Pick<TestProject, 'read'>, file = 'run.json'): Recording {
  const value: unknown = JSON.parse(project.read(file));
  if (isRecording(value)) return value;
  throw new Error(JSON.stringify(isRecording.errors));
}

/** Serves a recording, and returns a project that asks it. */
async function replayProject(recording: Recording, files: { readonly [name: string]: string }, like: TestProject) {
  const unrecorded: string[] = [];
  const onUnrecorded = (request: string): void => void unrecorded.push(request);
  const server = await startReplay({ recording, owner: OWNER, host: '127.0.0.1', port: 0, now: Date.now, onUnrecorded });
  cleanUpAfterTest(server.close);
  const project = projectIn(temporaryFolder());
  project.write('upkeep.yaml', like.read('upkeep.yaml').replace(like.emulator.url, server.url));
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return { project, unrecorded };
}

/** Returns what of a plan does not depend on its run and on hashes of texts. */
function essenceOf({ changes, requests, summary, risks, cost }: Plan) {
  return { changes: changes.map(({ digest: _digest, ...change }) => change), requests, summary, risks, cost };
}

describe('a recording of a plan', () => {
  test('is a new file for this user alone, with nothing of the account', async () => {
    const project = await projectOf();
    const { code, stderr } = await project.run('plan', '--record', 'run.json');
    expect([code, lstatSync(join(project.folder, 'run.json')).mode & 0o777]).toEqual([0, 0o600]);
    const { exchanges, command } = recordingIn(project);
    expect([command, exchanges.length]).toEqual(['plan', project.emulator.requests().length]);
    expect(stderr).toContain(`note: recorded ${exchanges.length} exchanges in run.json: read it before you share it`);
    const secrets = [LATE, MORNING, OLD, FILM, NEWS, 'Late film of Miller', 'Brand new evening', 'premium-films', project.emulator.url];
    const search = createSearcher([...CREDENTIALS, ...secrets.map((value) => ({ name: value, value }))]);
    expect(search(project.read('run.json'))).toEqual([]);
  });

  test('replayed, gives the same plan up to pseudonyms', async () => {
    const project = await projectOf();
    const { document: plan } = await project.plan('--record', 'run.json', '--allow', 'weakening');
    const recording = recordingIn(project);
    const policyIds = plan.requests.flatMap(({ body }) => Object(body)._id ?? []);
    const pseudonymOf = pseudonymsIn(recording, project, policyIds[0]);
    const translate = (text: string): string =>
      [...pseudonymOf].reduce((rest, [original, other]) => rest.replaceAll(original, other), text);
    const { project: replayed, unrecorded } = await replayProject(recording, { 'config/a.yaml': translate(CONFIG) }, project);
    const { document: again } = await replayed.plan('--allow', 'weakening');
    expect(unrecorded).toEqual([]);
    expect(plan.summary).toMatchObject({ create: 1, update: 2, delete: 1, unchanged: 2 });
    expect(essenceOf(again)).toEqual(JSON.parse(translate(JSON.stringify(essenceOf(plan)))));
  });

  test('replayed, exports a configuration of which the plan is empty', async () => {
    const project = await projectOf();
    await project.run('export', '--record', 'run.json');
    const { project: replayed, unrecorded } = await replayProject(recordingIn(project), {}, project);
    expect((await replayed.run('export', '--dir', 'config')).code).toBe(0);
    replayed.write('upkeep.yaml', replayed.read('upkeep.yaml').replace(/^.*check:.*\n/m, ''));
    const { document } = await replayed.plan();
    expect([document.changes, document.summary.unchanged, unrecorded]).toEqual([[], 7, []]);
  });
});

/** Returns the pseudonyms of the texts of an account, by the places that they have in the recorded answers. */
function pseudonymsIn({ exchanges }: Recording, project: TestProject, policyId: string): ReadonlyMap<string, string> {
  const bodyOf = (path: string, isWanted = (_query: unknown): boolean => true) =>
    Object(exchanges.find(({ request }) => request.path === path && isWanted(request.query))?.response?.body);
  const items: readonly { readonly [member: string]: unknown }[] = bodyOf('/api/v4/linear-playlist', (query) => query === undefined).items;
  const asked = exchanges.find(({ request }) => request.query?.desc !== undefined)?.request.query?.desc ?? '';
  const texts = (playlist: { readonly [member: string]: unknown }): readonly string[] =>
    [playlist.id, playlist.desc, ...[playlist.playlist].flat().map((entry) => Object(Object(entry).beam).id)].flatMap((text) => text ?? []);
  const originals = project.playlists().flatMap(texts);
  const pairs = items.flatMap(texts).map((pseudonym, index) => [originals[index] ?? '', pseudonym] as const);
  const [policy] = bodyOf('/api/v3/drm/policies').configs;
  return new Map([...pairs, ['Brand new evening', asked], ['premium-films', policy.policy_name], [policyId, policy._id]]);
}

test('every command that asks the service can be recorded, also one that fails', async () => {
  const project = await projectOf();
  const commands = [
    ['plan'],
    ['drift'],
    ['export'],
    ['doctor'],
    ['impact'],
    ['probe'],
    ['explain', 'playlist/late'],
    ['drift', 'accept', 'playlist/late', '--dry-run'],
    ['apply', '--yes', '--allow', 'weakening', '--allow', 'deletes'],
  ];
  for (const [index, argv] of commands.entries()) {
    const { stderr } = await project.run(...argv, '--record', `${index}.json`);
    expect(stderr, argv.join(' ')).toMatch(/recorded \d+ exchanges in/);
    expect(recordingIn(project, `${index}.json`).command).toBe(argv[0]);
  }
  const written = recordingIn(project, '8.json')
    .exchanges.filter(({ request }) => request.method !== 'GET')
    .map(({ request }) => request.method);
  expect(written).toEqual(expect.arrayContaining(['POST', 'PATCH', 'DELETE']));

  const refused = await project.runWith({ env: { UPKEEP_API_KEY: 'another key of the same length' } }, 'plan', '--record', 'refused.json');
  expect(refused.code).toBe(7);
  expect(recordingIn(project, 'refused.json').exchanges.map(({ response }) => response?.status)).toContain(401);
});

describe('--record is refused before any request', () => {
  test.each([
    ['for a file that exists', 'there.json', 'it exists, and a recording replaces nothing'],
    ['for a link, which a pull request could bring', 'link.json', 'what is there is not a regular file'],
    ['for a file below a link that leaves the checkout', 'out/run.json', 'a link on the way leaves'],
    ['for the configuration', 'upkeep.yaml', 'files of this name hold configuration'],
    ['where the folder does not exist', 'nowhere/run.json', 'its folder does not exist'],
    ['for the file of a report, which would replace it', 'report.json', 'a report of --out goes there'],
  ])('%s', async (_title, file, reason) => {
    const project = await projectOf();
    project.write('there.json', 'mine');
    symlinkSync(join(project.folder, 'elsewhere.json'), join(project.folder, 'link.json'));
    symlinkSync(temporaryFolder(), join(project.folder, 'out'));
    const { code, stderr } = await project.run('plan', '--record', file, '--out', 'json=./report.json');
    expect([code, project.emulator.requests()]).toEqual([8, []]);
    expect(stderr).toContain(`--record cannot write to ${file}: ${reason}`);
    expect([project.read('there.json'), existsSync(join(project.folder, 'elsewhere.json'))]).toEqual(['mine', false]);
  });

  test('for several targets', async () => {
    const project = await projectOf();
    const [, live = ''] = project.read('upkeep.yaml').split('targets:\n');
    project.write('upkeep.yaml', `${project.read('upkeep.yaml')}${live.replace('live:', 'other:')}`);
    const { code, stderr } = await project.run('plan', '-t', '*', '--record', 'run.json');
    expect([code, existsSync(join(project.folder, 'run.json'))]).toEqual([8, false]);
    expect(stderr).toContain('--record takes one target at a time, and 2 are chosen');
  });
});

test('a command that asks nothing leaves no recording', async () => {
  const project = await projectOf();
  project.write('config/a.yaml', 'playlists: 7\n');
  const { code, stderr } = await project.run('plan', '--record', 'run.json');
  expect([code, existsSync(join(project.folder, 'run.json'))]).toEqual([8, false]);
  expect(stderr).toContain('note: nothing was recorded in run.json: the service was not asked');
});

test('a recording goes into a folder .upkeep, which is created', async () => {
  const project = await projectOf();
  expect((await project.run('plan', '--record', '.upkeep/run.json')).code).toBe(0);
  expect(recordingIn(project, '.upkeep/run.json').exchanges.length).toBeGreaterThan(3);
});

describe('emulate --replay', () => {
  const ACCOUNT = ['emulate', '--owner', 'me', '--api-key', 'CANARY'];
  const RECORDING: Recording = {
    schemaVersion: 1,
    upkeep: '0.1.0',
    command: 'plan',
    exchanges: [{ request: { method: 'GET', path: '/api/v3/drm/policies', signed: 'query' }, startMs: 0, tookMs: 0, failure: 'timeout' }],
  };

  function folderWith(text: string): string {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'run.json'), text);
    return cwd;
  }

  test('says where it listens, and at the end how many requests there were', async () => {
    const interrupt = new AbortController();
    const io = fakeIo({ cwd: folderWith(JSON.stringify(RECORDING)), now: Date.now, signal: interrupt.signal });
    const asked: Promise<unknown>[] = [];
    const stdout = {
      write(text: string) {
        const { url } = JSON.parse(text);
        asked.push(fetch(url + wireOf({ path: '/api/v4/assets' }).path).finally(() => interrupt.abort()));
      },
    };
    const code = await main([...ACCOUNT, '--replay', 'run.json'], { ...io, stdout });
    await Promise.all(asked);
    expect([code, io.err()]).toEqual([
      0,
      'warning: not in the recording: GET /api/v4/assets\nnote: requests: 1; not in the recording: 1\n',
    ]);
  });

  test.each([
    ['a file that is no recording', '{"schemaVersion":1}', [], 'run.json is not a recording'],
    ['a file that is no JSON', 'not JSON', [], 'run.json cannot be read as JSON'],
    ['a seed beside it', JSON.stringify(RECORDING), ['--seed', 'run.json'], '--replay and --seed cannot be used together'],
    ['quirks beside it', JSON.stringify(RECORDING), ['--quirks', 'run.json'], '--replay and --quirks cannot be used together'],
    ['a delay beside it', JSON.stringify(RECORDING), ['--latency', '5'], '--replay and --latency cannot be used together'],
  ])('refuses %s', async (_title, text, argv, message) => {
    const io = fakeIo({ cwd: folderWith(text) });
    expect(await main([...ACCOUNT, '--replay', 'run.json', ...argv], io)).toBe(8);
    expect([io.out(), io.err()]).toEqual(['', expect.stringContaining(message)]);
  });

  test('refuses a file that is missing', async () => {
    const io = fakeIo({ cwd: temporaryFolder() });
    expect(await main([...ACCOUNT, '--replay', 'run.json'], io)).toBe(8);
    expect(io.err()).toContain('run.json cannot be read as JSON (ENOENT)');
  });
});
