/** A disk that becomes full in the middle of an apply: the results are reported and recorded, and nothing is created without a journal. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asOutcome } from '../support/documents.ts';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { API_KEY, createTestProject, OWNER, type RunResult } from '../support/harness.ts';
import { localFile, stateHomeOf } from '../support/local-files.ts';
import { startRecorder } from '../support/recorder.ts';
import { beams, config, PLAYLISTS } from './accounts.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
const STATUSES = '/api/v3/drm/vmp-reject-statuses/update';
/** A status more is rejected, which is written first; then two playlists are created. */
const DESIRED = config({
  vmp_reject_statuses: ['PLATFORM_TAMPERED'],
  playlists: { p1: { playlist: beams(1, 2) }, p2: { playlist: beams(3) } },
});
const LEFT = [
  { address: 'vmp-reject-statuses', result: 'updated' },
  {
    address: 'playlist/p1',
    result: 'failed',
    error: expect.stringContaining('not created: its journal cannot be written to this disk (E'),
  },
  { address: 'playlist/p2', result: 'failed' },
];

/** A project with a ledger, on whose disk something happens while its first write is on its way. */
async function applyWithEvent(onFirstWrite: (project: GitProject) => void): Promise<GitProject> {
  const project = await createGitProject(DESIRED);
  const recorder = await startRecorder(project.emulator.url);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/base_url: .*/, `base_url: ${recorder.url}`));
  project.commit();
  recorder.respond = ({ path }) => {
    if (path === STATUSES) onFirstWrite(project);
    return null;
  };
  return project;
}

test('a create whose journal cannot be opened fails unsent, the other changes are applied, reported and recorded, and the next run converges', async () => {
  const project = await applyWithEvent(({ folder }) => mkdirSync(localFile(folder, 'journal.jsonl'), { recursive: true }));
  const { code, stderr, document } = await project.apply('--yes');
  expect(code).toBe(5);
  expect(document).toMatchObject({ outcomes: LEFT, summary: { updated: 1, failed: 2 }, verified: false });
  expect(stderr).toMatch(/^error: the journal .*journal\.jsonl cannot be removed/m);
  expect(project.writes()).toEqual([`POST ${STATUSES}`]);
  expect(project.entries()).toMatchObject([{ summary: { updated: 1, failed: 2 } }]);
  expect(Object.keys(project.refs())).toEqual(['refs/upkeep/live']);
  rmSync(localFile(project.folder, 'journal.jsonl'), { recursive: true });
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { summary: { created: 2 }, verified: true } });
});

test('an entry that can be neither pushed nor saved hides nothing of the outcome, and the lock is released', async () => {
  const project = await applyWithEvent(({ folder }) => mkdirSync(localFile(folder, 'pending.json'), { recursive: true }));
  project.hook('pre-receive', 'while read old new ref; do case $ref in refs/upkeep/live) exit 1;; esac; done');
  const { code, stderr, document } = await project.apply('--yes');
  expect(code).toBe(5);
  expect(document).toMatchObject({ summary: { created: 2, updated: 1 }, verified: true });
  expect(stderr).toMatch(
    /^error: the apply to live was made, but could be neither recorded \(.*\) nor kept in the git directory \(E[A-Z]+\)\n {2}hint: /m,
  );
  expect(project.refs()).toEqual({});
});

/** Runs the program where no file can grow: a limit of the shell simulates a full disk. */
function onFullDisk(folder: string, ...argv: readonly string[]): Promise<RunResult> {
  const env = { PATH: process.env.PATH, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY, XDG_STATE_HOME: stateHomeOf(folder) };
  const limited = ['-c', `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`, process.execPath, PROGRAM, ...argv];
  return new Promise((resolve) => {
    const child = execFile('sh', limited, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test('the built program on a full disk fails to write the journal and --out, prints the outcome, and exits with code 5', async () => {
  const project = await createTestProject(DESIRED);
  const { code, stdout, stderr } = await onFullDisk(project.folder, 'apply', '--yes', '--format', 'json', '--out', 'markdown=report.md');
  expect(asOutcome(JSON.parse(stdout))).toMatchObject({ outcomes: LEFT, summary: { updated: 1, failed: 2 } });
  expect(stderr).toMatch(/^error: the report report\.md cannot be written \(EFBIG\)$/m);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(code).toBe(5);
  expect(project.writes()).toEqual([`POST ${STATUSES}`]);
  expect(project.emulator.requests().filter(({ method, path }) => method === 'POST' && path === PLAYLISTS)).toEqual([]);
  expect((await project.apply('--yes')).document).toMatchObject({ summary: { created: 2 }, verified: true });
});
