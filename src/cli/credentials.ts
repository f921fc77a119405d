import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CredentialSource, Target } from '../engine/desired/configuration.ts';
import { isObject } from '../model/json.ts';
import { EXIT, interrupted, Stop } from './exit.ts';
import type { Io } from './io.ts';

/** What signs a target's requests. Never logged, printed or saved. */
export interface Credentials {
  readonly owner: string;
  readonly apiKey: string;
}

/** Where a credential is looked for, and how long a command may take, milliseconds. */
interface Search {
  readonly io: Io;
  /** The folder of upkeep.yaml. */
  readonly folder: string;
  readonly timeoutMs: number;
}

/** Longest credential that is believed, bytes. */
const LONGEST = 65_536;

/** Why a source gave nothing, in a clause without any value. */
class Unusable extends Error {}

/** Gets a target's credentials from where upkeep.yaml says. `folder` is that of upkeep.yaml. @throws Stop naming the source, never a value */
export async function credentialsOf(target: Target, folder: string, io: Io, timeoutMs = 30_000): Promise<Credentials> {
  const { owner, apiKey } = target.credentials;
  const search = { io, folder, timeoutMs };
  return { owner: await obtain('owner', owner, target, search), apiKey: await obtain('api_key', apiKey, target, search) };
}

async function obtain(name: string, source: CredentialSource, target: Target, search: Search): Promise<string> {
  try {
    return checked((await read(source, search)).replace(/\r?\n$/, ''));
  } catch (error) {
    if (search.io.signal.aborted) throw interrupted();
    const { what, hint } = told(source);
    const where = `targets.${target.name}.credentials.${name}`;
    throw new Stop(
      EXIT.invalid,
      'credentials',
      `credential ${name} of target ${target.name}: ${what} ${reasonOf(error)}`,
      `${hint}, or change ${where} in upkeep.yaml`,
    );
  }
}

function checked(value: string): string {
  if (value.trim() === '') throw new Unusable('is empty');
  if (value.length > LONGEST) throw new Unusable('is too long to be a credential');
  if (/[\p{C}\ufffd]/u.test(value)) throw new Unusable('holds control characters or several lines, and so no credential');
  return value;
}

function read(source: CredentialSource, { io, folder, timeoutMs }: Search): Promise<string> {
  if ('command' in source) return run(source.command, folder, io, timeoutMs);
  if ('file' in source) return contentOf(resolve(folder, source.file));
  const value = io.env[source.env];
  return value === undefined ? Promise.reject(new Unusable('is not set')) : Promise.resolve(value);
}

/**
 * The content of a file anywhere on this machine, since secrets are mounted where the platform likes, behind links too. What is looked
 * at is what is read, and opening never waits, as a pipe without a writer would.
 */
async function contentOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Unusable('is not a regular file');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(LONGEST + 1));
    if (bytesRead > LONGEST) throw new Unusable('is too long to be a credential');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Runs a command without a shell and without input; what it says on stderr is not shown, since it may hold a secret. */
async function run(command: readonly string[], cwd: string, io: Io, timeout: number): Promise<string> {
  const [program = '', ...rest] = command;
  const bounds = { timeout, killSignal: 'SIGKILL', maxBuffer: LONGEST, windowsHide: true, signal: io.signal } as const;
  const running = promisify(execFile)(program, rest, { ...bounds, cwd, env: { ...io.env } });
  running.child.stdin?.end();
  return (await running).stdout;
}

function told(source: CredentialSource): { readonly what: string; readonly hint: string } {
  if ('env' in source) return { what: `the environment variable ${source.env}`, hint: 'set it' };
  if ('file' in source) return { what: `the file ${source.file}`, hint: 'put the value there' };
  return { what: `the command ${source.command[0] ?? ''}`, hint: 'run it by hand to see what it says' };
}

function reasonOf(error: unknown): string {
  if (error instanceof Unusable) return error.message;
  const { code, killed } = isObject(error) ? error : {};
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'prints too much to be a credential';
  if (killed === true) return 'took too long';
  return typeof code === 'number' ? `ended with exit code ${code}` : `cannot be read (${String(code ?? 'failed')})`;
}
