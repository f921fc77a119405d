/** The whole program in process: a project in a temporary folder, the emulator on a free port, and the command line as a function. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { main } from '../../src/cli/main.ts';
import { monotonicClock } from '../../src/core/api-client/monotonic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { Outcome } from '../../src/core/model/outcome.ts';
import type { ErrorReport, Plan } from '../../src/core/model/plan.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/server.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { rememberCommandLine } from './command-lines.ts';
import { asFailure, asOutcome, asPlan, documentsOf } from './documents.ts';
import { stateHomeOf } from './local-files.ts';
import { atMost } from './patience.ts';
import { commandsIn, requireTaken } from './printed-commands.ts';

export const OWNER = '0123456789abcdef0123456789abcdef';
export const API_KEY = 'CanaryKey/For+Tests=8mJq2Xv7RkT4wZc9LbN5dH';

/** The result of a run of the command line. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Differences of a run from one in a CI job without a terminal. */
export interface RunOptions {
  readonly env?: { readonly [name: string]: string | undefined };
  readonly now?: () => number;
  /** Milliseconds that have passed, by default by the clock of this machine and by `now`. */
  readonly elapsed?: () => number;
  readonly signal?: AbortSignal;
  /** The input of the user, at once or when it is read. */
  readonly stdin?: string | AsyncIterable<string>;
  readonly terminal?: boolean;
  /** Number of columns of the terminal; 100 unless said. */
  readonly columns?: number;
  readonly cwd?: string;
  /** Receives the handler of unhandled errors. */
  readonly onUnhandledError?: (handle: (error: unknown) => void) => void;
}

/** A run with `--format json`, and the one document that it printed. */
export interface JsonRun<Document> extends RunResult {
  readonly document: Document;
}

/** The folder of a project, and the command line in it. */
export interface ProjectFolder {
  readonly folder: string;
  run(...argv: string[]): Promise<RunResult>;
  runWith(options: RunOptions, ...argv: string[]): Promise<RunResult>;
  /** The one JSON document that a command prints. */
  json(...argv: string[]): Promise<unknown>;
  /** `plan` as JSON. */
  plan(...argv: string[]): Promise<JsonRun<Plan>>;
  /** `diff` as JSON, where a comparison is expected. */
  diff(...argv: string[]): Promise<JsonRun<Plan>>;
  /** `apply` as JSON, where an outcome is expected. */
  apply(...argv: string[]): Promise<JsonRun<Outcome>>;
  /** `drift` as JSON. */
  drift(...argv: string[]): Promise<JsonRun<Plan>>;
  /** Any command as JSON, where it is expected to be refused. */
  refused(...argv: string[]): Promise<JsonRun<ErrorReport>>;
  write(file: string, text: string): void;
  read(file: string): string;
}

/** A project in a temporary folder, and its account. */
export interface TestProject extends ProjectFolder {
  readonly emulator: Emulator;
  /** The live documents of one kind, in the form of a seed. */
  live(kind: string): Json;
  /** The live playlists in order of their creation. */
  playlists(): readonly JsonObject[];
  /** Edits a live playlist; null deletes it. */
  editPlaylist(id: string, members: JsonObject | null): void;
  /** Method and path of the writes since the last call. */
  writes(): readonly string[];
  /** Removes project and account before the test ends, for properties that create many. */
  close(): Promise<void>;
}

/** A new empty folder, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-'));
  cleanUpAfterTest(() => removeFolder(folder));
  return folder;
}

/** Removes a folder, and the state folder of the user who ran a project there. */
function removeFolder(folder: string): void {
  for (const path of [folder, stateHomeOf(folder)]) rmSync(path, { recursive: true, force: true });
}

/**
 * Creates a project with these files, by name, and starts its account. `target` is added to the settings of the one target, and `rules` to
 * upkeep.yaml, as YAML lines.
 */
export async function createTestProject(
  files: { readonly [name: string]: string },
  options: Partial<EmulatorOptions> & { readonly target?: string; readonly rules?: string } = {},
): Promise<TestProject> {
  const { target = '', rules = '', ...settings } = options;
  const emulator = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }], ...settings });
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-'));
  const close = cleanUpAfterTest(async () => {
    await emulator.close();
    removeFolder(folder);
  });
  const project = projectIn(folder);
  project.write('upkeep.yaml', projectFile(emulator.url, target, rules));
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  const live = (kind: string): Json => {
    const dump = emulator.dump();
    const account = isJsonObject(dump) ? dump[OWNER] : undefined;
    return (isJsonObject(account) ? account[kind] : undefined) ?? null;
  };
  return {
    ...project,
    emulator,
    close,
    live,
    playlists: () => [live('playlist')].flat().filter(isJsonObject),
    editPlaylist(id, members) {
      const place = { emulation: 'playlist', collection: 'playlists', id };
      emulator.edit(members === null ? { ...place, document: null } : { ...place, merge: members });
    },
    writes() {
      // v2 is read by POST (api-notes section 7).
      const sent = emulator.requests().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api2/'));
      emulator.clearRequests();
      return sent.map((request) => `${request.method} ${request.path}`);
    },
  };
}

