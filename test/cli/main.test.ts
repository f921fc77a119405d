import { describe, expect, test } from 'vitest';
import { wholeCommandLine } from '../../src/cli/command-line.ts';
import { main, wantsJson } from '../../src/cli/main.ts';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { asFailure } from '../support/documents.ts';
import { API_KEY, createTestProject, OWNER, projectFile, projectIn, temporaryFolder } from '../support/harness.ts';
import { fakeIo } from './fake-io.ts';

const COMMANDS = [
  'validate',
  'plan',
  'apply',
  'drift',
  'show',
  'export',
  'targets',
  'history',
  'undo',
  'unlock',
  'explain',
  'doctor',
  'emulate',
];

async function runMain(...argv: string[]) {
  const io = fakeIo();
  return { code: await main(argv, io), out: io.out(), err: io.err() };
}

describe('wrong usage exits with 8 and is reported in two lines', () => {
  test.each([
    ['pln', "error: unknown command 'pln'\n  hint: did you mean plan? See `upkeep --help`\n"],
    ['plan --formt json', "error: unknown option '--formt'\n  hint: did you mean --format? See `upkeep plan --help`\n"],
    ['--target x plan', "error: unknown option '--target'\n  hint: flags come after the command; see `upkeep --help`\n"],
    [
      'plan --format xml',
      "error: --format does not take 'xml': it is one of text, markdown, html, json, ndjson, sarif, junit, github, gitlab, prometheus\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --log-level loud',
      "error: --log-level does not take 'loud': it is one of trace, debug, info, warn, error, silent\n  hint: see `upkeep plan --help`\n",
    ],
    ['plan --log-format xml', "error: --log-format does not take 'xml': it is one of text, json\n  hint: see `upkeep plan --help`\n"],
    [
      'plan --out plan.json',
      "error: --out does not take 'plan.json': it has the form <format>=<file>, for example json=plan.json\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --format github-matrix',
      "error: --format does not take 'github-matrix': it is one of text, markdown, html, json, ndjson, sarif, junit, github, gitlab, prometheus\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'targets --format xml',
      "error: --format does not take 'xml': it is one of text, markdown, html, json, ndjson, sarif, junit, github, gitlab, prometheus, github-matrix\n  hint: see `upkeep targets --help`\n",
    ],
    [
      'plan --shard 0/4',
      "error: --shard does not take '0/4': it has the form <i>/<n>, from 1/n to n/n, for example 2/4; n is at most 10000\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --out xml=a',
      "error: --out does not take 'xml=a': it is one of text, markdown, html, json, ndjson, sarif, junit, github, gitlab, prometheus\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --allow all',
      "error: --allow does not take 'all': it is one of deletes, updates, playback-loss, weakening, first-apply, suspicious-read, unknown-fields, rollback, ignore-expired, deletes=N, CHECK=GLOB, promotion, window, dirty\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --allow deletes=-1',
      "error: --allow does not take 'deletes=-1': it is one of deletes, updates, playback-loss, weakening, first-apply, suspicious-read, unknown-fields, rollback, ignore-expired, deletes=N, CHECK=GLOB, promotion, window, dirty\n  hint: see `upkeep plan --help`\n",
    ],
    [
      'plan --allow weakning=drm-policy/hd',
      "error: --allow does not take 'weakning=drm-policy/hd': it is one of deletes, updates, playback-loss, weakening, first-apply, suspicious-read, unknown-fields, rollback, ignore-expired, deletes=N, CHECK=GLOB, promotion, window, dirty; did you mean weakening?\n  hint: see `upkeep plan --help`\n",
    ],
    ['plan -t', 'error: -t, --target needs a value: <glob>\n  hint: see `upkeep plan --help`\n'],
    ['plan more', "error: too many arguments for 'plan'. Expected 0 arguments but got 1\n  hint: see `upkeep plan --help`\n"],
    ['unlock', "error: required option '--id <id>' not specified\n  hint: see `upkeep unlock --help`\n"],
    [
      'apply --lock-timeout soon',
      "error: --lock-timeout does not take 'soon': it is a whole number from 0 to 86400\n  hint: see `upkeep apply --help`\n",
    ],
    [
      'plan --only-origin both',
      "error: --only-origin does not take 'both': it is one of change, drift\n  hint: see `upkeep plan --help`\n",
    ],
    ['history a b', "error: too many arguments for 'history'. Expected 1 argument but got 2\n  hint: see `upkeep history --help`\n"],
    ['show', "error: missing required argument 'file'\n  hint: see `upkeep show --help`\n"],
    ['emulate --owner a', "error: required option '--api-key <key>' not specified\n  hint: see `upkeep emulate --help`\n"],
    [
      'emulate --owner a --api-key b --port 65536',
      "error: --port does not take '65536': it is a whole number from 0 to 65535\n  hint: see `upkeep emulate --help`\n",
    ],
    [
      'emulate --owner a --api-key b --latency 1.5',
      "error: --latency does not take '1.5': it is a whole number from 0 to 600000\n  hint: see `upkeep emulate --help`\n",
    ],
    ['export --format yaml', "error: --format does not take 'yaml': it is one of text, json, html\n  hint: see `upkeep export --help`\n"],
    ['unlock --id x --format yaml', "error: unknown option '--format'\n  hint: see `upkeep unlock --help`\n"],
  ])('upkeep %s', async (line, err) => {
    expect(await runMain(...line.split(' '))).toEqual({ code: 8, out: '', err });
  });

  test('`help COMMAND` prints the same as `COMMAND --help`', async () => {
    const asked = await runMain('plan', '--help');
    expect(asked.out).toContain('--detailed-exitcode');
    expect(await runMain('help', 'plan')).toEqual(asked);
  });

  test('wrong usage is one document if the arguments ask for JSON', async () => {
    for (const asked of [['--format', 'json'], ['--format=json']]) {
      const { code, out, err } = await runMain('plan', '--nope', ...asked);
      expect(code).toBe(8);
      expect(asFailure(JSON.parse(out)).error).toEqual({
        exit: 8,
        code: 'usage',
        summary: "unknown option '--nope'",
        hint: 'see `upkeep plan --help`',
      });
      expect(err).toContain("error: unknown option '--nope'");
    }
  });

  test('the value of an unknown flag is not repeated, since it may be a secret', async () => {
    const { err } = await runMain('plan', '--api_key=canary=value');
    expect(err).toContain("unknown option '--api_key'");
    expect(err).not.toContain('canary');
  });

  test('arguments are escaped for the terminal', async () => {
    const { err } = await runMain('\u001b[31mplan\n');
    expect(err).toContain("unknown command '\\u{1b}[31mplan\\n'");
  });
});

