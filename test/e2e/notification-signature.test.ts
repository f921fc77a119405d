/** The signature of a notification, checked as docs/operations.md says, by a program that shares no code with upkeep. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { startReceiver } from '../support/receiver.ts';

const KEY = 'NotificationKey4711';

test('openssl computes the signature of time and body that the headers have', async () => {
  const receiver = await startReceiver();
  const notify = 'notify: [{ url: { env: HOOK }, on: [failed], secret: { env: HOOK_KEY } }]';
  const project = await createTestProject({ 'config/a.yaml': 'playlists: 1\n' }, { rules: notify });
  const before = Math.floor(Date.now() / 1000);
  expect((await project.runWith({ env: { HOOK: `${receiver.url}/in`, HOOK_KEY: KEY } }, 'validate')).code).toBe(8);
  const { body = '', headers = {} } = { ...receiver.received[0] };
  const timestamp = String(headers['x-upkeep-timestamp']);
  expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', KEY, '-r'], { input: `${timestamp}.${body}` });
  expect(headers['x-upkeep-signature']).toBe(`sha256=${digest.toString().split(' ')[0]}`);
});
