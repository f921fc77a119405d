import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { info, reportError, warn } from '../../../src/app/run/messages.ts';
import type { ReportOptions } from '../../../src/app/run/options.ts';
import { previousReport } from '../../../src/app/run/out-file.ts';
import { createReports, plainOptions, reportOrigin } from '../../../src/app/run/reports.ts';
import { VERSION } from '../../../src/app/run/version.ts';
import type { CliContext } from '../../../src/cli/status-line.ts';
import type { ChangeOutcome } from '../../../src/core/model/outcome.ts';
import { type Document, render } from '../../../src/report/index.ts';
import { resultEvent } from '../../../src/report/machine/ndjson.ts';
import { fakeIo, TERMINAL } from '../../cli/fake-io.ts';
import { temporaryFolder } from '../../support/harness.ts';

const PLAIN: ReportOptions = { format: 'text', out: [], color: true, logLevel: 'warn', logFormat: 'text' };

const valid: Document = {
  type: 'validation',
  validation: { schemaVersion: 1, target: 'live', valid: true, findings: [], resources: {} },
};
const failure: Document = {
  type: 'failure',
  failure: { schemaVersion: 1, target: 'spare', error: { exit: 8, code: 'bad', summary: 'no good', hint: '' }, findings: [] },
};

function openReports(options: Partial<ReportOptions> = {}, world: Partial<CliContext> = {}) {
  const io = fakeIo(world);
  return { io, reports: createReports(io, { ...PLAIN, ...options }) };
}