/** Returns the command line in a folder; `env` is added to the environment of every run there. */
export function projectIn(folder: string, env: NonNullable<RunOptions['env']> = {}): ProjectFolder {
  const runWith = (options: RunOptions, ...argv: string[]) => runMain(folder, { ...options, env: { ...env, ...options.env } }, argv);
  const runAsJson = async <Document>(read: (value: unknown) => Document, ...argv: string[]): Promise<JsonRun<Document>> => {
    const result = await runWith({}, ...argv, '--format', 'json');
    return { ...result, document: read(JSON.parse(result.stdout)) };
  };
  return {
    folder,
    runWith,
    run: (...argv) => runWith({}, ...argv),
    json: async (...argv) => JSON.parse((await runWith({}, ...argv, '--format', 'json')).stdout),
    plan: (...argv) => runAsJson(asPlan, 'plan', ...argv),
    diff: (...argv) => runAsJson(asPlan, 'diff', ...argv),
    apply: (...argv) => runAsJson(asOutcome, 'apply', ...argv),
    drift: (...argv) => runAsJson(asPlan, 'drift', ...argv),
    refused: (...argv) => runAsJson(asFailure, ...argv),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    },
  };
}

const HTTP_SETTINGS = `    http: { requests_per_second: 0, timeout_seconds: ${atMost(20_000) / 1000}, give_up_seconds: 0 }\n`;
/** The emulator shows at once what was written. */
const SERVICE_SETTINGS = '    service: { settle_seconds: 0 }\n';

/** upkeep.yaml with one target `live` whose sources are the folder `config`. */
export function projectFile(url: string, target = '', rules = ''): string {
  const more = target
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    ${line}\n`)
    .join('');
  return `version: 1
${rules}
targets:
  live:
    base_url: ${url}
    credentials:
      owner: { env: UPKEEP_OWNER }
      api_key: { env: UPKEEP_API_KEY }
    sources: [config]
${target.includes('http:') ? '' : HTTP_SETTINGS}${target.includes('service:') ? '' : SERVICE_SETTINGS}${more}`;
}

/** Makes the folder of a report that is gone after the run has begun: the program that gives the API key removes it. */
export function vanishingFolder(project: ProjectFolder): string {
  mkdirSync(join(project.folder, 'vanishing'));
  const command = JSON.stringify(['sh', '-c', `rm -rf vanishing; echo ${API_KEY}`]);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('api_key: { env: UPKEEP_API_KEY }', `api_key: { command: ${command} }`));
  return 'vanishing';
}

/** Runs the command line in a folder; JSON output must be valid by its schema. */
export async function runMain(folder: string, options: RunOptions, argv: readonly string[]): Promise<RunResult> {
  let stdout = '';
  let stderr = '';
  const terminal = options.terminal === true;
  const now = options.now ?? Date.now;
  const code = await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: typeof options.stdin === 'object' ? options.stdin : lines(options.stdin ?? ''),
    env: { PATH: process.env.PATH, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY, XDG_STATE_HOME: stateHomeOf(folder), ...options.env },
    cwd: options.cwd ?? folder,
    now,
    elapsed: options.elapsed ?? monotonicClock(now, () => performance.now()),
    signal: options.signal ?? new AbortController().signal,
    onUnhandledError: options.onUnhandledError ?? (() => undefined),
    terminal: { stdin: terminal, stdout: terminal, stderr: terminal, columns: options.columns ?? 100 },
  });
  rememberCommandLine(argv, { code, stderr });
  for (const command of [stdout, stderr].flatMap(commandsIn)) requireTaken(command);
  if (argv[argv.indexOf('--format') + 1] === 'json') documentsOf(argv[0] ?? '', stdout);
  return { code, stdout, stderr };
}

async function* lines(text: string): AsyncIterable<string> {
  yield text;
}

/** Copies the example account into a temporary project whose targets are the emulator; the target is `production`. */
export async function createExampleProject(options: Partial<EmulatorOptions> = {}): Promise<TestProject> {
  const project = await createTestProject({}, options);
  cpSync(EXAMPLE, project.folder, { recursive: true });
  const text = readFileSync(join(EXAMPLE, 'upkeep.yaml'), 'utf8');
  const local = text
    .replace(/base_url: \S+/g, `base_url: ${project.emulator.url}`)
    .replace(/requests_per_second: \d+/, 'requests_per_second: 0\n      give_up_seconds: 0');
  project.write('upkeep.yaml', local);
  return project;
}

/** Creates the example without its guards and `protect`, which block weakening changes: an empty account would not get its policies. */
export async function createUnrestrictedExample(options: Partial<EmulatorOptions> = {}): Promise<TestProject> {
  const project = await createExampleProject(options);
  const { guards: _guards, targets, ...settings } = parse(project.read('upkeep.yaml'));
  const { protect: _protect, ...production } = targets.production;
  project.write('upkeep.yaml', stringify({ ...settings, targets: { ...targets, production } }));
  return project;
}

const EXAMPLE = fileURLToPath(new URL('../../examples/streaming-account', import.meta.url));