test('wantsJson ignores the words after `--`', () => {
  expect(wantsJson(['plan', '--format', 'json'])).toBe(true);
  expect(wantsJson(['plan', '--format', 'text'])).toBe(false);
  expect(wantsJson(['plan', 'json', '--format'])).toBe(false);
  expect(wantsJson(['show', '--', '--format', 'json'])).toBe(false);
});

describe('help', () => {
  test('without a command the help is printed on stderr, and the exit code is 8', async () => {
    const { code, out, err } = await runMain();
    expect([code, out]).toEqual([8, '']);
    for (const command of COMMANDS) expect(err).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(err).toContain('Exit codes:');
  });

  test('--help is printed on stdout', async () => {
    const { code, out, err } = await runMain('--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: upkeep [options] [command]');
  });

  test.each(COMMANDS)('of %s fits 80 columns and shows no internal default', async (command) => {
    const { code, out } = await runMain(command, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: upkeep ${command}`);
    expect(out).not.toContain('[]');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('lists the commands in groups, those of every day first', async () => {
    const { out } = await runMain('--help');
    const headings = out.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(headings).toEqual(['Options:', 'Daily:', 'Setting up:', 'CI:', 'More:', 'Exit codes:']);
  });

  test('of apply has its own flags first and those that are rarely needed last', async () => {
    const { out } = await runMain('apply', '--help');
    const headings = out.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(headings).toEqual(['Options:', 'What to look at:', 'Report:', 'Rarely needed:', 'Example:']);
  });

  test.each(COMMANDS)('of %s ends with an example that the command line accepts', async (command) => {
    const { out } = await runMain(command, '--help');
    const [, example = ''] = /\nExample:\n {2}upkeep (.+)\n$/.exec(out) ?? [];
    const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(words[0]).toBe(command);
    expect(() => wholeCommandLine('1.0.0').exitOverride().parse(words, { from: 'user' })).not.toThrow();
  });

  test('--version prints one line', async () => {
    expect(await runMain('--version')).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
  });
});

describe('an unexpected error is one line without a stack, with exit code 1', () => {
  const err = 'unexpected: TypeError: no\\nworld';
  const broken = () => {
    const project = projectIn(temporaryFolder());
    project.write('upkeep.yaml', projectFile('http://127.0.0.1:9'));
    project.write('config/account.yaml', 'playlists: {}');
    const now = () => {
      throw new TypeError('no\nworld');
    };
    return fakeIo({ cwd: project.folder, env: { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY }, now });
  };

  test('an unexpected error of a command without reports is one line with exit code 1', async () => {
    const io = fakeIo();
    const stdout = {
      write: () => {
        throw new TypeError('no\nworld');
      },
    };
    expect(await main(['completion', 'bash'], { ...io, stdout })).toBe(1);
    expect(io.err()).toBe(`error: ${err}\n  hint: this is a bug in upkeep: please report it with the command that you ran\n`);
    expect(io.out()).toBe('');
  });

  test('an unexpected error is one document if the arguments ask for JSON', async () => {
    const io = broken();
    expect(await main(['plan', '--format', 'json'], io)).toBe(1);
    expect(asFailure(JSON.parse(io.out())).error).toMatchObject({
      exit: 1,
      code: 'unexpected',
      summary: 'unexpected: TypeError: no\nworld',
    });
    expect(io.err()).toContain(err);
    expect(io.err()).not.toMatch(/^ +at /m);
  });
});

const DESIRED = config({ playlists: manyPlaylists(1) });

test('an unhandled error outside any target stops the run with exit code 1 and without a stack trace', async () => {
  const project = await createTestProject(DESIRED);
  const onUnhandledError = (handle: (error: unknown) => void) => handle(new TypeError('x is not a function'));
  const { code, stderr } = await project.runWith({ onUnhandledError }, 'apply', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('error: unexpected: TypeError: x is not a function\n');
  expect(stderr).not.toMatch(/^ +at /m);
  expect(project.writes()).toEqual([]);
});

test('an unhandled error does not replace a stronger exit code or an interrupt by the user', async () => {
  const project = await createTestProject(DESIRED);
  const onUnhandledError = (handle: (error: unknown) => void) => handle('a text');
  expect((await project.runWith({ onUnhandledError }, 'plan', '--wrong')).code).toBe(8);
  expect((await project.runWith({ onUnhandledError, signal: AbortSignal.abort() }, 'plan')).code).toBe(130);
});
