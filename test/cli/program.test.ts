import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { API_KEY, createTestProject, OWNER, type TestProject, temporaryFolder } from '../support/harness.ts';

const program = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramResult>;
}

/** Starts the built program; `seen` is told what it has written so far. */
function start(cwd: string, argv: readonly string[], seen: (child: ChildProcess, stdout: string) => void = () => {}): RunningProgram {
  const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const child = spawn(process.execPath, [program, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    seen(child, stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

function runToEnd(...args: Parameters<typeof start>): Promise<ProgramResult> {
  return start(...args).ended;
}

/** Sends signals as soon as the service holds a request of this run. */
async function signalAtPrompt(
  project: TestProject,
  argv: readonly string[],
  first: NodeJS.Signals,
  later?: NodeJS.Signals,
): Promise<ProgramResult> {
  const { child, ended } = start(project.folder, argv);
  let next: NodeJS.Signals | undefined = first;
  const poll = setInterval(() => {
    if (project.emulator.requests().length === 0 || next === undefined) return;
    child.kill(next);
    next = later;
  }, 5);
  try {
    return await ended;
  } finally {
    clearInterval(poll);
  }
}

describe('the built program', () => {
  test('the program returns its exit code to the shell', async () => {
    const cwd = temporaryFolder();
    expect(await runToEnd(cwd, ['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runToEnd(cwd, ['plan'])).toMatchObject({ code: 8, stdout: '' });
    expect((await runToEnd(cwd, ['nope'])).code).toBe(8);
  });

  test('a machine that allows too few open files gets a message that says so, and no stack trace', () => {
    const said = [20, 24, 32, 40].map((files) => {
      const argv = ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, program, 'validate'];
      const { status, stderr } = spawnSync('sh', argv, { cwd: temporaryFolder(), encoding: 'utf8' });
      expect([files, stderr]).not.toEqual([files, expect.stringMatching(/^ +at /m)]);
      return { status, isTold: stderr.includes('allow more open files, for example: ulimit -n 1024') };
    });
    expect(said).toContainEqual({ status: 1, isTold: true });
  });

  /** What an apply of one change says where stderr is no terminal. */
  const PROGRESS = 'updated vmp-reject-statuses (1 of 1)\nreading back what was written\n';

  test('the program runs a whole apply', async () => {
    const project = await createTestProject(VMP);
    const { code, stdout, stderr } = await runToEnd(project.folder, ['apply', '--yes']);
    expect([code, stderr]).toEqual([0, PROGRESS]);
    expect(stdout).toContain('Verified:');
  });

  test('a closed pipe on stdout neither stops the program nor changes its exit code', async () => {
    const project = await createTestProject(VMP);
    const close = (child: ChildProcess) => child.stdout?.destroy();
    const { code, stderr } = await runToEnd(project.folder, ['apply', '--yes'], close);
    expect([code, stderr]).toEqual([0, PROGRESS]);
    expect(project.writes()).toEqual(['POST /api/v3/drm/vmp-reject-statuses/update']);
  });

  test('a report on a full disk is an error, unless the run has a stronger exit code', async () => {
    const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
    const project = await createTestProject({ ...VMP, 'bad/upkeep.yaml': 'version: 1\n' });
    const codeOf = (cwd: string) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [program, 'validate', '--format', 'json'], { cwd, env, stdio: ['ignore', full, 'pipe'] });
        child.stderr?.on('data', (text) => said.push(String(text)));
        child.once('close', resolve);
      });
    const said: string[] = [];
    const full = openSync('/dev/full', 'w');
    expect(await codeOf(project.folder)).toBe(1);
    expect(said.join('')).toBe('error: the standard output cannot be written (ENOSPC), so what it should hold is not complete\n');
    expect(await codeOf(join(project.folder, 'bad'))).toBe(8);
    closeSync(full);
  });

  test('the emulator listens until it is interrupted', async () => {
    const interrupt = (child: ChildProcess, stdout: string) => {
      if (stdout.includes('\n')) child.kill('SIGINT');
    };
    const { code, stdout, stderr } = await runToEnd(temporaryFolder(), ['emulate', '--owner', 'a', '--api-key', 'b'], interrupt);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ owner: 'a' });
  });
});

describe('a signal to the program', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s ends the run in order: nothing written, all said, exit 130',
    async (signal) => {
      const project = await createTestProject(VMP, { latencyMs: 300 });
      const { code, stderr } = await signalAtPrompt(project, ['apply', '--yes'], signal);
      expect(code).toBe(130);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(project.writes()).toEqual([]);
    },
  );

  test('a signal more than a second after the first ends the program at once', async () => {
    const project = await createTestProject(VMP, { latencyMs: 120_000, target: 'http: { requests_per_second: 0, timeout_seconds: 120 }' });
    const { code } = await signalAtPrompt(project, ['plan'], 'SIGINT', 'SIGTERM');
    expect(code).toBe(130);
  });
});
