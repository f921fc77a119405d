/**
 * Where recipes are run: a bare remote with a project in it, the emulator as a process of its own, and the programs that a recipe calls.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { EXAMPLE_VALUES, replaceExamples } from '../../src/cli/init/recipes.ts';
import type { Release } from '../../src/cli/init/release.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { PROGRAM } from '../e2e/interrupt-project.ts';
import { startBuiltEmulator } from '../emulator/built-emulator.ts';
import { account } from '../emulator/independent-client.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/harness.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** The credentials under the names that the recipes give them. */
export const SECRETS = { UPKEEP_OWNER: account.owner, UPKEEP_API_KEY: account.apiKey };

/** The exit code and output of a script. */
export interface ScriptResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RecipeProject {
  /** The bare remote, as git is given it. */
  readonly remote: string;
  /** A release tarball on a server of this machine. */
  readonly release: Release;
  /** An environment with upkeep, npm and git on the path, and nothing of this machine's configuration. */
  readonly env: Environment;
  /** Puts a program on the path, as a script of sh. */
  addProgram(name: string, script: string): void;
  /** A new folder. */
  folder(name: string): string;
  git(folder: string, ...args: readonly string[]): string;
  /** A checkout of one ref of the remote with nothing before it, or with so many commits, as CI systems make it. */
  checkout(ref: string, depth?: number): string;
  /** Commits these files to a ref, on top of `main`, pushes it, and gives the commit. */
  push(ref: string, files: { readonly [name: string]: string }): string;
  /** Returns upkeep.yaml of `main`. */
  upkeepYaml(): string;
  playlists(): Promise<readonly JsonObject[]>;
  /** Edits the live playlist with that description. */
  edit(desc: string, members: JsonObject): Promise<void>;
}

/** What stands in for a release tarball: recipes must hand npm exactly these bytes. */
export const TARBALL = 'the bytes of a release';

/** Stands in for npm: takes the one command that recipes may give it, with the tarball that was served, after which upkeep is on the path. */
const NPM = `#!/bin/sh
case "$*" in
  "install --global --ignore-scripts --engine-strict "/*/upkeep.tgz) [ "$(cat "$5")" = "${TARBALL}" ] && exit 0 ;;
esac
echo "npm was called with: $*" >&2
exit 1
`;

