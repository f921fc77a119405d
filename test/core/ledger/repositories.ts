/** Repositories for tests: bare remotes in temporary folders, clones of every kind, and no git identity anywhere. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import ledgerSchema from '../../../schemas/ledger.schema.json' with { type: 'json' };
import { type LedgerEntry, writeEntry } from '../../../src/core/ledger/entry.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { acquire, type Lock, type LockRequest } from '../../../src/core/ledger/lock.ts';
import { ENTRY_FILE, ledgerRef } from '../../../src/core/ledger/push-entry.ts';
import type { LedgerRemote } from '../../../src/core/ledger/remote.ts';
import { openRepository } from '../../../src/core/ledger/repository.ts';
import { cleanUpAfterFile } from '../../support/cleanup.ts';
import { createBareRepository, createWorkTree } from '../../support/git-repository.ts';

/** A new empty folder, by its real path. */
export function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'upkeep-ledger-')));
  cleanUpAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment without any configuration or identity of git. */
export const bare: { readonly [name: string]: string | undefined } = {
  PATH: process.env.PATH,
  HOME: emptyFolder(),
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Runs git as a user would, and gives what it says without the last line feed. */
export function git(folder: string, ...args: readonly string[]): string {
  const who = { GIT_AUTHOR_NAME: 'u', GIT_AUTHOR_EMAIL: 'u@example.com', GIT_COMMITTER_NAME: 'u', GIT_COMMITTER_EMAIL: 'u@example.com' };
  const env = { ...bare, ...who };
  return execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'init.templateDir=', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .toString()
    .replace(/\n$/, '');
}

/** Writes files below a folder. */
export function write(folder: string, files: { readonly [name: string]: string }): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Commits everything, and gives the commit. */
export function commit(folder: string, files: { readonly [name: string]: string } = {}, message = 'change'): string {
  write(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

/** The files of a first commit. */
type Files = { readonly [name: string]: string };

const PROJECT: Files = { 'upkeep.yaml': 'version: 1\n' };

/** A bare remote with a first commit on `main`. */
export function newRemote(files: Files = PROJECT): { url: string; first: string } {
  const url = join(emptyFolder(), 'remote.git');
  const original = originalOf(files);
  cpSync(original.url, url, { recursive: true });
  return { url, first: original.first };
}

/** A remote and a clone of it, of which tests get copies: to copy files takes far less time than to start git. */
interface Original {
  readonly url: string;
  readonly first: string;
  /** Returns the folder of the clone, which the first call makes. */
  readonly folder: () => string;
}

const originals = new Map<string, Original>();

function originalOf(files: Files): Original {
  const key = JSON.stringify(files);
  const known = originals.get(key);
  if (known !== undefined) return known;
  const url = join(emptyFolder(), 'remote.git');
  const seed = emptyFolder();
  createBareRepository(url);
  createWorkTree(seed);
  const first = commit(seed, files, 'first');
  git(seed, 'push', '-q', url, 'HEAD:main');
  let folder: string | undefined;
  const original = { url, first, folder: () => (folder ??= clone(url)) };
  originals.set(key, original);
  // The folders are removed with those of the file whose test made them.
  cleanUpAfterFile(() => void originals.delete(key));
  return original;
}

/** A clone, with more options of `git clone`. */
export function clone(url: string, ...options: readonly string[]): string {
  const folder = join(emptyFolder(), 'clone');
  // Over a transport: a local clone would copy all objects, also those that no branch reaches.
  git(dirname(folder), 'clone', '-q', '--no-local', ...options, url, folder);
  return folder;
}

/** The remote `origin` as seen from a folder. */
export async function originOf(folder: string, env = bare): Promise<LedgerRemote> {
  return { repository: await openRepository(folder, env), remote: 'origin' };
}

/** A new remote, and one clone of it. */
export async function newClone(files: Files = PROJECT): Promise<{ url: string; folder: string; first: string; at: LedgerRemote }> {
  const { url, first } = newRemote(files);
  const original = originalOf(files);
  const folder = join(emptyFolder(), 'clone');
  cpSync(original.folder(), folder, { recursive: true });
  const config = join(folder, '.git', 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replace(original.url, url));
  return { url, folder, first, at: await originOf(folder) };
}

/** A program that the bare remote runs; hooks of the clone have no say. */
export function hook(repository: string, name: string, script: string): void {
  mkdirSync(join(repository, 'hooks'), { recursive: true });
  writeFileSync(join(repository, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const ajv = new Ajv({ strict: true });

/** Whether a value is an entry, as the published schema says. */
export const isEntry = ajv.compile<LedgerEntry>(ledgerSchema);

const digest = (character: string): string => `sha256:${character.repeat(64)}`;

/** An entry; what is not given is plain. */
export function entry(more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    schemaVersion: 1,
    target: 'production',
    at: '2026-03-01T10:00:00.000Z',
    by: 'ada@example',
    where: 'build-1',
    tool: '1.0.0',
    config: { commit: null, digest: digest('c') },
    fingerprint: digest('f'),
    summary: { created: 1, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 },
    verified: true,
    outcomes: [{ address: 'playlist/evening-block', result: 'created', tookMs: 12 }],
    owner: digest('0'),
    bindings: { 'playlist/evening-block': { id: '8bd3', origin: 'created' } },
    forgotten: [],
    pendingSince: {},
    ...more,
  };
}

/** Puts entries of `production` into a bare repository after those that are there, with one call of git, and gives the last commit. */
export function putEntries(repository: string, entries: readonly LedgerEntry[]): string {
  const ref = ledgerRef('production');
  const head = git(repository, 'for-each-ref', '--format=%(objectname)', ref);
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commits = entries.map((each, index) => {
    const parent = index === 0 && head !== '' ? `from ${head}\n` : '';
    return `commit ${ref}\ncommitter u <u@example.com> 1 +0000\n${data('an entry')}${parent}M 644 inline ${ENTRY_FILE}\n${data(writeEntry(each))}`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, env: bare, input: commits.join('') });
  return git(repository, 'rev-parse', ref);
}

/** The ledger of `production`. */
export function ledgerOf(at: LedgerRemote, target = 'production') {
  return openLedger({ ...at, target, check: (value): value is LedgerEntry => isEntry(value) });
}

/** A clock that only sleeping moves. */
export function clock(): { now(): number; elapsed(): number; sleep(milliseconds: number): Promise<void>; readonly slept: number[] } {
  const slept: number[] = [];
  let time = Date.UTC(2026, 2, 1, 10);
  return {
    now: () => time,
    elapsed: () => time,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      time += milliseconds;
    },
    slept,
  };
}

/** Takes the lock of `production`, or says who has it. */
export function lock(at: LedgerRemote, by = 'ada', more: Partial<LockRequest> = {}): Promise<Lock> {
  const holder = { by, where: `${by}-machine` };
  return acquire({
    ...at,
    target: 'production',
    project: 'content',
    holder,
    configuration: null,
    timeoutSeconds: 0,
    signal: new AbortController().signal,
    ...clock(),
    ...more,
  });
}
