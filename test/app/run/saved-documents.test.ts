import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planFile, savedDocuments, savedPlan } from '../../../src/app/run/saved-documents.ts';
import type { Outcome } from '../../../src/core/model/outcome.ts';
import type { PlanDocument } from '../../../src/report/view/verdict.ts';
import { fakeIo, thrownCliError } from '../../cli/fake-io.ts';
import { temporaryFolder } from '../../support/harness.ts';

/** The saved file, and the command that makes it. */
const FILE = planFile('file', ['upkeep', 'plan', '--only', 'playlist/*']);

function plan(target: string): PlanDocument {
  const summary = { create: 0, update: 0, delete: 0, blocked: 0, unchanged: 0, undeclared: 0 };
  const nothing = { changes: [], requests: [], findings: [], cost: { reads: 0, writes: 0 } };
  const risks = 'No change: the account matches the repository.';
  return {
    schemaVersion: 1,
    target,
    fingerprint: `sha256:${'0'.repeat(64)}`,
    verdict: 'Nothing to do',
    risks,
    config: null,
    readStatus: {},
    summary,
    ...nothing,
  };
}

const outcome: Outcome = {
  schemaVersion: 1,
  target: 'live',
  fingerprint: `sha256:${'0'.repeat(64)}`,
  outcomes: [],
  summary: { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 },
  verified: true,
};
const failure = { schemaVersion: 1, target: null, error: { exit: 8, code: 'x', summary: 'y', hint: '' }, findings: [] };
const validation = { schemaVersion: 1, target: 'live', valid: true, findings: [], resources: {} };

/** A world whose folder holds `file` with this content. */
function withFile(content: unknown) {
  const cwd = temporaryFolder();
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(join(cwd, 'file'), isText ? content : JSON.stringify(content));
  return fakeIo({ cwd });
}

describe('savedPlan', () => {
  test('savedPlan returns the only plan of a file, or that of the target among several', () => {
    expect(savedPlan(withFile(plan('live')), FILE, 'live')).toEqual(plan('live'));
    expect(savedPlan(withFile([plan('a'), plan('live'), failure]), FILE, 'live').target).toBe('live');
  });

  test('savedPlan returns the only plan of a file even if it is of another target, so that the difference is reported', () => {
    expect(savedPlan(withFile(plan('other')), FILE, 'live').target).toBe('other');
  });

  test('savedPlan reads a file with a byte order mark', () => {
    expect(savedPlan(withFile(`\ufeff${JSON.stringify(plan('live'))}\r\n`), FILE, 'live')).toEqual(plan('live'));
  });

  test.each([
    ['little endian', (bytes: Buffer) => bytes],
    ['big endian', (bytes: Buffer) => bytes.swap16()],
  ])('savedPlan and savedDocuments name UTF-16 as such, %s, with or without a byte order mark', (_name, order) => {
    for (const mark of ['', '\ufeff']) {
      const io = withFile(order(Buffer.from(mark + JSON.stringify(plan('live')), 'utf16le')));
      for (const read of [() => savedPlan(io, FILE, 'live'), () => savedDocuments(io, 'file')]) {
        const error = thrownCliError(read);
        expect(error).toMatchObject({ exit: 8, code: 'saved-document', message: 'file: it is UTF-16, not UTF-8' });
        expect(error.hint).toContain('save it as UTF-8');
      }
    }
  });

  test.each([
    ['no plan at all', [outcome, failure], 'it holds no plan'],
    ['plans of others only', [plan('a'), plan('b')], 'it holds no plan for target live'],
    ['a report of drift', { ...plan('live'), drift: true }, 'it holds a report of drift, and no plan'],
    ['a plan of another version', { ...plan('live'), schemaVersion: 2 }, 'it holds no plan'],
    ['a plan with something added', { ...plan('live'), more: 1 }, 'it holds no plan'],
    ['no JSON', '{"schemaVersion":1', 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
    ['a list in a list, ten thousand times', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'it is nested too deep'],
  ])('refuses %s', (_name, content, why) => {
    const error = thrownCliError(() => savedPlan(withFile(content), FILE, 'live'));
    expect(error).toMatchObject({ exit: 8, code: 'saved-document', message: `file: ${why}` });
    expect(error.hint).toContain("`upkeep plan --only 'playlist/*' --out json=plan.json`");
  });

  test('savedPlan says that a plan lost what was hidden in it, and that its fingerprint can still be passed on', () => {
    const error = thrownCliError(() => savedPlan(withFile({ ...plan('live'), findings: [{ file: '[hidden]' }] }), FILE, 'live'));
    expect(error).toMatchObject({ exit: 8, code: 'saved-document' });
    expect(error.message).toBe(
      'file: it holds a plan in which a text that repeats a secret was replaced by [hidden], so that it no longer says what to write',
    );
    expect(error.hint).toContain('with `--expect` in place of `--plan`');
  });

  test('savedPlan refuses a path that is no regular file', () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder'));
    expect(thrownCliError(() => savedPlan(fakeIo({ cwd }), planFile('folder'), 'live')).message).toBe('folder: it is not a regular file');
    expect(thrownCliError(() => savedPlan(fakeIo({ cwd }), planFile('nowhere'), 'live')).message).toBe(
      'nowhere: it cannot be read (ENOENT)',
    );
    expect(thrownCliError(() => savedPlan(fakeIo({ cwd }), planFile('/dev/zero'), 'live')).message).toBe(
      '/dev/zero: it is not a regular file',
    );
  });
});

test('a saved document above 512 MiB is refused without being read', () => {
  const io = withFile('');
  truncateSync(join(io.cwd, 'file'), 512 * 1024 * 1024 + 1);
  expect(thrownCliError(() => savedPlan(io, FILE, 'live')).message).toBe('file: it is too large');
});

describe('savedDocuments', () => {
  test('savedDocuments recognizes the reports of all commands', () => {
    const targets = [{ name: 'live', baseUrl: 'https://services.example.com', ownership: 'shared', ledger: { git: '/ledger.git' } }];
    const drift: PlanDocument = { ...plan('a'), drift: true };
    const saved = [plan('a'), drift, outcome, validation, { schemaVersion: 1, targets }, failure];
    expect(savedDocuments(withFile(saved), 'file')).toEqual([
      { type: 'plan', plan: plan('a') },
      { type: 'drift', plan: drift },
      { type: 'outcome', outcome },
      { type: 'validation', validation },
      { type: 'targets', targets },
      { type: 'failure', failure },
    ]);
  });

  test.each([
    ['an empty list', [], 'it holds no report'],
    ['something else', { hello: 1 }, 'it is no report of this version of upkeep'],
    ['a list with something else in it', [outcome, 3], 'it is no report of this version of upkeep'],
  ])('refuses %s', (_name, content, why) => {
    expect(thrownCliError(() => savedDocuments(withFile(content), 'file')).message).toBe(`file: ${why}`);
  });
});

test('savedDocuments refuses a number that JSON cannot hold', () => {
  const text = JSON.stringify(outcome).replace('"created":0', '"created":1e400');
  expect(thrownCliError(() => savedDocuments(withFile(text), 'file')).message).toBe('file: it is no report of this version of upkeep');
});
