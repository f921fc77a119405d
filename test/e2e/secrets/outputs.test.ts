/** Outputs and files of upkeep contain no secret: reports, log, files, journal, lock, ledger. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOG_FORMATS, LOG_LEVELS } from '../../../src/app/run/options.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { type OutputText, textsIn } from '../../support/canary.ts';
import { proving } from '../../support/figures.ts';
import { createTestProject, temporaryFolder } from '../../support/harness.ts';
import { DESIRED, withLeakCheck, withLedgerLeakCheck } from './leak-check.ts';

/** Every report is written in all formats by `--out`; so stdout needs them all only where a proof has the time. */
const STDOUT_FORMATS = proving ? FORMATS : (['text', 'json'] as const);

test.each(STDOUT_FORMATS.map((format, index) => [format, LOG_FORMATS[index % LOG_FORMATS.length] ?? 'text']))(
  'no secret leaks from any command with %s and a log as %s',
  async (format, form) => {
    const { project, recorder, run, expectNoLeak } = await withLedgerLeakCheck();
    const reports = temporaryFolder();
    const log = ['--log-level', 'trace', '--log-format', form];
    const flags = [...log, '--format', format];
    const out = (name: string) => FORMATS.flatMap((each) => ['--out', `${each}=${join(reports, `${name}.${each}`)}`]);
    const codes = [
      await run('validate', ...flags, ...out('validate')),
      await run('targets', ...flags, ...out('targets')),
      await run('plan', '--requests', '--undeclared', ...flags, ...out('plan')),
      await run('show', join(reports, 'plan.json'), '--requests', ...flags, ...out('show')),
      await run('apply', '--plan', join(reports, 'plan.json'), ...flags, ...out('outcome')),
      await run('drift', ...flags, ...out('drift')),
      await run('history', ...flags, ...out('history')),
      await run('undo', ...flags, ...out('undo')),
      await run('doctor', ...flags, ...out('doctor')),
      await run('explain', 'vmp-reject-statuses', ...flags, ...out('explain')),
      await run('export', ...log),
      await run('unlock', '--id', 'nobody', ...log),
    ].map(({ code }) => code);
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
    expect(project.entries()).toHaveLength(1);
    expect(recorder.signatures().length).toBeGreaterThan(30);
    expectNoLeak(textsIn(reports));
  },
);

test('no secret leaks at any log level, while the service rejects and then accepts', async () => {
  const { recorder, run, expectNoLeak } = await withLeakCheck(await createTestProject(DESIRED));
  for (const level of LOG_LEVELS) {
    for (const form of LOG_FORMATS) {
      const log = ['--log-level', level, '--log-format', form];
      recorder.respond = ({ raw }) => ({ status: 403, body: JSON.stringify({ title: raw, msg: raw }) });
      expect((await run('plan', ...log)).code).toBe(7);
      recorder.respond = () => null;
      expect((await run('plan', ...log)).code).toBe(0);
    }
  }
  expectNoLeak();
});

test('no secret is in the journal and the lock, in the middle of an apply', async () => {
  const { project, recorder, run, expectNoLeak } = await withLedgerLeakCheck();
  const texts: OutputText[] = [];
  recorder.respond = ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/linear-playlist')) texts.push(...textsIn(project.folder), ...textsIn(project.remote));
    return null;
  };
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(texts.filter(({ where }) => where.endsWith('/live/journal.jsonl'))).toHaveLength(1);
  expectNoLeak(texts);
});

test('no secret leaks from an entry that the remote refuses and that is saved', async () => {
  const { project, run, expectNoLeak } = await withLedgerLeakCheck();
  project.hook('pre-receive', 'while read old new ref; do case $ref in refs/upkeep/live) env >&2; exit 1;; esac; done');
  expect((await run('apply', '--yes', '--log-level', 'trace')).code).toBe(5);
  expectNoLeak();
  project.hook('pre-receive', null);
  expect((await run('apply', '--yes', '--log-level', 'trace')).code).toBe(0);
  expectNoLeak();
});