describe('reports as text', () => {
  test('a document is written at once, after an empty line if another came before, and a failure to stderr', async () => {
    const { io, reports } = openReports();
    reports.add(valid);
    expect(io.out()).toContain('Validation of live');
    reports.add(failure);
    reports.show(valid);
    expect(await reports.finish()).toEqual([]);
    expect(io.all().map((text) => text.split('\n').slice(0, 2))).toEqual([
      ['Validation of live', ''],
      ['! ', 'Failed: spare'],
      ['', 'Validation of live'],
    ]);
  });

  test.each([
    ['a terminal', {}, {}, true],
    ['--no-color', { color: false }, {}, false],
    ['NO_COLOR', {}, { env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', {}, { env: { NO_COLOR: '' } }, true],
    ['a dumb terminal', {}, { env: { TERM: 'dumb' } }, false],
    ['a pipe', {}, { terminal: { ...TERMINAL, stdout: false } }, false],
    ['a pipe and FORCE_COLOR', {}, { terminal: { ...TERMINAL, stdout: false }, env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', {}, { env: { FORCE_COLOR: '0' } }, false],
    ['FORCE_COLOR and NO_COLOR', {}, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, false],
    ['FORCE_COLOR and --no-color', { color: false }, { env: { FORCE_COLOR: '1' } }, false],
  ] as const)('text is colored as the terminal, flags and environment say: %s', (_name, options, world, coloured) => {
    const { io, reports } = openReports(options, { terminal: TERMINAL, ...world });
    reports.add(valid);
    expect(io.out().includes('\u001b[')).toBe(coloured);
  });

  test('text fits the width of the terminal, also where only the other stream is one, and a file has 80 columns', () => {
    const summary = 'word '.repeat(60).trim();
    const long: Document = { ...failure, failure: { ...failure.failure, error: { ...failure.failure.error, summary } } };
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
    for (const stderr of [true, false]) {
      const { io, reports } = openReports({}, { terminal: { ...TERMINAL, stderr, columns: 110 }, env: { NO_COLOR: '1' } });
      reports.add(long);
      expect(widest(io.err())).toBeGreaterThan(80);
      expect(widest(io.err())).toBeLessThanOrEqual(110);
    }
    expect(
      widest(render([long], 'text', plainOptions({ command: 'plan', version: VERSION, folder: '', project: 'upkeep.yaml' }))),
    ).toBeLessThanOrEqual(80);
  });
});

describe('reports as JSON', () => {
  test('documents are written at the end as one document or one array, and a failure is also written to stderr', async () => {
    const { io, reports } = openReports({ format: 'json' });
    reports.add(valid);
    reports.add(failure);
    reports.show(valid);
    expect(io.out()).toBe('');
    await reports.finish();
    expect(JSON.parse(io.out())).toEqual([expect.objectContaining({ target: 'live' }), expect.objectContaining({ target: 'spare' })]);
    expect(io.err()).toContain('error: no good');
    expect(io.err()).toContain('Validation of live');
  });
});

describe('reports as an event stream', () => {
  const result = (address: string, updated: boolean): ChangeOutcome =>
    updated ? { address, result: 'updated', tookMs: 1 } : { address, result: 'failed', error: 'inconsistent', tookMs: 1 };
  const outcomeOf = (...outcomes: readonly ChangeOutcome[]): Document => {
    const summary = { created: 0, updated: 1, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 1, skipped: 0 };
    return { type: 'outcome', outcome: { schemaVersion: 1, target: 'live', fingerprint: 'x', outcomes, summary, verified: false } };
  };
  const told = (text: string) => text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));

  test('events are written as they happen, and their document adds only the events that are new', async () => {
    const { io, reports } = openReports({ format: 'ndjson' });
    reports.emit([resultEvent('live', result('playlist/a', true)), resultEvent('live', result('playlist/b', true))]);
    expect(told(io.out())).toMatchObject([{ address: 'playlist/a' }, { address: 'playlist/b' }]);
    reports.add(outcomeOf(result('playlist/a', true), result('playlist/b', false)));
    const all = [
      { address: 'playlist/a' },
      { address: 'playlist/b', result: 'updated' },
      { address: 'playlist/b', result: 'failed' },
      { event: 'outcome' },
    ];
    expect(told(io.out())).toMatchObject(all);
    await reports.finish();
    expect(told(io.out())).toMatchObject(all);
  });

  test('an ndjson file contains each event once, and a format that is no stream ignores events', async () => {
    const cwd = temporaryFolder();
    const { io, reports } = openReports({ format: 'json', out: [{ format: 'ndjson', file: 'events' }] }, { cwd });
    reports.emit([resultEvent('live', result('playlist/a', true))]);
    expect(io.all()).toEqual([]);
    reports.add(outcomeOf(result('playlist/a', true)));
    await reports.finish();
    expect(told(readFileSync(join(cwd, 'events'), 'utf8'))).toMatchObject([{ event: 'result' }, { event: 'outcome' }]);
  });

  test('secrets are redacted in events', () => {
    const { io, reports } = openReports({ format: 'ndjson' });
    io.secrets.add('a long enough secret');
    reports.emit([resultEvent('live', { ...result('playlist/a', false), error: 'no: a long enough secret' })]);
    expect(told(io.out())).toHaveLength(1);
    expect(io.out()).not.toContain('long enough');
  });
});

describe('the files of --out', () => {
  test('the gauges of a failed run keep the last success of the previous report', async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'upkeep.prom');
    const success = 'upkeep_last_success_timestamp_seconds{command="plan",target="spare"} 1772445600.5';
    writeFileSync(file, `${success}\n`);
    const { reports } = openReports({ out: [{ format: 'prometheus', file }] }, { cwd });
    reports.add(failure);
    expect(await reports.finish()).toEqual([]);
    expect(readFileSync(file, 'utf8')).toContain(success);
    expect(previousReport(cwd, 'nowhere')).toBeNull();
    expect(previousReport(cwd, '.')).toBeNull();
  });

  test('a previous report of more than a mebibyte is not read', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'just'), 'x'.repeat(1024 * 1024));
    writeFileSync(join(cwd, 'over'), 'x'.repeat(1024 * 1024 + 1));
    expect(previousReport(cwd, 'just')).toHaveLength(1024 * 1024);
    expect(previousReport(cwd, 'over')).toBeNull();
  });

  test('--out writes every file in its format, whatever the format of stdout, and without color', async () => {
    const cwd = temporaryFolder();
    const out = [
      { format: 'json', file: 'a.json' },
      { format: 'text', file: 'b.txt' },
      { format: 'markdown', file: join(cwd, 'c.md') },
    ] as const;
    const { reports } = openReports({ out }, { cwd, terminal: TERMINAL });
    reports.add(valid);
    expect(await reports.finish()).toEqual([]);
    const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
    expect(JSON.parse(read('a.json'))).toMatchObject({ target: 'live', valid: true });
    expect(read('b.txt')).toContain('Validation of live\n');
    expect(read('c.md')).toContain('Validation of live');
    expect(read('b.txt') + read('c.md')).not.toContain('\u001b');
  });

  test('creates the folder .upkeep for a report in it, with its .gitignore, and no other folder', async () => {
    const cwd = temporaryFolder();
    const out = [
      { format: 'json', file: '.upkeep/plan.json' },
      { format: 'json', file: 'missing/.upkeep/plan.json' },
      { format: 'json', file: '.upkeep/missing/plan.json' },
    ] as const;
    const { reports } = openReports({ out }, { cwd });
    reports.add(valid);
    expect(await reports.finish()).toEqual([1, 1]);
    expect(JSON.parse(readFileSync(join(cwd, '.upkeep/plan.json'), 'utf8'))).toMatchObject({ target: 'live' });
    expect([readdirSync(cwd), readdirSync(join(cwd, '.upkeep'))]).toEqual([['.upkeep'], ['.gitignore', 'plan.json']]);
  });

  test('a link named .upkeep that leads nowhere is not followed', async () => {
    const cwd = temporaryFolder();
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, '.upkeep'));
    const { reports } = openReports({ out: [{ format: 'json', file: '.upkeep/plan.json' }] }, { cwd });
    reports.add(valid);
    expect(await reports.finish()).toEqual([1]);
    expect(readdirSync(cwd)).toEqual(['.upkeep']);
  });

  test('a file that cannot be written is an error with a hint and does not stop the other files', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder'));
    const out = [
      { format: 'json', file: 'nowhere/a.json' },
      { format: 'json', file: 'folder' },
      { format: 'json', file: 'b.json' },
    ] as const;
    const { io, reports } = openReports({ out }, { cwd });
    reports.add(valid);
    expect(await reports.finish()).toEqual([1, 1]);
    expect(io.err()).toBe(
      'error: --out cannot write to nowhere/a.json: its folder does not exist\n  hint: choose another file\n' +
        'error: --out cannot write to folder: what is there is not a regular file\n  hint: choose another file\n',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'b.json'), 'utf8'))).toMatchObject({ target: 'live' });
  });
});

