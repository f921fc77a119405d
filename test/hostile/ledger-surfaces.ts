/** Hostile input of the ledger: entries and locks on the remote, and the saved record beside a project. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ledgerSchema from '../../schemas/ledger.schema.json' with { type: 'json' };
import { toCliError } from '../../src/app/run/exit-codes.ts';
import { createValidator } from '../../src/core/config/validator.ts';
import { type LedgerEntry, parseLedgerEntry, toEntry } from '../../src/core/ledger/entry.ts';
import { LedgerError, LockHeldError } from '../../src/core/ledger/errors.ts';
import { readLock } from '../../src/core/ledger/lock.ts';
import type { Repository } from '../../src/core/ledger/repository.ts';
import { visible } from '../../src/report/escape.ts';
import { writeLocalFileOf } from '../support/local-files.ts';
import { SEED, SOURCES } from './corpus.ts';
import { unexpectedState, violationsOf } from './run-checks.ts';
import type { Surface, Surfaces } from './surfaces.ts';
import { openTestProject } from './test-project.ts';

const LOCK = JSON.stringify(
  { schemaVersion: 1, target: 'live', by: 'ada', since: '2026-03-01T10:00:00.000Z', where: 'build-1', nonce: 'x' },
  null,
  2,
);

/** The surfaces of ledgers: in the remote of the project, in a repository of its own, and in memory. */
export async function ledgerSurfaces(): Promise<Surfaces> {
  const inRemote = await surfaceThroughGit('ledger through git', false);
  const inOwn = await surfaceThroughGit('ledger repository through git', true);
  return {
    all: [inRemote.surface, inOwn.surface, entries(inRemote.entry), locks()],
    originals: [inRemote.entry, inOwn.entry, LOCK],
    async close() {
      await inRemote.close();
      await inOwn.close();
    },
  };
}

/** A surface, the entry that it mutates, and the function that removes it. */
interface GitSurface {
  readonly surface: Surface;
  readonly entry: string;
  close(): Promise<void>;
}

