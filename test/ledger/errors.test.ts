import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actorOf } from '../../src/ledger/actor.ts';
import { gitErrorOf, singleLine } from '../../src/ledger/errors.ts';
import { anyText, assertProperty } from '../support/property.ts';

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
