/** The doctor looks at every part of a set-up, says what to do, and writes nothing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/report/documents/diagnosis.ts';
import { asDiagnosis, documentsOf } from '../../support/documents.ts';
import { createGitProject } from '../../support/git-project.ts';
import { API_KEY, createTestProject, OWNER, projectFile, type RunOptions, type TestProject } from '../../support/harness.ts';
import { writeLocalFileOf } from '../../support/local-files.ts';

const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };
const MANY = 600_000;

interface DoctorResult {
  readonly code: number;
  readonly healthy: boolean;
  check(name: string): Check | undefined;
  states(): { readonly [check: string]: string };
}

async function runDoctor(project: Pick<TestProject, 'runWith'>, how: RunOptions = {}): Promise<DoctorResult> {
  const { code, stdout } = await project.runWith(how, 'doctor', '--format', 'json');
  const { healthy, checks } = asDiagnosis(JSON.parse(stdout));
  return {
    code,
    healthy,
    check: (name) => checks.find(({ check }) => check === name),
    states: () => Object.fromEntries(checks.map(({ check, state }) => [check, state])),
  };
}

describe('doctor with a valid setup', () => {
  test('a valid setup is reported with one line for each check and exits with 0', async () => {
    const project = await createTestProject(VMP);
    const { code, stdout, stderr } = await project.run('doctor');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}ok +signature +accepted$/m);
    expect(stdout).toMatch(/^ {2}ok +credential owner +found: the environment variable UPKEEP_OWNER$/m);
    expect(stdout).toMatch(/^ {2}ok +read playlist +answers with 0 objects$/m);
    expect(stdout).toContain('Ready: 12 ok, 2 skipped.');
    expect(stdout).not.toContain(API_KEY);
    expect(stdout).not.toContain(OWNER);
  });

  test('doctor changes neither the account nor the remote nor the clone', async () => {
    const project = await createGitProject(VMP);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    project.emulator.clearRequests();
    const everything = () => [
      project.refs(),
      project.git('for-each-ref'),
      project.git('status', '--porcelain'),
      project.git('count-objects', '-v'),
      project.live('playlist'),
    ];
    const before = everything();
    const { code, states, check } = await runDoctor(project);
    expect(code).toBe(0);
    expect(states()).toMatchObject({ 'work tree': 'ok', ledger: 'ok', lock: 'ok', push: 'ok', 'interrupted applies': 'ok' });
    expect(check('ledger')?.summary).toContain(project.refs()['refs/upkeep/live']?.slice(0, 12));
    expect(project.emulator.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(project.emulator.requests().length).toBeGreaterThan(4);
    expect(everything()).toEqual(before);
  });

  test('doctor leaves no file in the folder of the project', async () => {
    const project = await createTestProject(VMP);
    expect((await project.run('doctor')).code).toBe(0);
    expect(readdirSync(project.folder).sort()).toEqual(['config', 'upkeep.yaml']);
  });

  test('the saved document of doctor can be shown again', async () => {
    const project = await createTestProject(VMP);
    const { stdout } = await project.run('doctor', '--out', 'json=doctor.json');
    expect((await project.run('show', 'doctor.json')).stdout).toBe(stdout);
  });
});

describe('doctor checks credentials', () => {
  test('both missing credentials are reported at once, and no request is sent', async () => {
    const project = await createTestProject(VMP);
    const { code, healthy, states, check } = await runDoctor(project, { env: { UPKEEP_OWNER: undefined, UPKEEP_API_KEY: undefined } });
    expect([code, healthy]).toEqual([8, false]);
    expect(states()).toMatchObject({
      'credential owner': 'failed',
      'credential api_key': 'failed',
      signature: 'skipped',
      'read playlist': 'skipped',
    });
    expect(check('credential api_key')).toMatchObject({
      summary: expect.stringContaining('UPKEEP_API_KEY is not set'),
      remedy: expect.stringContaining('targets.live.credentials.api_key'),
    });
    expect(project.emulator.requests()).toEqual([]);
  });

  test('refused credentials fail the signature check once, not every read', async () => {
    const project = await createTestProject(VMP);
    const { code, states, check } = await runDoctor(project, { env: { UPKEEP_API_KEY: 'another' } });
    expect(code).toBe(7);
    expect(states()).toMatchObject({ connection: 'ok', signature: 'failed', 'read playlist': 'skipped', 'read drm-policy': 'skipped' });
    expect(check('signature')?.remedy).toContain('owner and key belong');
  });

  test('an owner that looks like an API key is a warning, and no check shows a value', async () => {
    const project = await createTestProject(VMP);
    const swapped = { env: { UPKEEP_OWNER: API_KEY, UPKEEP_API_KEY: OWNER } };
    const { states, check } = await runDoctor(project, swapped);
    expect(states()).toMatchObject({ 'credential owner': 'warning', signature: 'failed' });
    expect(check('credential owner')?.remedy).toContain('swapped');
    expect((await project.runWith(swapped, 'doctor')).stdout).not.toContain(API_KEY);
  });
});

describe('doctor checks the account', () => {
  test.each([
    ['ahead of', MANY],
    ['behind', -MANY],
  ])('a clock that is %s is a warning next to a failed signature', async (side, skew) => {
    const project = await createTestProject(VMP);
    const { code, check } = await runDoctor(project, { now: () => Date.now() + skew });
    expect(code).toBe(7);
    expect(check('clock')).toMatchObject({ state: 'warning', summary: expect.stringMatching(new RegExp(`^(599|600|601) s ${side}`)) });
    expect(check('signature')?.state).toBe('failed');
  });

  test('a wrong clock that the service accepts leaves the setup healthy', async () => {
    const project = await createTestProject(VMP, { timestampToleranceSeconds: 86_400 });
    const { code, healthy, check } = await runDoctor(project, { now: () => Date.now() + MANY });
    expect([code, healthy, check('clock')?.state]).toEqual([0, true, 'warning']);
  });

  test('a missing permission for one kind is distinguished from a refused signature', async () => {
    const project = await createTestProject(VMP, { faults: [{ path: '*/vmp-reject-statuses', status: 403 }] });
    const { code, states, check } = await runDoctor(project);
    expect(code).toBe(7);
    expect(states()).toMatchObject({ signature: 'ok', 'read vmp-reject-statuses': 'failed', 'read playlist': 'ok' });
    expect(check('read vmp-reject-statuses')?.remedy).toContain('lacks the permission');
  });

  test('an unreadable kind that the target does not manage is a warning', async () => {
    const project = await createTestProject(VMP, { faults: [{ path: '*/linear-playlist', status: 403 }] });
    const { code, healthy, check } = await runDoctor(project);
    expect([code, healthy, check('read playlist')?.state]).toEqual([0, true, 'warning']);
  });

  test('a failed read exits with 10 and is not retried', async () => {
    const project = await createTestProject(VMP, {
      faults: [{ path: '*/vmp-reject-statuses', status: 500 }],
      target: 'http: { give_up_seconds: 20 }',
    });
    const { code, check } = await runDoctor(project);
    expect([code, check('read vmp-reject-statuses')?.state]).toEqual([10, 'failed']);
    expect(project.emulator.requests().filter(({ path }) => path.endsWith('/vmp-reject-statuses'))).toHaveLength(1);
  });

  test('an unreachable account fails the connection check only', async () => {
    const project = await createTestProject(VMP);
    project.write('upkeep.yaml', projectFile('http://127.0.0.1:1'));
    const { code, states, check } = await runDoctor(project);
    expect(code).toBe(10);
    expect(states()).toMatchObject({ connection: 'failed', clock: 'skipped', signature: 'skipped' });
    expect(check('connection')?.remedy).toContain('base_url');
    expect(states()['read playlist']).toBe('skipped');
  });
});