test('the undeclared objects of several targets are in one report', async () => {
  const plan = (target: string): Document => ({
    type: 'plan',
    plan: {
      schemaVersion: 1,
      target,
      fingerprint: 'sha256:x',
      risks: 'No change: the account matches the repository.',
      config: null,
      readStatus: {},
      summary: { create: 0, update: 0, delete: 0, blocked: 0, unchanged: 0, undeclared: 1 },
      changes: [],
      requests: [],
      findings: [],
      cost: { reads: 1, writes: 0 },
    },
  });
  const { io, reports } = openReports({ format: 'markdown' });
  for (const target of ['a', 'b']) reports.add(plan(target), { undeclared: [{ address: `playlist/~of-${target}`, name: '', target }] });
  await reports.finish();
  expect(io.out()).toMatch(/for `?a`?[\s\S]*~of-a[\s\S]*for `?b`?[\s\S]*~of-b/);
});

test('messages on stderr are one line each, with hidden characters escaped', () => {
  const io = fakeIo();
  reportError(io, 'bad\u001b[2K', 'mend\nit');
  warn(io, 'odd', 'look');
  info(io, 'done');
  expect(io.err()).toBe('error: bad\\u{1b}[2K\n  hint: mend\\nit\nwarning: odd\n  hint: look\nnote: done\n');
  expect(io.out()).toBe('');
});

/** A folder `accounts/eu` with a project in it, below the folder that is given. */
function project(top: string, name = 'upkeep.yaml'): string {
  const folder = join(top, 'accounts', 'eu');
  mkdirSync(join(folder, 'config'), { recursive: true });
  writeFileSync(join(folder, name), 'version: 1\n');
  return folder;
}

describe('the origin of a report', () => {
  test('the origin is the path from the root of the work tree, wherever below the project the command runs', () => {
    const top = realpathSync(temporaryFolder());
    const folder = project(top);
    mkdirSync(join(top, '.git'));
    const expected = { command: 'plan', version: VERSION, folder: 'accounts/eu/', project: 'upkeep.yaml' };
    expect(reportOrigin({ cwd: folder, argv: ['plan'], env: {} }, undefined)).toEqual(expected);
    expect(reportOrigin({ cwd: join(folder, 'config'), argv: ['plan'], env: {} }, undefined)).toEqual(expected);
    expect(reportOrigin({ cwd: top, argv: ['plan'], env: {} }, 'accounts/eu')).toEqual(expected);
  });

  test('the origin is found in a linked work tree, where `.git` is a file, and through symbolic links', () => {
    const top = realpathSync(temporaryFolder());
    const folder = project(top, 'other.yaml');
    writeFileSync(join(top, '.git'), 'gitdir: elsewhere\n');
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    expect(reportOrigin({ cwd: link, argv: ['x'], env: {} }, 'other.yaml')).toMatchObject({
      folder: 'accounts/eu/',
      project: 'other.yaml',
    });
  });

  test('the origin is the folder of upkeep.yaml if there is no work tree or no project', () => {
    expect(reportOrigin({ cwd: project(temporaryFolder()), argv: ['x'], env: {} }, undefined)).toMatchObject({
      folder: '',
      project: 'upkeep.yaml',
    });
    const top = temporaryFolder();
    mkdirSync(join(top, '.git'));
    expect(reportOrigin({ cwd: top, argv: ['x'], env: {} }, undefined)).toMatchObject({ folder: '' });
    expect(reportOrigin({ cwd: top, argv: ['x'], env: {} }, 'nowhere')).toMatchObject({ folder: '' });
  });
});
