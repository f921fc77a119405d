import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CredentialSource, Target } from '../config/project.ts';
import { childEnvironment } from './child-environment.ts';
import { CommandFailure, outputOf } from './credential-command.ts';
import { CliError, codeOf, EXIT_CODES, interrupted } from './exit-codes.ts';
import type { OpenProject } from './project.ts';
import type { CliContext } from './runtime.ts';

/** The credentials that sign a target's requests. Never logged, printed or saved. */
export interface Credentials {
  readonly owner: string;
  readonly apiKey: string;
}

/** The folder of upkeep.yaml, and all its targets. */
type ProjectTargets = Pick<OpenProject, 'folder'> & { readonly project: { readonly targets: readonly Pick<Target, 'credentials'>[] } };

/** Where a credential is read from, and the time limit of a credential command in milliseconds. */
export interface Search extends ProjectTargets {
  readonly io: CliContext;
  readonly timeoutMs: number;
}

/** The names of the credentials in upkeep.yaml. */
export const NAMES: { readonly [part in keyof Credentials]: string } = { owner: 'owner', apiKey: 'api_key' };

/** Maximum length of a credential, bytes. */
const LONGEST = 65_536;

/** An unusable credential. Its message is a clause that never contains the value. */
class Unusable extends Error {}

/**
 * Reads a target's credentials from the sources named in upkeep.yaml and registers them for redaction. @throws CliError naming the source,
 * never a value
 */
export async function credentialsOf(
  target: Target,
  { folder, project }: ProjectTargets,
  io: CliContext,
  timeoutMs = 30_000,
): Promise<Credentials> {
  const search = { io, folder, project, timeoutMs };
  return { owner: await credentialOf('owner', target, search), apiKey: await credentialOf('apiKey', target, search) };
}

/** Reads one credential of a target and registers it for redaction. @throws CliError as above */
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
    const { what, hint } = describeSource(source);
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
    return outputOf(source.command, { cwd: folder, env, timeoutMs, mostBytes: LONGEST, signal: io.signal });
  }
  if ('file' in source) return contentOf(resolve(folder, source.file));
  const value = io.env[source.env];
  return value === undefined ? Promise.reject(new Unusable('is not set')) : Promise.resolve(value);
}

/**
 * Reads a file anywhere on this machine, also through symbolic links, since platforms mount secrets in many places. It checks the opened
 * file itself, and opens it without blocking, as a pipe without a writer would.
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

/** Describes a credential source: its kind and name, and what to do if it yields no value. */
export function describeSource(source: CredentialSource): { readonly what: string; readonly hint: string } {
  if ('env' in source) return { what: `the environment variable ${source.env}`, hint: 'set it' };
  if ('file' in source) return { what: `the file ${source.file}`, hint: 'put the value there' };
  return { what: `the command ${source.command[0] ?? ''}`, hint: 'run it by hand to see its output' };
}

function reasonOf(error: unknown): string {
  return error instanceof Unusable || error instanceof CommandFailure ? error.message : `cannot be read (${codeOf(error)})`;
}
