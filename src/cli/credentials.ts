import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CredentialSource, Target } from '../engine/configuration.ts';
import { EXIT, Stop } from './exit.ts';
import type { Io } from './io.ts';

/** What signs a target's requests. Never logged, printed or saved. */
export interface Credentials {
  readonly owner: string;
  readonly apiKey: string;
}

/** Longest time that a credential command may take, milliseconds. */
const COMMAND_TIMEOUT = 30_000;

/** Longest credential that is believed, bytes. */
const LONGEST = 65_536;

/** Gets a target's credentials from where upkeep.yaml says. `folder` is that of upkeep.yaml. @throws Stop naming the source, never a value */
export async function credentialsOf(target: Target, folder: string, io: Io): Promise<Credentials> {
  const { owner, apiKey } = target.credentials;
  return { owner: await obtain('owner', owner, target, folder, io), apiKey: await obtain('api_key', apiKey, target, folder, io) };
}

async function obtain(name: string, source: CredentialSource, target: Target, folder: string, io: Io): Promise<string> {
  const value = (await read(name, source, target, folder, io)).replace(/\r?\n$/, '');
  if (value === '' || value.length > LONGEST || /[\p{Cc}]/u.test(value)) {
    throw missing(name, target, `${told(source)} gives nothing that could be one`);
  }
  return value;
}

async function read(name: string, source: CredentialSource, target: Target, folder: string, io: Io): Promise<string> {
  if ('env' in source) {
    const value = io.env[source.env];
    if (value === undefined) throw missing(name, target, `${told(source)} is not set`);
    return value;
  }
  try {
    return 'file' in source ? await readFile(resolve(folder, source.file), 'utf8') : await run(source.command, folder, io);
  } catch (error) {
    throw missing(name, target, `${told(source)} cannot be read (${codeOf(error)})`);
  }
}

/** Runs a command without a shell; what it says on stderr is not shown, since it may hold a secret. */
async function run(command: readonly string[], folder: string, io: Io): Promise<string> {
  const [program = '', ...rest] = command;
  const options = { cwd: folder, env: { ...io.env }, timeout: COMMAND_TIMEOUT, maxBuffer: LONGEST, windowsHide: true, signal: io.signal };
  return (await promisify(execFile)(program, rest, options)).stdout;
}

function told(source: CredentialSource): string {
  if ('env' in source) return `the environment variable ${source.env}`;
  return 'file' in source ? `the file ${source.file}` : `the command ${source.command[0] ?? ''}`;
}

function missing(name: string, target: Target, why: string): Stop {
  return new Stop(
    EXIT.invalid,
    'credentials',
    `credential ${name} of target ${target.name}: ${why}`,
    `set it, or change targets.${target.name}.credentials.${name} in upkeep.yaml`,
  );
}

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'killed' in error && error.killed === true) return 'it took too long';
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'failed';
}
