/** Scoped keys of tests: the file that upkeep reads, and what the emulator knows of them. */
import { generateKeyPairSync } from 'node:crypto';
import type { EmulatedScopedKey } from '../../src/emulator/verify-token.ts';
import { OWNER } from './harness.ts';

/** A scoped key on both sides. */
export interface TestScopedKey {
  /** The text of the file that is downloaded with the key. */
  readonly file: string;
  /** The private key as PKCS#8 PEM. */
  readonly pem: string;
  readonly emulated: EmulatedScopedKey;
}

const KINDS = ['playlist', 'drm-policy', 'vmp-reject-statuses', 'static-key', 'key-rotation-schedule'] as const;
export const READ_SCOPES = KINDS.map((kind) => `${kind}:read`);
export const ALL_SCOPES = KINDS.flatMap((kind) => [`${kind}:read`, `${kind}:write`]);

/** Makes a key with these scopes; `more` are further lines of its file. */
export function scopedKey(id: string, scopes: readonly string[], { owner = OWNER, more = '' } = {}): TestScopedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const subject = `subject-of-${id}`;
  const lines = [`KID=${id}`, `SUB=${subject}`, `PRIVATE_B64=${Buffer.from(pem).toString('base64')}`, `SCP=${scopes.join(',')}`];
  const emulated = { id, subject, owner, scopes, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  return { file: `# a scoped key\n${lines.join('\n')}\n${more}`, pem, emulated };
}
