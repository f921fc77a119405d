import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOG_LEVELS } from '../../src/cli/options.ts';
import { API_KEY, OWNER, openExample, type Stage } from '../harness.ts';

/** What must never be seen: the secrets whole, in part, and as they travel. */
const TELLING = [OWNER, API_KEY, encodeURIComponent(API_KEY), API_KEY.slice(0, 20), 'msg=', 'sig='];

function expectNoSecret(text: string): void {
  for (const secret of TELLING) expect(text).not.toContain(secret);
}

const COMMANDS: readonly (readonly string[])[] = [
  ['validate'],
  ['targets', '-t', 'production'],
  ['plan', '-t', 'production', '--requests', '--unmanaged', '--out', 'json=plan.json', '--out', 'markdown=plan.md'],
  ['apply', '-t', 'production', '--yes', '--allow', 'loosening', '--out', 'json=outcome.json'],
  ['drift', '-t', 'production'],
  ['show', 'plan.json', '--requests'],
  ['export', '-t', 'production'],
];

/** Runs every command, and looks at all that it says and writes. */
async function seenOf(set: Stage, more: readonly string[]): Promise<readonly number[]> {
  const codes: number[] = [];
  for (const command of COMMANDS) {
    const { code, stdout, stderr } = await set.run(...command, ...more);
    codes.push(code);
    expectNoSecret(stdout + stderr);
  }
  for (const file of ['plan.json', 'plan.md', 'outcome.json']) expectNoSecret(readFileSync(join(set.folder, file), 'utf8'));
  return codes;
}

describe('no command shows owner, key or signature', () => {
  test.each(LOG_LEVELS.flatMap((level) => ['text', 'json'].map((form) => [level, form])))('at level %s, log as %s', async (level, form) => {
    const set = await openExample();
    const codes = await seenOf(set, ['--log-level', level, '--log-format', form]);
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test('when the service echoes what it was sent', async () => {
    const echo = `you sent ${OWNER} with ${API_KEY} and ${encodeURIComponent(API_KEY)}`;
    const faults = [{ path: '/api/*', status: 403, body: { title: echo, msg: echo, _owner: OWNER } }];
    const set = await openExample({ faults });
    for (const command of ['plan', 'apply', 'drift', 'export']) {
      const { code, stdout, stderr } = await set.run(command, '-t', 'production', '--log-level', 'trace');
      expect(code).toBe(7);
      expect(stderr).toContain('[hidden]');
      expectNoSecret(stdout + stderr);
    }
  });

  test('when a credential is malformed', async () => {
    const set = await openExample();
    const { code, stdout, stderr } = await set.runWith({ env: { UPKEEP_API_KEY: `${API_KEY}\n${OWNER}` } }, 'plan', '-t', 'production');
    expect(code).toBe(8);
    expectNoSecret(stdout + stderr);
  });
});
