/** Projects with a ledger: a project in a git repository, its bare remote, more clones, and no git identity. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import ledgerSchema from '../../schemas/ledger.schema.json' with { type: 'json' };
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import { createBareRepository, createWorkTree } from './git-repository.ts';
import { createTestProject, type ProjectFolder, projectIn, type TestProject, temporaryFolder } from './harness.ts';

/** A clone of the remote with a project in it. */
export interface Clone extends ProjectFolder {
  /** Runs git here as a user would; returns its output without the last line break. */
  git(...args: readonly string[]): string;
  /** Commits everything and pushes it to `main`; returns the commit. */
  commit(): string;
  /** Fetches and checks out `main`. */
  pull(): void;
}

/** A project with an account, a remote and a ledger. */
export interface GitProject extends TestProject, Clone {
  /** The bare remote. */
  readonly remote: string;
  /** The bare repository of the ledger: the remote, or a repository of its own. */
  readonly ledger: string;
  /** The environment of git, for programs that a test starts. */
  readonly env: Environment;
  clone(...options: readonly string[]): Clone;
  /** The entries of the ledger, oldest first. */
  entries(): readonly LedgerEntry[];
  /** The refs below refs/upkeep of the ledger's repository, by name. */
  refs(): { readonly [ref: string]: string };
  /** Copies remote and project to other folders. */
  copy(): Pick<GitProject, keyof Clone | 'remote' | 'ledger' | 'entries' | 'refs'> & { discard(): void };
  /** Sets a git hook of the ledger's repository; null removes it. */
  hook(name: string, script: string | null): void;
}

type Environment = { readonly [name: string]: string | undefined };

const isLedgerEntry = new Ajv({ strict: true }).compile<LedgerEntry>(ledgerSchema);

/** Whether ledgers are in a repository of their own: the tests of ledgers run in both forms (vitest.config.ts). */
export const IS_SEPARATE = process.env.UPKEEP_TEST_LEDGER === 'separate';

/** Creates a project with a ledger; `files` are those of the first commit. */
export async function createGitProject(
  files: Parameters<typeof createTestProject>[0],
  { isSeparate = IS_SEPARATE, ...options }: NonNullable<Parameters<typeof createTestProject>[1]> & { readonly isSeparate?: boolean } = {},
): Promise<GitProject> {
  const root = temporaryFolder();
  const remote = join(root, 'remote.git');
  const ledger = isSeparate ? join(root, 'ledger.git') : remote;
  const setting = isSeparate ? `{ git: ${ledger} }` : 'git';
  const rules = `${isSeparate ? 'project: content\n' : ''}${options.rules ?? ''}`;
  const project = await createTestProject(files, { ...options, rules, target: `ledger: ${setting}\n${options.target ?? ''}` });
  if (isSeparate) createBareRepository(ledger);
  const env = gitEnvironment(join(root, 'home'));
  createBareRepository(remote);
  createWorkTree(project.folder, remote);
  const clone = cloneAt(project.folder, env);
  clone.commit();
  const clones = { count: 0 };
  const ledgerOf = (bareRepository: string) => {
    const refs = () => refsOf(bareRepository, env);
    return { ledger: bareRepository, refs, entries: () => entriesOf(bareRepository, env, refs()['refs/upkeep/live']) };
  };
  return {
    ...project,
    ...clone,
    remote,
    ...ledgerOf(ledger),
    env,
    async close() {
      await project.close();
      rmSync(root, { recursive: true, force: true });
    },
    clone(...cloneOptions) {
      const folder = join(root, `clone${++clones.count}`);
      run(root, env, ['clone', '-q', '--no-local', ...cloneOptions, remote, folder]);
      return cloneAt(folder, env);
    },
    copy() {
      const copyFolder = join(root, `copy${++clones.count}`);
      const [remoteCopy, folder] = [join(copyFolder, 'remote.git'), join(copyFolder, 'project')];
      cpSync(remote, remoteCopy, { recursive: true });
      cpSync(project.folder, folder, { recursive: true });
      const copy = cloneAt(folder, env);
      copy.git('remote', 'set-url', 'origin', remoteCopy);
      const ledgerCopy = isSeparate ? join(copyFolder, 'ledger.git') : remoteCopy;
      if (isSeparate) {
        cpSync(ledger, ledgerCopy, { recursive: true });
        copy.write('upkeep.yaml', copy.read('upkeep.yaml').replace(setting, `{ git: ${ledgerCopy} }`));
        copy.commit();
      }
      return { ...copy, remote: remoteCopy, ...ledgerOf(ledgerCopy), discard: () => rmSync(copyFolder, { recursive: true, force: true }) };
    },
    hook(name, script) {
      const text = script === null ? 'exit 0' : script;
      writeFileSync(join(ledger, 'hooks', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    },
  };
}

/** Returns an environment without git configuration of this machine or its user, and so without an identity. */
function gitEnvironment(home: string): Environment {
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', UPKEEP_ACTOR: undefined, GITHUB_ACTOR: undefined };
}

function run(folder: string, env: Environment, args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .replace(/\n$/, '');
}

/** Returns the project in a folder that is a clone. */
function cloneAt(folder: string, env: Environment): Clone {
  const git = (...args: readonly string[]) => run(folder, env, args);
  return {
    ...projectIn(folder, env),
    git,
    commit() {
      git('add', '-A');
      git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '--allow-empty', '-m', 'change');
      git('push', '-q', '--force', 'origin', 'HEAD:main');
      return git('rev-parse', 'HEAD');
    },
    pull() {
      git('fetch', '-q', 'origin', 'main');
      git('reset', '-q', '--hard', 'FETCH_HEAD');
    },
  };
}

function refsOf(remote: string, env: Environment): { readonly [ref: string]: string } {
  const rows = run(remote, env, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/upkeep'])
    .split('\n')
    .filter((row) => row !== '');
  return Object.fromEntries(rows.map((row) => [row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ') + 1)]));
}

/** Returns the entries of the ledger, oldest first, each valid by the published schema. */
function entriesOf(remote: string, env: Environment, head: string | undefined): readonly LedgerEntry[] {
  if (head === undefined) return [];
  const commits = run(remote, env, ['rev-list', '--reverse', '--first-parent', head, '--', 'entry.json']).split('\n');
  return commits.map((commit) => {
    const entry: unknown = JSON.parse(run(remote, env, ['show', `${commit}:entry.json`]));
    if (isLedgerEntry(entry)) return entry;
    throw new Error(`${commit} holds no entry`);
  });
}

/** Returns the remote ID of a playlist by its description; empty where there is none or more than one. */
export function playlistId(project: TestProject, desc: string): string {
  const [clone, other] = project.playlists().filter((playlist) => playlist.desc === desc);
  return clone && !other ? String(clone.id) : '';
}
