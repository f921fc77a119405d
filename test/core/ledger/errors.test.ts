import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { actorOf } from '../../../src/core/ledger/actor.ts';
import { GitError, gitErrorOf, LedgerError, LockHeldError, singleLine } from '../../../src/core/ledger/errors.ts';
import { anyText, assertProperty } from '../../support/property.ts';

describe('singleLine', () => {
  test('masks the credentials of a URL', () => {
    const secret = fc.stringMatching(/^[!-~]{8,20}$/).filter((text) => !/[@'"]/.test(text));
    assertProperty(
      fc.property(secret, fc.constantFrom('https', 'ssh', 'ext+x', 'HTTP'), fc.constantFrom('@', '@x@'), (password, scheme, at) => {
        const told = singleLine(`fatal: unable to access '${scheme}://ada:${password}${at}example.com/x.git/': it broke`);
        expect(told).not.toContain(password);
        expect(told).toContain("***@example.com/x.git/': it broke");
      }),
    );
  });

  test('returns one line of limited length without control characters', () => {
    assertProperty(
      fc.property(anyText({ maxLength: 500 }), (text) => {
        const told = singleLine(text);
        expect(told).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(Array.from(told).length).toBeLessThanOrEqual(300);
      }),
    );
  });

  test.each([
    ['a name and a password without a scheme', 'ada:s3cret@example.com/x', '***@example.com/x'],
    ['two addresses', 'https://a:b@x/ and ssh://c@y/', 'https://***@x/ and ssh://***@y/'],
    ['a token of a query', 'at https://x/y?a=b&private_token=s3cret&c=d ended', 'at https://x/y?a=b&private_token=***&c=d ended'],
    ['a key that comes first', "'https://x/y?api_key=s3cret'", "'https://x/y?api_key=***'"],
    ['a secret and a password', 'x?Client_Secret=1 y?password=2', 'x?Client_Secret=*** y?password=***'],
  ])('masks %s', (_what, text, expected) => {
    expect(singleLine(text)).toBe(expected);
  });

  test('keeps what is no secret, in one line', () => {
    expect(singleLine('  fatal: a@b\n\ttime 10:20 x?page=2 https://x/y  ')).toBe('fatal: a@b time 10:20 x?page=2 https://x/y');
  });

  test('drops the word in which a very long text is cut, which may be a part of a secret', () => {
    const long = (length: number): string => `https://ada:${' '.repeat(length - 24)}https://ada:s3cret`;
    expect(singleLine(`${long(4_000)}@example.com/`)).not.toContain('s3cret');
    expect(singleLine(`${' '.repeat(3_995)}kept!`)).toBe('kept!');
    expect(singleLine(`${' '.repeat(3_995)}kept! gone`)).toBe('');
  });
});

describe('gitErrorOf converts', () => {
  const ended = { command: 'push', stdout: '', stderr: '', systemError: null, timedOutAfter: null };

  test.each<[string, Partial<Parameters<typeof gitErrorOf>[0]>, string, string]>([
    ['a missing git program', { systemError: 'ENOENT' }, 'no-git', 'the program `git` was not found'],
    ['a timeout', { timedOutAfter: 180 }, 'unreachable', 'git push: no end after 180 s'],
    ['too much output', { systemError: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' }, 'failed', 'git push: ERR_CHILD_PROCESS_STDIO_MAXBUFFER'],
    ['a failure without a message', {}, 'failed', 'git push: failed without a message'],
    [
      'denied access',
      { stderr: 'git@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n' },
      'unreachable',
      'git push: Could not read from remote repository: git@example.com: Permission denied (publickey).',
    ],
    [
      'an ssh server that does not answer',
      {
        stderr:
          'ssh: connect to host example.com port 22: Connection refused\r\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
      },
      'unreachable',
      'git push: Could not read from remote repository: ssh: connect to host example.com port 22: Connection refused',
    ],
    [
      'a read-only remote',
      {
        stderr:
          "remote: Permission to a/b.git denied to ada.\nfatal: unable to access 'https://x/': The requested URL returned error: 403\n",
      },
      'refused',
      "git push: Permission to a/b.git denied to ada.; unable to access 'https://x/': The requested URL returned error: 403",
    ],
    ['an unknown host', { stderr: "fatal: unable to access 'https://x/': Could not resolve host: x\n" }, 'unreachable', ''],
    [
      'a rejected push',
      { stdout: 'To x\n!\ta:refs/upkeep/x\t[remote rejected] (hook declined)\nDone\n', stderr: 'error: failed to push some refs\n' },
      'refused',
      'git push: [remote rejected] (hook declined)',
    ],
  ])('%s', (_what, failure, code, message) => {
    expect(gitErrorOf({ ...ended, ...failure })).toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
  });
});

describe('gitErrorOf reads the message', () => {
  const ended = { command: 'fetch', stdout: '', stderr: '', systemError: null, timedOutAfter: null };

  test.each<[string, string, RegExp]>([
    [
      "fatal: detected dubious ownership in repository at '/x'",
      'refused',
      /^the repository belongs to another user.*safe\.directory <its folder>$/,
    ],
    [
      "fatal: cannot use bare repository '/x' (safe.bareRepository is 'explicit')",
      'no-repository',
      /^a folder here holds the files of a repo/,
    ],
    [
      'fatal: not a git repository (or any of the parent directories): .git',
      'no-repository',
      /^run it inside a clone, or set `ledger: none`/,
    ],
    ['fatal: this operation must be run in a work tree', 'no-repository', /^run it inside a clone/],
    ["fatal: transport 'ext' not allowed", 'refused', /^a ledger repository is reached by https and ssh only.*insteadOf/],
    ["fatal: transport '' not allowed", 'refused', /^a ledger repository is reached by https and ssh only/],
    ['fatal: the receiving end does not support --atomic push', 'refused', /^the remote must support atomic pushes$/],
    [' ! [rejected] x -> x (stale info)', 'refused', /^somebody else changed the ref meanwhile/],
    [' ! [rejected] x -> x (fetch first)', 'refused', /^somebody else changed the ref meanwhile/],
    [' ! [rejected] x -> x (non-fast-forward)', 'refused', /^somebody else changed the ref meanwhile/],
    [' ! [rejected] x -> x', 'refused', /^the remote must let you create, update and delete refs\/upkeep/],
    [' ! [remote rejected] x -> x', 'refused', /^the remote must let you create/],
    ['remote: pre-receive hook declined', 'refused', /^the remote must let you create/],
    ['fatal: The requested URL returned error: 403', 'refused', /^the remote must let you create/],
    ['remote: Write access to repository not granted.', 'refused', /^the remote must let you create/],
    ['remote: no write access here', 'refused', /^the remote must let you create/],
    ['remote: Permission to a/b.git denied to ada.', 'refused', /^the remote must let you create/],
    ["fatal: could not read Username for 'https://x'", 'unreachable', /^the remote asks for credentials/],
    ["fatal: could not read Password for 'https://x'", 'unreachable', /^the remote asks for credentials/],
    ["fatal: Authentication failed for 'https://x/'", 'unreachable', /^the remote asks for credentials/],
    ['x@y: Permission denied (publickey).', 'unreachable', /^the remote asks for credentials/],
    ['fatal: The requested URL returned error: 401', 'unreachable', /^the remote asks for credentials/],
    ['fatal: terminal prompts disabled', 'unreachable', /^the remote asks for credentials/],
    ['Host key verification failed.', 'unreachable', /^the remote asks for credentials/],
    ['fatal: remote error: upload-pack: not our ref 123', 'unknown-commit', /^fetch it, or make sure that the remote still has it$/],
    ['fatal: want 1a2b not valid', 'unknown-commit', /^fetch it/],
    ['fatal: remote ref refs/heads/x not found', 'unknown-commit', /^fetch it/],
    ["fatal: couldn't find remote ref x", 'unknown-commit', /^fetch it/],
    ['error: Server does not allow request for unadvertised object 1', 'unknown-commit', /^fetch it/],
    ['fatal: bad object 1', 'unknown-commit', /^fetch it/],
    ['fatal: Not a valid object name x', 'unknown-commit', /^fetch it/],
    ['fatal: not a valid commit name x', 'unknown-commit', /^fetch it/],
    ['fatal: Needed a single revision', 'unknown-commit', /^fetch it/],
    ['fatal: needed a single revision', 'unknown-commit', /^fetch it/],
    ['fatal: Could not read from remote repository.', 'unreachable', /^check the address of the remote, the network/],
    ['fatal: could not read from remote repository.', 'unreachable', /^check the address of the remote/],
    ["fatal: unable to access 'https://x/'", 'unreachable', /^check the address of the remote/],
    ["fatal: '/x' does not appear to be a git repository", 'unreachable', /^check the address of the remote/],
    ['fatal: Connection reset by peer', 'unreachable', /^check the address of the remote/],
    ['fatal: no connection', 'unreachable', /^check the address of the remote/],
    ['fatal: Could not resolve host: x', 'unreachable', /^check the address of the remote/],
    ['fatal: the remote end hung up unexpectedly', 'unreachable', /^check the address of the remote/],
    ['remote: Repository not found.', 'unreachable', /^check the address of the remote/],
    ["fatal: repository 'https://x/' not found", 'unreachable', /^check the address of the remote/],
    ['fatal: early EOF', 'unreachable', /^check the address of the remote/],
    ['fatal: something else', 'failed', /^run the same command of git by hand to see more$/],
    ['', 'failed', /^run the same command of git by hand to see more$/],
  ])('%s', (stderr, code, hint) => {
    const error = gitErrorOf({ ...ended, stderr: `${stderr}\n` });
    expect(error).toMatchObject({ name: 'GitError', code, hint: expect.stringMatching(hint) });
    expect(gitErrorOf({ ...ended, stdout: stderr })).toMatchObject({ code, hint: error.hint });
  });

  test.each<[string, Partial<Parameters<typeof gitErrorOf>[0]>, string]>([
    ['the first line that git calls fatal or an error', { stderr: 'warning: w\nfatal:   one\nerror: two\n' }, 'git fetch: one'],
    ['an error before a fatal one', { stderr: 'error: one\nfatal: two\nx fatal: three\n' }, 'git fetch: one'],
    [
      'three lines of the remote',
      { stderr: 'remote: a  \nremote:\nremote:   b\nx remote: z\nremote: c\nremote: d\n' },
      'git fetch: a; b; c',
    ],
    ['a line that comes twice once', { stderr: 'remote: a\nremote: a\nfatal: a\n' }, 'git fetch: a'],
    [
      'the first ref that was rejected for its own sake',
      {
        stdout: 'To x\n!\ta:b\t[rejected] (atomic push failed)\n!\tc:d\t[rejected] (stale info)\n!\te:f\t[rejected] (fetch first)\nDone\n',
        stderr: 'error: failed to push some refs to x\n',
      },
      'git fetch: [rejected] (stale info)',
    ],
    [
      'a ref that a hook rejected, and not the one that went with it',
      {
        stdout: '!\ta:b\t[remote rejected] (atomic transaction failed)\n!\tc:d\t[remote rejected] (hook declined)\n',
        stderr: 'remote: no\n',
      },
      'git fetch: [remote rejected] (hook declined); no',
    ],
    [
      'that refs could not be pushed, if there is no more',
      { stderr: 'error: failed to push some refs to x\n' },
      'git fetch: failed to push some refs to x',
    ],
    [
      'the line before the end of ssh',
      { stderr: 'x\n  ssh: no route  \nfatal: Could not read from remote repository.\n' },
      'git fetch: Could not read from remote repository: ssh: no route',
    ],
    [
      'the end of ssh, if there is no more',
      { stderr: 'fatal: Could not read from remote repository.\n' },
      'git fetch: Could not read from remote repository.',
    ],
    ['an output without an error', { stderr: 'usage: git\n' }, 'git fetch: usage: git'],
    ['a system error', { systemError: 'E2BIG' }, 'git fetch: E2BIG'],
    ['nothing', { stdout: 'x\n' }, 'git fetch: failed without a message'],
  ])('from %s', (_what, failure, message) => {
    expect(gitErrorOf({ ...ended, ...failure }).message).toBe(message);
  });

  test('and says what to do where git is missing or does not end', () => {
    expect(gitErrorOf({ ...ended, systemError: 'ENOENT' }).hint).toBe('install git, or put it on the PATH');
    expect(gitErrorOf({ ...ended, timedOutAfter: 60 })).toMatchObject({
      code: 'unreachable',
      message: 'git fetch: no end after 60 s',
      hint: 'check the network and the remote, then run again',
    });
  });
});

test('errors of the ledger have a name, a message and a hint', () => {
  expect(new GitError('failed', 'it broke', 'mend it')).toMatchObject({
    name: 'GitError',
    code: 'failed',
    message: 'it broke',
    hint: 'mend it',
  });
  expect(new LedgerError('it broke', 'mend it')).toMatchObject({ name: 'LedgerError', message: 'it broke', hint: 'mend it' });
  const holder = {
    id: '12345678',
    commit: '1'.repeat(40),
    by: 'ada',
    since: '2026-03-01T10:00:00Z',
    where: 'build-1',
    project: 'content',
    configuration: null,
  };
  expect(new LockHeldError('live', holder)).toMatchObject({
    name: 'LockHeldError',
    holder,
    message: 'live is locked by ada since 2026-03-01T10:00:00Z, from build-1 (lock 12345678)',
    hint: 'wait for it (--lock-timeout SECONDS); if that run is dead: upkeep unlock --target live --id 12345678',
  });
  expect(new LockHeldError('live', holder, 'a b/upkeep.yaml').hint).toMatch(
    /: upkeep unlock --project 'a b\/upkeep\.yaml' --target live --id 12345678$/,
  );
});

describe('actorOf, for a user whom the system does not know,', () => {
  const failWith = (error: Error): void => {
    vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw error;
    });
    syncBuiltinESMExports();
  };

  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test.each([
    ['USER', { USER: 'ada\n' }, 'ada'],
    ['nothing', {}, 'unknown'],
    ['an empty USER', { USER: ' ' }, 'unknown'],
  ])('reads the name from %s', (_what, env, name) => {
    failWith(Object.assign(new Error('no such user'), { syscall: 'uv_os_get_passwd' }));
    expect(actorOf(env)).toEqual({ by: `${name}@${os.hostname()}`, where: os.hostname() });
  });

  test.each([new TypeError('broken'), Object.assign(new TypeError('broken'), { code: 'ENOENT' })])(
    'passes on an error that is not of the system',
    (error) => {
      failWith(error);
      expect(() => actorOf({ USER: 'ada' })).toThrow(error);
    },
  );

  test('reads the name from the system otherwise', () => {
    expect(actorOf({ USER: 'eve' }).by).toBe(`${os.userInfo().username}@${os.hostname()}`);
  });
});

describe('actorOf reads the actor', () => {
  const github = { GITHUB_ACTOR: 'octo', GITHUB_SERVER_URL: 'https://code.example', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' };
  test.each<[string, Parameters<typeof actorOf>[0], string | RegExp, string | RegExp]>([
    ['from UPKEEP_ACTOR', { ...github, UPKEEP_ACTOR: 'ada' }, /^ada$/, 'https://code.example/a/b/actions/runs/7'],
    ['from a job on GitHub', github, /^octo$/, 'https://code.example/a/b/actions/runs/7'],
    [
      'from a job on GitLab',
      { GITLAB_USER_LOGIN: 'lab', CI_JOB_URL: 'https://ci:tok@lab.example/j/1' },
      /^lab$/,
      'https://***@lab.example/j/1',
    ],
    ['without a job where GITHUB_SERVER_URL is missing', { ...github, GITHUB_SERVER_URL: '' }, /^octo$/, /^[^/]+$/],
    ['without a job where GITHUB_REPOSITORY is missing', { ...github, GITHUB_REPOSITORY: '' }, /^octo$/, /^[^/]+$/],
    ['without a job where GITHUB_RUN_ID is missing', { ...github, GITHUB_RUN_ID: undefined }, /^octo$/, /^[^/]+$/],
    ['from this machine outside CI', { UPKEEP_ACTOR: ' \n', GITHUB_SERVER_URL: 'https://code.example' }, /^[^@]+@.+$/, /^[^/]+$/],
  ])('%s', (_what, env, by, where) => {
    expect(actorOf(env)).toEqual({
      by: expect.stringMatching(by),
      where: expect.stringMatching(where instanceof RegExp ? where : RegExp(`^${where.replaceAll('*', '\\*')}$`)),
    });
  });
});
