/** What a ledger says of commits that are no entries of it, and which calls of git its readers need. */
import { describe, expect, test } from 'vitest';
import { writeEntry } from '../../../src/core/ledger/entry.ts';
import { GitError } from '../../../src/core/ledger/errors.ts';
import { entry, ledgerOf, lock, newClone } from './repositories.ts';
import { type Script, scriptedGit } from './scripted-git.ts';

const COMMIT = '1'.repeat(40);
const BLOB = '2'.repeat(40);
const OTHER = '3'.repeat(40);
const REF = 'refs/upkeep/production';
const failed = new GitError('failed', 'git broke', '');

/** Answers as a repository does whose ledger has one entry, with this text. */
function oneEntry(text: string, parents: readonly string[] = [], size = Buffer.byteLength(text)): Script {
  const head = [`tree ${OTHER}`, ...parents.map((parent) => `parent ${parent}`), 'author u', '', 'x'].join('\n');
  return (args) => {
    if (args.includes('ls-remote')) return `${COMMIT}\t${REF}\n`;
    if (args.includes('--batch-check')) return `${COMMIT} commit ${head.length}\n${BLOB} blob ${size}\n`;
    if (args.includes('--batch')) return `${COMMIT} commit ${head.length}\n${head}\n${BLOB} blob ${Buffer.byteLength(text)}\n${text}\n`;
    return args.includes('commit') ? head : '';
  };
}

const ledgerWith = (script: Script, byAddress = false) => {
  const { repository, calls } = scriptedGit(script);
  return { ledger: ledgerOf(byAddress ? { repository, remote: '/ledger.git', byAddress: true } : { repository, remote: 'origin' }), calls };
};

describe('an entry', () => {
  const back = 'set the ref back to the last entry of upkeep';
  test.each<[string, Script, string, string]>([
    [
      'that is missing',
      (args, ...rest) => (args.includes('--batch-check') ? `${COMMIT} missing\n` : oneEntry('')(args, ...rest)),
      'it holds no entry.json',
      back,
    ],
    ['that is too large', oneEntry('{}', [], 2 ** 40), 'its entry.json is too large', back],
    ['of another target', oneEntry(writeEntry(entry({ target: 'staging' }))), 'it belongs to the target staging', back],
    ['of a newer version', oneEntry('{"schemaVersion":3}'), 'it was written by a newer version of upkeep', 'update upkeep'],
  ])('%s is reported with its commit and what to do', async (_what, script, reason, hint) => {
    await expect(ledgerWith(script).ledger.latest()).rejects.toMatchObject({
      name: 'LedgerError',
      message: `the ledger of production cannot be used at commit ${COMMIT}: ${reason}`,
      hint,
      isNewer: hint === 'update upkeep',
    });
  });

  test('has the entry before it as the parent that is neither its configuration nor the files of that', async () => {
    const config = { commit: OTHER, digest: entry().config.digest };
    const text = writeEntry(entry({ config, snapshots: { [OTHER]: BLOB } }));
    const previousOf = async (parents: readonly string[]) => (await ledgerWith(oneEntry(text, parents)).ledger.latest())?.previous;
    expect(await previousOf([OTHER, BLOB])).toBeNull();
    expect(await previousOf([OTHER, COMMIT, BLOB])).toBe(COMMIT);
    expect(await previousOf([])).toBeNull();
  });

  test('passes on errors of git', async () => {
    const error = new GitError('no-git', 'the program `git` was not found', '');
    const { ledger } = ledgerWith((args, ...rest) => (args.includes('--batch-check') ? error : oneEntry('')(args, ...rest)));
    await expect(ledger.latest()).rejects.toBe(error);
  });
});

