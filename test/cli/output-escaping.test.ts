/** What others wrote, on stderr: errors, doubts, remarks, the progress line and both forms of the log are data there too. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/app/run/log.ts';
import { info, reportError, warn } from '../../src/app/run/messages.ts';
import { LOG_FORMATS } from '../../src/app/run/options.ts';
import { createStatus } from '../../src/cli/status-line.ts';
import { FORMATS } from '../../src/report/document.ts';
import { hostileText } from '../report/hostile.ts';
import { readAnnotations } from '../report/languages/workflow-commands.ts';
import { createTestProject } from '../support/harness.ts';
import { assertAsyncProperty, assertProperty } from '../support/property.ts';
import { fakeIo, TERMINAL } from './fake-io.ts';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** No control, nothing hidden, no line that a CI system obeys. */
function expectHarmless(text: string): void {
  expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
  for (const line of text.split('\n')) {
    expect(line.trim().startsWith('::')).toBe(false);
    expect(line).not.toMatch(/##\w*\[/);
  }
}

test('errors, warnings and notes are escaped', () => {
  assertProperty(
    fc.property(hostileText, hostileText, (summary, hint) => {
      const io = fakeIo();
      reportError(io, summary, hint);
      warn(io, summary, hint);
      info(io, summary);
      expectHarmless(io.err());
      expect(io.err().match(/^(error|warning|note| {2}hint): /gm)?.length).toBe(hint === '' ? 3 : 5);
    }),
  );
});

test('a message of a megabyte is truncated', () => {
  const io = fakeIo();
  reportError(io, '\u001b'.repeat(1_000_000), 'x'.repeat(1_000_000));
  expectHarmless(io.err());
  expect(io.err().length).toBeLessThan(10_000);
});

test.each(LOG_FORMATS)('the log as %s', async (logFormat) => {
  await assertAsyncProperty(
    fc.asyncProperty(hostileText, hostileText, async (message, value) => {
      const io = fakeIo();
      const open = await openLog('run', { logLevel: 'trace', logFormat });
      const context = { target: 'live', commit: null, phase: 'plan', name: 'request', at: 0 } as const;
      open?.(io).record({ ...context, members: { path: message, what: value, [`x${value}`]: value } });
      expectHarmless(io.err());
      expect(io.err().trimEnd().split('\n')).toHaveLength(1);
    }),
  );
});

test('the status line contains no control sequence but its own', () => {
  assertProperty(
    fc.property(hostileText, (text) => {
      let time = 0;
      const io = fakeIo({ terminal: TERMINAL, now: () => (time += 5_000) });
      createStatus(io, false).say(`GET ${text}`);
      expectHarmless(io.err().replace('\r\u001b[2K', ''));
    }),
  );
});

describe('names of files, keys and values, in every format', () => {
  const ATTACKS = ['\u001b[2J', '::error::x', '##vso[x]y', '\u202egnp', '@everyone <b>', '`|`', 'a\nb', '__proto__'];

  test.each(FORMATS)('foreign text is harmless in the format %s', async (format) => {
    const project = await createTestProject({ 'config/plain.yaml': 'playlists: {}\n' });
    for (const [index, attack] of ATTACKS.entries()) {
      const name = JSON.stringify(attack);
      project.write(
        `config/${attack.replaceAll('/', '-')}.yaml`,
        `playlists:\n  ${name}: { ${name}: ${name}, desc: ${name}, repeat: ${name} }\n${index}: x\n`,
      );
    }
    const { code, stdout, stderr } = await project.run('validate', '--format', format);
    expect(code).toBe(8);
    // The one format that is made to be obeyed holds annotations and nothing else.
    if (format === 'github') expect(readAnnotations(stdout).length).toBeGreaterThan(5);
    expectHarmless((format === 'github' ? '' : stdout) + stderr);
    // Gauges count findings, and quote none.
    expect(stdout.length).toBeGreaterThan(format === 'prometheus' ? 100 : 1_000);
  });
});
