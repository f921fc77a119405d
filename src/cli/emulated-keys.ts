/** The scoped keys that the emulator accepts: read from the files that a user downloads with them, or made up for a test. */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { CliError, codeOf } from '../app/run/exit-codes.ts';
import { info } from '../app/run/messages.ts';
import type { AppContext } from '../app/run/runtime.ts';
import { refuseLeavingLinks } from '../app/run/symlinks.ts';
import { parseScopedKey, type ScopedKey, ScopedKeyError } from '../core/api-client/scoped-key.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import type { EmulatedKind } from '../emulator/contract.ts';
import type { EmulatedScopedKey } from '../emulator/verify-token.ts';

/** Returns the scoped keys of the account in these files. A file that does not exist is written, with a new key that may do everything. */
export function emulatedScopedKeys(
  io: AppContext,
  files: readonly string[],
  owner: string,
  emulatedKinds: readonly EmulatedKind[],
): readonly EmulatedScopedKey[] {
  return files.map((file) => {
    const text = readText(io, file) ?? writeNewKey(io, file, emulatedKinds);
    return emulated(parse(io, file, text), owner);
  });
}

/** Returns what a service knows of a key: all but the private key. */
function emulated({ id, subject, scopes, privateKey, endsAt }: ScopedKey, owner: string): EmulatedScopedKey {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { id, subject, owner, scopes, publicKey, ...(endsAt === null ? {} : { endsAt }) };
}

/** @throws CliError if the file is not that of a scoped key */
function parse(io: AppContext, file: string, text: string): ScopedKey {
  try {
    const { key, secrets } = parseScopedKey(text);
    for (const secret of secrets) io.secrets.add(secret);
    return key;
  } catch (error) {
    if (!(error instanceof ScopedKeyError)) throw error;
    throw new CliError(
      EXIT_CODES.invalid,
      'file',
      `${file} ${error.message}`,
      'name the file of a scoped key, or one that does not exist yet: it is written then',
    );
  }
}

/** Reads a file; undefined where there is none. @throws CliError */
function readText(io: AppContext, file: string): string | undefined {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(file, 'read', error);
  }
}

/** Writes the file of a new key, which only this user may read. It never replaces a file. Returns its text. @throws CliError */
function writeNewKey(io: AppContext, file: string, emulatedKinds: readonly EmulatedKind[]): string {
  const path = resolve(io.cwd, file);
  refuseLeavingLinks(io.cwd, path, relative(io.cwd, path));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const scopes = emulatedKinds.flatMap(({ name }) => [`${name}:read`, `${name}:write`]);
  const text = [
    '# A scoped key that only `upkeep emulate` knows. Take scopes out of SCP to try a key that may do less.',
    `KID=${randomBytes(8).toString('hex')}`,
    'SUB=emulated',
    `PRIVATE_B64=${Buffer.from(pem).toString('base64')}`,
    `SCP=${scopes.join(',')}`,
    '',
  ].join('\n');
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw unusable(file, 'written', error);
  }
  info(io, `wrote ${file}: a new scoped key, for \`scoped_key: { file: ${file} }\` in upkeep.yaml`);
  return text;
}

function unusable(file: string, what: 'read' | 'written', error: unknown): CliError {
  return new CliError(EXIT_CODES.invalid, 'file', `${file} cannot be ${what}: ${codeOf(error)}`, 'check the path of --scoped-key');
}