describe('find', () => {
  test.each(['111111', 'HEADHEAD', 'x1111111', '1111111x', '111111g', ''])('starts no git for %j, which names no entry', async (id) => {
    const { ledger, calls } = ledgerWith(oneEntry(writeEntry(entry())));
    expect([await ledger.find(id), calls]).toEqual([null, []]);
  });

  test('finds an entry by seven characters or its whole ID', async () => {
    const { ledger } = ledgerWith(oneEntry(writeEntry(entry())));
    expect([(await ledger.find('1111111'))?.commit, (await ledger.find(COMMIT))?.commit]).toEqual([COMMIT, COMMIT]);
    expect(await ledger.find('1111112')).toBeNull();
  });
});

describe('entryAt', () => {
  const withNames = (names: string, more: { readonly [command: string]: Error } = {}): Script => {
    const answers = oneEntry(writeEntry(entry()));
    return (args, ...rest) => {
      const error = Object.entries(more).find(([command]) => args.includes(command))?.[1];
      return error ?? (args.includes('ls-tree') ? names : answers(args, ...rest));
    };
  };

  test.each([
    ['entry.json\0', true],
    ['entry.json\0upkeep.yaml\0', false],
    ['upkeep.yaml\0', false],
    ['', false],
  ])('reads the ledger for a commit with the files %j: %s', async (names, isEntry) => {
    const { ledger, calls } = ledgerWith(withNames(names));
    expect((await ledger.entryAt(COMMIT))?.commit).toBe(isEntry ? COMMIT : undefined);
    expect(calls.some(([args]) => args.includes('ls-remote'))).toBe(isEntry);
    expect(calls.find(([args]) => args.includes('ls-tree'))).toEqual([['ls-tree', '-z', '--name-only', '--full-tree', COMMIT]]);
  });

  test('is null for a commit that is not in the ledger', async () => {
    expect(await ledgerWith(withNames('entry.json\0')).ledger.entryAt(OTHER)).toBeNull();
  });

  test('fetches a commit that is not there, in the project with an error where it cannot', async () => {
    const { ledger } = ledgerWith(withNames('', { 'cat-file': failed, fetch: failed }));
    await expect(ledger.entryAt(COMMIT)).rejects.toMatchObject({ code: 'unknown-commit' });
  });

  test('is null where a ledger repository does not have the commit, and passes on other errors', async () => {
    const attempt = async (error: Error) => ledgerWith(withNames('', { 'cat-file': failed, fetch: error }), true).ledger.entryAt(COMMIT);
    expect(await attempt(new GitError('unknown-commit', 'git fetch: not our ref', ''))).toBeNull();
    for (const error of [failed, new TypeError('broken')]) await expect(attempt(error)).rejects.toBe(error);
    const { ledger, calls } = ledgerWith(withNames('entry.json\0', { '-e': failed }), true);
    await ledger.entryAt(COMMIT).catch(() => undefined);
    expect(calls.find(([args]) => args.includes('fetch'))?.[0]).toEqual(expect.arrayContaining(['fetch', '/ledger.git', COMMIT]));
  });
});

describe('pushUnpushed', () => {
  const hash = `sha256:${'9'.repeat(64)}`;

  test.each<[string, Parameters<typeof entry>[0]]>([
    ['time', { at: '2026-03-01T10:00:01.000Z' }],
    ['author', { by: 'bob' }],
    ['fingerprint', { fingerprint: hash }],
  ])('pushes an entry that differs from the last one by its %s alone', async (_what, more) => {
    const { at } = await newClone();
    const ledger = ledgerOf(at);
    const one = await (await lock(at)).pushEntry(entry(), null);
    ledger.keepUnpushed(entry(more), null);
    expect(await ledger.pushUnpushed(await lock(at))).toMatchObject({ previous: one, entry: more });
  });

  test('says what to do where the lock was taken away', async () => {
    const { at } = await newClone();
    const ledger = ledgerOf(at);
    ledger.keepUnpushed(entry(), null);
    await expect(ledger.pushUnpushed({ held: async () => false })).rejects.toMatchObject({ hint: 'run again: the entry is still kept' });
    expect((await ledger.pushUnpushed(await lock(at)))?.previous).toBeNull();
  });
});
