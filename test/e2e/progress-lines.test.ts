/** What an apply says while it writes, where no terminal shows its status. */
import { describe, expect, test } from 'vitest';
import { createTestProject, type RunOptions } from '../support/harness.ts';
import { beams } from './accounts.ts';

const SOURCE = {
  'config/a.yaml': `playlists:\n  a: { playlist: ${JSON.stringify(beams(1, 2))} }\n  b: { playlist: ${JSON.stringify(beams(2, 3))} }\n`,
};
const LINES = /^created playlist\/[ab] \(1 of 2\)\ncreated playlist\/[ab] \(2 of 2\)\nreading back what was written\n$/;

/** Runs an apply; returns what it wrote, in order, with the names of the streams. */
async function order(options: RunOptions, ...argv: string[]) {
  const project = await createTestProject(SOURCE);
  return project.runWith(options, 'apply', '--yes', ...argv);
}

describe('an apply without a terminal', () => {
  test.each(['text', 'json', 'markdown', 'junit'])('tells each write on stderr, with the report as %s on stdout', async (format) => {
    const { code, stdout, stderr } = await order({}, '--format', format);
    expect([code, stdout.includes('1 of 2')]).toEqual([0, false]);
    expect(stderr).toMatch(LINES);
  });

  test.each([
    ['as ndjson, whose events tell the same', {}, ['--format', 'ndjson']],
    ['with --quiet', {}, ['--quiet']],
    ['with a terminal, whose status tells it', { terminal: true }, []],
  ])('has no such lines %s', async (_name, options, argv) => {
    const { stderr } = await order(options, ...argv);
    expect(stderr).not.toMatch(/created|reading back what/);
  });

  test('with a log in JSON has no such lines, so that each line is an event', async () => {
    const { stderr } = await order({}, '--log-format', 'json', '--log-level', 'info');
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const change = { msg: 'change applied', address: 'playlist/a', result: 'created' };
    expect(events).toContainEqual(expect.objectContaining(change));
  });

  test('with a log in JSON that has no events below warnings, tells each write', async () => {
    const { stderr } = await order({}, '--log-format', 'json');
    expect(stderr).toMatch(LINES);
  });

  test('says it when it is done: each line comes before the next request', async () => {
    const project = await createTestProject(SOURCE, { target: 'http: { requests_per_second: 0, concurrency: 1 }' });
    const { stderr } = await project.run('apply', '--yes', '--log-level', 'debug');
    const lines = stderr.split('\n').filter((line) => /^created|method=POST/.test(line));
    expect(lines.map((line) => line.replace(/ .*/, ''))).toEqual(['debug:', 'created', 'debug:', 'created']);
  });

  test('of several targets, each line names its target', async () => {
    const project = await createTestProject(SOURCE);
    const text = project.read('upkeep.yaml');
    project.write(
      'upkeep.yaml',
      `${text}${text.slice(text.indexOf('  live:')).replace('  live:', '  other:')}`.replaceAll('ledger: git\n', ''),
    );
    const { stderr } = await project.run('apply', '-t', '*', '--yes', '--skip-blocked');
    expect(stderr).toMatch(/^(live|other): created playlist\/a \(\d of 2\)$/m);
    expect(stderr).not.toMatch(/^created/m);
  });

  test('tells a write that failed, with its reason', async () => {
    const faults = [{ method: 'POST', path: '/api/v4/linear-playlist', status: 409 }];
    const project = await createTestProject(SOURCE, { faults });
    const { code, stderr } = await project.run('apply', '--yes');
    expect(code).toBe(5);
    expect(stderr).toMatch(/^failed playlist\/a \(\d of 2\): POST \/api\/v4\/linear-playlist: HTTP 409/m);
  });
});
