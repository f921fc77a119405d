import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CredentialSource, Target } from '../config/project.ts';
import { childEnvironment } from './child-environment.ts';
import { CommandFailure, printedBy } from './credential-command.ts';
import { CliError, codeOf, EXIT_CODES, interrupted } from './exit-codes.ts';
import type { OpenProject } from './project.ts';
import type { CliContext } from './runtime.ts';

/** What signs a target's requests. Never logged, printed or saved. */
export interface Credentials {
  readonly owner: string;
  readonly apiKey: string;
}

/** The folder of upkeep.yaml, and all its targets. */
type Place = Pick<OpenProject, 'folder'> & { readonly project: { readonly targets: readonly Pick<Target, 'credentials'>[] } };

/** Where a credential is looked for, and how long a command may take, milliseconds. */
export interface Search extends Place {
  readonly io: CliContext;
  readonly timeoutMs: number;
}

/** The parts as upkeep.yaml writes them. */
export const NAMES: { readonly [part in keyof Credentials]: string } = { owner: 'owner', apiKey: 'api_key' };

/** Longest credential that is believed, bytes. */
const LONGEST = 65_536;

/** Why a source gave nothing, in a clause without any value. */
class Unusable extends Error {}

/** Gets a target's credentials from where upkeep.yaml says, and has them hidden from now on. @throws Stop naming the source, never a value */
export async function credentialsOf(target: Target, { folder, project }: Place, io: CliContext, timeoutMs = 30_000): Promise<Credentials> {
  const search = { io, folder, project, timeoutMs };
  return { owner: await credentialOf('owner', target, search), apiKey: await credentialOf('apiKey', target, search) };
}

/** Gets one of them. @throws Stop as above */
export async function credentialOf(part: keyof Credentials, target: Target, search: Search): Promise<string> {
  const source = target.credentials[part];
  const name = NAMES[part];
  try {
    const value = checked((await read(source, search)).replace(/\r?\n$/, ''));
    if (part === 'owner') search.io.secrets.addOwner(value);
    else search.io.secrets.add(value);
    return value;
  } catch (error) {
    if (search.io.signal.aborted) throw interrupted();
    const { what, hint } = told(source);
    const where = `targets.${target.name}.credentials.${name}`;
    throw new CliError(
      EXIT_CODES.invalid,
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

function read(source: CredentialSource, { io, folder, project, timeoutMs }: Search): Promise<string> {
  if ('command' in source) {
    const env = childEnvironment(io, project.targets);
    return printedBy(source.command, { cwd: folder, env, timeoutMs, mostBytes: LONGEST, signal: io.signal });
  }
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

/** Where a source looks, in words, and what to do where nothing is found. */
export function told(source: CredentialSource): { readonly what: string; readonly hint: string } {
  if ('env' in source) return { what: `the environment variable ${source.env}`, hint: 'set it' };
  if ('file' in source) return { what: `the file ${source.file}`, hint: 'put the value there' };
  return { what: `the command ${source.command[0] ?? ''}`, hint: 'run it by hand to see what it says' };
}

function reasonOf(error: unknown): string {
  return error instanceof Unusable || error instanceof CommandFailure ? error.message : `cannot be read (${codeOf(error)})`;
}