describe('doctor checks the repository', () => {
  test('errors of the configuration are counted, and the other checks are made', async () => {
    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statusses: []\n' });
    const { code, states, check } = await runDoctor(project);
    expect(code).toBe(8);
    expect(states()).toMatchObject({ configuration: 'failed', signature: 'ok' });
    expect(check('configuration')).toMatchObject({ summary: '1 error', remedy: expect.stringContaining('upkeep validate') });
  });

  test('a work tree for which an apply would wait is a warning', async () => {
    const project = await createGitProject(VMP);
    project.write('config/a.yaml', 'vmp_reject_statuses: []\n');
    const { code, check } = await runDoctor(project);
    expect([code, check('work tree')?.state]).toEqual([0, 'warning']);
    expect(check('work tree')?.remedy).toContain('commit');
  });

  test('a file that only another target reads does not make the work tree of a target differ from its commit', async () => {
    const project = await createGitProject(VMP);
    const own = project.read('upkeep.yaml');
    const [, target = ''] = own.split('targets:\n');
    project.write('upkeep.yaml', `${own}${target.replace('live:', 'other:').replace('[config]', '[other]')}`);
    project.write('other/a.yaml', 'vmp_reject_statuses: []\n');
    project.git('add', 'upkeep.yaml');
    project.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'another target');
    const { stdout } = await project.run('doctor', '--format', 'json');
    const diagnoses = documentsOf('doctor', stdout).map(asDiagnosis);
    const states = diagnoses.map(({ target: name, checks }) => [name, checks.find(({ check }) => check === 'work tree')?.state]);
    expect(states.toSorted()).toEqual([
      ['live', 'ok'],
      ['other', 'warning'],
    ]);
  });

  test('a machine on which no apply could remember what it does is a warning', async () => {
    const project = await createTestProject(VMP);
    const state = join(project.folder, 'upkeep.yaml');
    const { code, check } = await runDoctor(project, { env: { XDG_STATE_HOME: state } });
    expect([code, check('local files')]).toEqual([
      0,
      {
        check: 'local files',
        state: 'warning',
        summary: expect.stringMatching(/^no file can be written in .*upkeep\.yaml\/upkeep\/.* \(EACCES\), so that no apply can begin$/),
        remedy: expect.stringContaining('`plan` and `drift` work without it'),
      },
    ]);
  });

  test('a held lock is a warning that says who holds it, since when and from where, with the command that releases it', async () => {
    const project = await createGitProject(VMP);
    project.git('push', '-q', 'origin', 'HEAD:refs/upkeep/locks/live');
    const { code, states, check } = await runDoctor(project);
    expect(code).toBe(0);
    expect(states()).toMatchObject({ lock: 'warning', push: 'skipped' });
    expect(check('lock')?.summary).toMatch(/^live is locked by .+ since .+, from .+ \(lock [0-9a-f]{12}\)$/);
    expect(check('lock')?.remedy).toContain(`upkeep unlock --target live --id ${project.git('rev-parse', 'HEAD').slice(0, 8)}`);
  });

  test('a ref below that of the lock fails the push check, with the command that removes it', async () => {
    const project = await createGitProject(VMP);
    project.git('push', '-q', project.ledger, 'HEAD:refs/upkeep/locks/live/x');
    const { code, check } = await runDoctor(project);
    const push = check('push');
    expect([code, push?.state, push?.summary]).toEqual([
      1,
      'failed',
      'the ref refs/upkeep/locks/live/x is in the way of those of this target',
    ]);
    const [, args = ''] = push?.remedy?.split('remove it: git ') ?? [];
    project.git(...args.split(' '));
    expect((await project.run('doctor')).code).toBe(0);
  });

  test('a missing remote fails the ledger check', async () => {
    const project = await createGitProject(VMP);
    project.git('remote', 'set-url', 'origin', `${project.remote}-gone`);
    const { code, healthy, check } = await runDoctor(project);
    expect([code, healthy]).toEqual([1, false]);
    expect(check('ledger')?.state).toBe('failed');
    expect(check('ledger')?.remedy).toContain('remote');
  });

  test('the journal and the entry of a killed apply are reported', async () => {
    const project = await createGitProject(VMP);
    writeLocalFileOf(project.folder, 'journal.jsonl', '{"at":"2026-01-02T03:04:05.000Z","intend":["playlist/a"]}\n');
    expect((await runDoctor(project)).check('interrupted applies')).toMatchObject({
      state: 'warning',
      summary: expect.stringContaining('2026-01-02'),
    });
  });
});

test('an interrupt stops doctor with 130', async () => {
  const project = await createTestProject(VMP);
  const { code } = await project.runWith({ signal: AbortSignal.abort() }, 'doctor');
  expect(code).toBe(130);
});

test('an interrupt stops doctor with 130 where a request in flight comes to nothing afterwards', async () => {
  const project = await createTestProject(VMP, { faults: [{ path: '/api/v3/drm/*', status: 503, body: {} }] });
  const interrupt = new AbortController();
  const now = () => {
    if (project.emulator.requests().length > 0) interrupt.abort();
    return Date.now();
  };
  const { code, stderr } = await project.runWith({ signal: interrupt.signal, now }, 'doctor');
  expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')]);
});