/** A project in git whose ledger has one entry; a playlist has left the project since and another has changed. */
async function surfaceThroughGit(name: string, isSeparate: boolean): Promise<GitSurface> {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-hostile-git-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const [remote, ledger] = [join(folder, 'remote.git'), join(folder, isSeparate ? 'ledger.git' : 'remote.git')];
  const project = openTestProject(env, `    ledger: ${isSeparate ? `{ git: ${ledger} }\nproject: content` : 'git'}\n`);
  const git = (folder: string, args: readonly string[], input: Buffer = Buffer.alloc(0)) =>
    execFileSync('git', [...args], { cwd: folder, env, input, stdio: ['pipe', 'pipe', 'ignore'] })
      .toString()
      .trim();
  const commit = (): void => {
    git(project.folder, ['add', '-A']);
    git(project.folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'change']);
    git(project.folder, ['push', '-q', 'origin', 'HEAD:main']);
  };
  const apply = async () => {
    const { code, stderr } = await project.run('apply', '--yes', '--allow', 'dirty');
    if (code !== 0) throw new Error(`the corpus itself cannot be applied: ${stderr}`);
  };
  for (const repository of new Set([remote, ledger])) git(folder, ['init', '-q', '--bare', '-b', 'main', repository]);
  git(project.folder, ['init', '-q', '-b', 'main']);
  git(project.folder, ['remote', 'add', 'origin', remote]);
  let emulator = await project.account(SEED);
  commit();
  await apply();
  const before = emulator.dump();
  const entry = git(ledger, ['show', 'refs/upkeep/live:entry.json']);
  // The only parent of the first entry: the commit of the configuration, or of its files.
  const parent = git(ledger, ['rev-parse', 'refs/upkeep/live^']);
  const later = (SOURCES['config/playlists.yaml'] ?? '').replace(/ {2}morning:\n.*\n/, '').replace('repeat: -1', 'repeat: 4');
  project.write('config/playlists.yaml', later);
  commit();
  await apply();
  const desired = emulator.dump();

  /** Makes a commit with a file at a ref of the ledger's repository; `from` says which commit it follows. */
  const put = (ref: string, file: string, bytes: Buffer, from: string): string => {
    const head = `reset ${ref}\n\ncommit ${ref}\ncommitter x <x@x> 1700000000 +0000\ndata 1\nx\n${from}M 100644 inline ${file}\ndata ${bytes.length}\n`;
    git(ledger, ['fast-import', '--quiet', '--force'], Buffer.concat([Buffer.from(head), bytes, Buffer.from('\n')]));
    return git(ledger, ['rev-parse', ref]);
  };
  const remove = (ref: string): void => rmSync(join(ledger, ref), { force: true });
  const putEntry = (bytes: Buffer): string => put(LEDGER, 'entry.json', bytes, `from ${parent}\ndeleteall\n`);
  const ledgerSurface: Surface = {
    name,
    weight: 0.3,
    async feed(mutation, random) {
      emulator = await project.account(before);
      project.write('config/playlists.yaml', later);
      const what = random.of(['entry', 'entry', 'lock', 'pending', ...(isSeparate ? (['files', 'files'] as const) : [])] as const);
      const record = `{"previous":null,"entry":${entry}}`;
      putEntry(what === 'entry' ? mutation(entry) : Buffer.from(entry));
      if (what === 'lock') put(LOCKS, 'lock.json', mutation(LOCK), '');
      if (what === 'files') {
        const file = random.of(['upkeep.yaml', ...Object.keys(SOURCES)]);
        const files = put('refs/files', file, mutation(project.projectFile('http://127.0.0.1:9')), `from ${parent}\n`);
        putEntry(Buffer.from(entry.replaceAll(parent, files)));
      }
      if (what === 'pending') writeLocalFileOf(project.folder, 'pending.json', mutation(record));
      const argv =
        what === 'lock'
          ? ['apply', '--yes']
          : random.of([['apply', '--yes'], ['apply', '--yes', '--skip-blocked'], ['plan'], ['history'], ['drift'], ['undo']]);
      const ran = await project.run(...argv, '--format', 'json', ...(argv[0] === 'apply' ? ['--allow', 'dirty'] : []));
      remove(LOCKS);
      project.remove('.git/upkeep');
      const writes = emulator.requests().some((request) => request.method !== 'GET');
      return [
        ...violationsOf(ran),
        ...unexpectedState(before, desired, emulator.dump()),
        ...(writes && (what === 'lock' || argv[0] !== 'apply') ? [`it wrote: ${argv.join(' ')} with a mutated ${what}`] : []),
      ];
    },
  };
  return {
    surface: ledgerSurface,
    entry,
    async close() {
      await project.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const LEDGER = 'refs/upkeep/live';
const LOCKS = 'refs/upkeep/locks/live';

/** Entries read in memory: refused in words, or of the form that everything after it relies on. */
function entries(entry: string): Surface {
  const accepts = createValidator<LedgerEntry>(ledgerSchema);
  const check = (value: unknown): value is LedgerEntry => 'value' in accepts(value);
  return {
    name: 'ledger entry',
    weight: 14,
    async feed(mutation) {
      try {
        const read = parseLedgerEntry(mutation(entry).toString(), check);
        return toEntry(read, check) === read ? [] : ['an entry was accepted that is none'];
      } catch (error) {
        return error instanceof LedgerError ? checkMessage(error) : [`reading an entry threw ${String(error)}`];
      }
    },
  };
}

/** Locks read from a repository in memory: the message about the holder is harmless. */
function locks(): Surface {
  return {
    name: 'lock',
    weight: 8,
    async feed(mutation) {
      const bytes = mutation(LOCK);
      const lockInfo = await readLock({ repository: repositoryWith(bytes), remote: 'origin' }, 'live');
      return lockInfo === null ? ['a lock was taken for none'] : checkMessage(new LockHeldError('live', lockInfo));
    },
  };
}

function checkMessage(error: Error): readonly string[] {
  const { message, hint, exit } = toCliError(error);
  return violationsOf({ argv: [], code: exit, stdout: '', stderr: `${visible(message)}\n${visible(hint)}` });
}

/** Returns a repository whose every ref is a commit of one file with these bytes. */
function repositoryWith(bytes: Buffer): Repository {
  const commit = 'c'.repeat(40);
  const commitText = `tree ${commit}\n\nx\n`;
  const outputs: { readonly [question: string]: string | Buffer } = {
    'ls-remote': `${commit}\t${LOCKS}\n`,
    remote: '',
    '-e': '',
    '--batch-check': `${commit} commit ${commitText.length}\n${commit} blob ${bytes.length}\n`,
    '--batch': Buffer.concat([
      Buffer.from(`${commit} commit ${commitText.length}\n${commitText}\n${commit} blob ${bytes.length}\n`),
      bytes,
      Buffer.from('\n'),
    ]),
    commit: commitText,
  };
  const respond = (args: readonly string[]): Buffer => {
    const output = outputs[(args[0] === 'cat-file' ? args[1] : args[0]) ?? ''];
    if (output === undefined) throw new Error(`git ${args.join(' ')} has no answer here`);
    return Buffer.from(output);
  };
  return {
    folder: '/',
    prefix: '',
    shallow: false,
    nameLength: 40,
    localFolder: '/',
    run: async (args) => respond(args),
    runSync: respond,
  };
}
