/** A last entry that cannot be used ends every command with the same code, and doctor says it before a run does. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/report/documents/diagnosis.ts';
import { asDiagnosis } from '../../support/documents.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { writeLocalFileOf } from '../../support/local-files.ts';

const REF = 'refs/upkeep/live';
const FILES = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

/** A project that was applied twice. */
async function applied(): Promise<GitProject> {
  const project = await createGitProject(FILES);
  for (const statuses of ['[PLATFORM_TAMPERED]', '[]']) {
    project.write('config/a.yaml', `vmp_reject_statuses: ${statuses}\n`);
    project.commit();
    expect((await project.run('apply', '--yes', '--allow', 'weakening')).code).toBe(0);
  }
  project.writes();
  return project;
}

/** Puts an entry with this text after the last one, as somebody who may push could. Returns its commit. */
function putEntry(project: GitProject, text: string): string {
  const git = (input: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-C', project.ledger, '-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', ...args], {
      env: project.env,
      input,
    })
      .toString()
      .trim();
  const tree = git(`100644 blob ${git(text, 'hash-object', '-w', '--stdin')}\tentry.json\n`, 'mktree');
  const commit = git('', 'commit-tree', '-p', REF, '-m', 'x', tree);
  git('', 'update-ref', REF, commit);
  return commit;
}

async function checksOf(project: GitProject): Promise<{ readonly code: number; readonly checks: readonly Check[] }> {
  const { code, stdout } = await project.run('doctor', '--format', 'json');
  return { code, checks: asDiagnosis(JSON.parse(stdout)).checks };
}

interface Unusable {
  readonly what: string;
  readonly text: (last: object) => string;
  readonly exit: number;
  readonly summary: string;
  /** Exit code of `history`, which shows whatever the ledger holds; that of a run unless said. */
  readonly history?: number;
}

const UNUSABLE: readonly Unusable[] = [
  { what: 'is no JSON', text: () => '{', exit: 1, summary: 'it is not JSON' },
  {
    what: 'is of a newer version',
    text: (last) => JSON.stringify({ ...last, schemaVersion: 3 }),
    exit: 8,
    summary: 'it was written by a newer version of upkeep',
  },
  {
    what: 'has no target',
    text: (last) => JSON.stringify({ ...last, target: undefined }),
    exit: 1,
    summary: 'it does not have the form of an entry',
  },
  {
    what: 'belongs to another target',
    text: (last) => JSON.stringify({ ...last, target: 'staging' }),
    exit: 1,
    summary: 'it belongs to the target staging',
  },
  {
    what: 'belongs to another project',
    text: (last) => JSON.stringify({ ...last, project: 'sports' }),
    exit: 8,
    summary: 'the ledger of live belongs to the project sports',
    history: 0,
  },
];

describe('where the last entry of the ledger', () => {
  test.each(UNUSABLE)(
    '$what, doctor says what a run says, and ends with its code $exit',
    async ({ text, exit, summary, history = exit }) => {
      const project = await applied();
      putEntry(project, text(project.entries().at(-1) ?? {}));
      const { code, checks } = await checksOf(project);
      const failed = checks.filter(({ state }) => state === 'failed');
      expect([code, failed]).toEqual([exit, [expect.objectContaining({ check: 'ledger', summary: expect.stringContaining(summary) })]]);
      expect(checks.filter(({ check }) => check === 'lock' || check === 'push').map(({ state }) => state)).toEqual(['ok', 'ok']);
      for (const argv of [['plan'], ['apply', '--yes'], ['drift'], ['undo']]) {
        const run = await project.refused(...argv);
        const { error } = run.document;
        expect([argv, run.code, error.summary, error.hint]).toEqual([argv, exit, failed[0]?.summary, failed[0]?.remedy]);
      }
      expect((await project.run('history')).code).toBe(history);
      expect(project.writes()).toEqual([]);
    },
  );
});

describe('an entry of a newer version', () => {
  const newer = (project: GitProject): string => JSON.stringify({ ...project.entries().at(-1), schemaVersion: 3 });

  test('stops an export with 8 before it writes a file that would lack what the ledger binds', async () => {
    const project = await applied();
    putEntry(project, newer(project));
    const { code, stdout, stderr } = await project.run('export');
    expect([code, stdout, stderr]).toEqual([8, '', expect.stringContaining('newer version of upkeep')]);
  });

  test('leaves the list of the targets whole, which ends with 8', async () => {
    const project = await applied();
    putEntry(project, newer(project));
    const { code, stdout, stderr } = await project.run('targets');
    expect([code, stdout, stderr]).toEqual([8, expect.stringContaining('live'), expect.stringContaining('newer version of upkeep')]);
  });

  test('keeps the lock of a killed run, because what the run was applying could not be recorded', async () => {
    const project = await applied();
    const commit = project.git('rev-parse', 'HEAD');
    project.git('push', '-q', project.ledger, `${commit}:refs/upkeep/locks/live`);
    putEntry(project, newer(project));
    const { code, stderr } = await project.run('unlock', '--id', commit.slice(0, 12));
    expect([code, stderr]).toEqual([8, expect.stringMatching(/newer version of upkeep[\s\S]*hint: update upkeep/)]);
    expect(project.refs()['refs/upkeep/locks/live']).toBe(commit);
  });

  test('that waits on this machine to be pushed is not to be moved away: the hint says to update upkeep', async () => {
    const project = await applied();
    writeLocalFileOf(project.folder, 'pending.json', `{"previous":null,"entry":${newer(project)}}\n`);
    const { code, checks } = await checksOf(project);
    const { document } = await project.refused('plan');
    expect([code, document.error.exit, document.error.hint]).toEqual([8, 8, 'update upkeep']);
    expect(checks).toContainEqual({ check: 'ledger', state: 'failed', summary: document.error.summary, remedy: 'update upkeep' });
  });

  test('of the history stops what reads that far, and no plan', async () => {
    const project = await applied();
    const last = project.entries().at(-1) ?? {};
    putEntry(project, newer(project));
    putEntry(project, JSON.stringify(last));
    expect((await project.run('history')).code).toBe(8);
    expect((await project.run('plan')).code).toBe(0);
    expect((await checksOf(project)).code).toBe(0);
  });
});
