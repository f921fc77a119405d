/** Nothing that upkeep says or writes holds a secret: reports, log, files, journal, lock, ledger. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOG_FORMATS, LOG_LEVELS } from '../../../src/app/options.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { type Trace, tracesIn } from '../../support/canary.ts';
import { stage, temporaryFolder } from '../../support/harness.ts';
import { DESIRED, guard, guardLedger } from './guard.ts';

test.each(FORMATS.map((format, index) => [format, LOG_FORMATS[index % LOG_FORMATS.length] ?? 'text']))(
  'every command, as %s, with a log as %s',
  async (format, form) => {
    const { set, recorder, run, expectNoLeak } = await guardLedger();
    const reports = temporaryFolder();
    const log = ['--log-level', 'trace', '--log-format', form];
    const look = [...log, '--format', format];
    const out = (name: string) => FORMATS.flatMap((each) => ['--out', `${each}=${join(reports, `${name}.${each}`)}`]);
    const codes = [
      await run('validate', ...look),
      await run('targets', ...look),
      await run('plan', '--requests', '--unmanaged', ...look, ...out('plan')),
      await run('show', join(reports, 'plan.json'), '--requests', ...look),
      await run('apply', '--plan', join(reports, 'plan.json'), ...look, ...out('outcome')),
      await run('drift', ...look, ...out('drift')),
      await run('history', ...look),
      await run('undo', ...look),
      await run('doctor', ...look, ...out('doctor')),
      await run('explain', 'vmp-reject-statuses', ...look, ...out('explain')),
      await run('export', ...log),
      await run('unlock', '--id', 'nobody', ...log),
    ].map(({ code }) => code);
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
    expect(set.entries()).toHaveLength(1);
    expect(recorder.signatures().length).toBeGreaterThan(30);
    expectNoLeak(tracesIn(reports));
  },
);

test('every level of the log, while the service refuses and then obeys', async () => {
  const { recorder, run, expectNoLeak } = await guard(await stage(DESIRED));
  for (const level of LOG_LEVELS) {
    for (const form of LOG_FORMATS) {
      const log = ['--log-level', level, '--log-format', form];
      recorder.instead = ({ raw }) => ({ status: 403, body: JSON.stringify({ title: raw, msg: raw }) });
      expect((await run('plan', ...log)).code).toBe(7);
      recorder.instead = () => null;
      expect((await run('plan', ...log)).code).toBe(0);
    }
  }
  expectNoLeak();
});

test('the journal and the lock, in the middle of an apply', async () => {
  const { set, recorder, run, expectNoLeak } = await guardLedger();
  const seen: Trace[] = [];
  recorder.instead = ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/linear-playlist')) seen.push(...tracesIn(set.folder), ...tracesIn(set.remote));
    return null;
  };
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(seen.filter(({ where }) => where.endsWith('.upkeep/journal/live.jsonl'))).toHaveLength(1);
  expectNoLeak(seen);
});

test('a record that the remote refuses, and that is kept', async () => {
  const { set, run, expectNoLeak } = await guardLedger();
  set.hook('pre-receive', 'while read old new ref; do case $ref in refs/upkeep/live) env >&2; exit 1;; esac; done');
  expect((await run('apply', '--yes', '--log-level', 'trace')).code).toBe(5);
  expectNoLeak();
  set.hook('pre-receive', null);
  expect((await run('apply', '--yes', '--log-level', 'trace')).code).toBe(0);
  expectNoLeak();
});