/** Serves bytes as hosts of releases do, behind a redirect. Returns their address. */
async function serve(bytes: string | Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/files/1') response.end(bytes);
    else response.writeHead(302, { location: '/files/1' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfterTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/upkeep-0.1.0.tgz`;
}

/** Returns the release that these bytes are, on a server of this machine. */
export async function releaseOf(bytes: string | Buffer): Promise<Release> {
  return { tarball: await serve(bytes), sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Returns a recipe of examples/ci in which the user has written the release at its top. */
export function withRelease(recipe: string, release: Release): string {
  const { target } = EXAMPLE_VALUES;
  return replaceExamples(recipe, { ...release, target }, recipe.split(target).length - 1);
}

/** Returns the playlists of the account of an emulator. */
async function playlistsAt(url: string): Promise<readonly JsonObject[]> {
  const state = parse(await (await fetch(`${url}/__state`)).text());
  const accountState = isJsonObject(state) ? state[account.owner] : undefined;
  return [isJsonObject(accountState) ? (accountState.playlist ?? []) : []].flat().filter(isJsonObject);
}

/** The credentials of both targets, under the names that the recipes for two environments give them. */
export const STAGING_SECRETS = { STAGING_OWNER: account.owner, STAGING_API_KEY: account.apiKey };
export const PRODUCTION_SECRETS = { PRODUCTION_OWNER: account.owner, PRODUCTION_API_KEY: account.apiKey };

/** A project with a second account, from which `production` gets what it has carried. */
export interface TwoEnvironments extends RecipeProject {
  /** Returns upkeep.yaml with both targets, where these are the windows of production. */
  yaml(windows?: JsonObject): string;
  /** How often the playlists of each account repeat. */
  repeats(): Promise<{ readonly staging: readonly unknown[]; readonly production: readonly unknown[] }>;
}

/** Sets the world up with the targets `staging` and `production`, which nothing has to soak. */
export async function createTwoEnvironments(): Promise<TwoEnvironments> {
  const project = await createRecipeProject();
  project.push('refs/heads/main', { 'config/account.yaml': '# nothing yet\n' });
  const { url } = await startBuiltEmulator(join(project.folder('staging'), 'emulator.journal'));
  const { targets } = membersOf(parse(project.upkeepYaml()));
  const { production } = membersOf(targets);
  const target = (name: string, more: JsonObject): JsonObject => ({
    ...membersOf(production),
    branch: 'main',
    credentials: { owner: { env: `${name}_OWNER` }, api_key: { env: `${name}_API_KEY` } },
    ...more,
  });
  const yaml = (windows?: JsonObject) =>
    stringify({
      version: 1,
      targets: {
        staging: target('STAGING', { base_url: url }),
        production: target('PRODUCTION', { after: ['staging'], ...(windows === undefined ? {} : { windows }) }),
      },
    });
  project.push('refs/heads/main', { 'upkeep.yaml': yaml() });
  return {
    ...project,
    yaml,
    async repeats() {
      const [staging, live] = [await playlistsAt(url), await project.playlists()];
      return { staging: staging.map(({ repeat }) => repeat), production: live.map(({ repeat }) => repeat) };
    },
  };
}

function membersOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`a mapping was expected, not ${JSON.stringify(value)}`);
  return value;
}

/** Sets the world up; `credentials` as in upkeep.yaml. The target is `production`, as in the recipes. */
export async function createRecipeProject(
  credentials: JsonObject = { owner: { env: 'UPKEEP_OWNER' }, api_key: { env: 'UPKEEP_API_KEY' } },
): Promise<RecipeProject> {
  const root = temporaryFolder();
  const pathOf = (name: string) => join(root, name);
  for (const name of ['home', 'bin']) mkdirSync(pathOf(name));
  writeFileSync(pathOf('bin/npm'), NPM, { mode: 0o755 });
  writeFileSync(pathOf('bin/upkeep'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  const { url } = await startBuiltEmulator(pathOf('emulator.journal'));
  const remote = `file://${pathOf('remote.git')}`;
  const env = { PATH: `${pathOf('bin')}:${process.env.PATH}`, HOME: pathOf('home'), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim();
  git(root, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  git(root, 'clone', '-q', remote, 'author');
  const target = { base_url: url, credentials, sources: ['config'], ledger: 'git', http: { requests_per_second: 0, give_up_seconds: 0 } };
  writeFileSync(pathOf('author/upkeep.yaml'), stringify({ version: 1, targets: { production: target } }));
  const playlists = () => playlistsAt(url);
  let folders = 0;
  const folder = (name: string) => {
    const newFolder = pathOf(`${++folders}-${name}`);
    mkdirSync(newFolder);
    return newFolder;
  };
  return {
    remote,
    release: await releaseOf(TARBALL),
    env,
    addProgram: (name, script) => writeFileSync(pathOf(`bin/${name}`), `#!/bin/sh\n${script}`, { mode: 0o755 }),
    folder,
    git,
    upkeepYaml: () => git(root, '--git-dir', 'remote.git', 'show', 'main:upkeep.yaml'),
    playlists,
    checkout(ref, depth = 1) {
      const newFolder = folder('checkout');
      git(newFolder, 'init', '-q');
      git(newFolder, 'remote', 'add', 'origin', remote);
      git(newFolder, 'fetch', '-q', `--depth=${depth}`, 'origin', ref);
      git(newFolder, 'checkout', '-q', 'FETCH_HEAD');
      return newFolder;
    },
    push(ref, files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(pathOf('author'), name, '..'), { recursive: true });
        writeFileSync(join(pathOf('author'), name), text);
      }
      git(pathOf('author'), 'add', '-A');
      git(pathOf('author'), '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'change');
      git(pathOf('author'), 'push', '-q', 'origin', `HEAD:${ref}`);
      return git(pathOf('author'), 'rev-parse', 'HEAD');
    },
    async edit(desc, members) {
      const playlist = (await playlists()).find((each) => each.desc === desc);
      const edit = { emulation: 'playlist', collection: 'playlists', id: playlist?.id, merge: members };
      const { status } = await fetch(`${url}/__edit`, {
        method: 'POST',
        body: JSON.stringify(edit),
        headers: { 'content-type': 'application/json' },
      });
      if (status !== 204) throw new Error(`the emulator refused the edit of ${desc} with ${status}`);
    },
  };
}

/** Runs a program in a folder, with exactly this environment. */
export function runProgram(cwd: string, env: Environment, program: string, ...args: readonly string[]): Promise<ScriptResult> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/**
 * Returns an upkeep.yaml that sends requests to a stranger, starts a program for the credentials, and has no ledger and no check against
 * weakening. `started` is the file that the program writes.
 */
export function hostileYaml(at: RecipeProject, stranger: string, started: string): string {
  const project: Json = parse(at.upkeepYaml());
  const targets = isJsonObject(project) && isJsonObject(project.targets) ? project.targets : {};
  const credentials = { owner: { command: ['touch', started] }, api_key: { command: ['touch', started] } };
  const own = isJsonObject(targets.production) ? targets.production : {};
  const production = { ...own, base_url: stranger, credentials, ledger: 'none', weakening: 'allow' };
  return stringify({ version: 1, targets: { production } });
}
