/** A project and its account that mutants are tried on, outside vitest: in the worker, thousands of times. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { main } from '../../src/cli/main.ts';
import type { Json } from '../../src/core/model/json.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { stateHomeOf } from '../support/local-files.ts';
import { atMost } from '../support/patience.ts';
import { PROJECT, SOURCES } from './corpus.ts';

export const OWNER = '0123456789abcdef0123456789abcdef';
export const API_KEY = 'CanaryKey/For+Mutants=00000000000000000000';

/** What a run of the command line gave. */
export interface RunResult {
  readonly argv: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the project of the corpus. */
export interface TestProject {
  readonly folder: string;
  write(file: string, bytes: string | Uint8Array): void;
  remove(file: string): void;
  run(...argv: readonly string[]): Promise<RunResult>;
  /** Starts an account in place of the previous one, and writes its URL into the project. */
  account(seed: Json): Promise<Emulator>;
  /** upkeep.yaml for an address. */
  projectFile(url: string): string;
  /** Writes those of the project's own files again that were written over or removed. */
  restore(): void;
  close(): Promise<void>;
}

/**
 * Longest time of one run before it is interrupted, milliseconds: a mutated upkeep.yaml may ask for an hour of patience, a busy machine for
 * some seconds.
 */
const LONGEST_RUN = atMost(20_000);

/** Sets up the project; `env` and `target` are added to what runs see and to the settings of the target. */
export function openTestProject(env: { readonly [name: string]: string | undefined } = {}, target = ''): TestProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'upkeep-hostile-')));
  let emulator: Emulator | undefined;
  let url = 'http://127.0.0.1:9';
  const projectFiles = () => Object.entries({ 'upkeep.yaml': PROJECT(url, target), ...SOURCES });
  /** Files that may differ from the project's own. */
  const touched = new Set(projectFiles().map(([file]) => file));
  const write = (file: string, bytes: string | Uint8Array): void => {
    touched.add(file);
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  };
  const projectFile: TestProject = {
    folder,
    write,
    projectFile: (at) => PROJECT(at, target),
    remove(file) {
      touched.add(file);
      rmSync(join(folder, file), { force: true, recursive: true });
    },
    async run(...argv) {
      let [stdout, stderr] = ['', ''];
      const code = await main(argv, {
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
        stdin: nothing(),
        env: { PATH: process.env.PATH, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY, XDG_STATE_HOME: stateHomeOf(folder), ...env },
        cwd: folder,
        now: Date.now,
        elapsed: () => performance.now(),
        signal: AbortSignal.timeout(LONGEST_RUN),
        onUnhandledError: () => undefined,
        terminal: { stdin: false, stdout: false, stderr: false, columns: 100 },
      });
      return { argv, code, stdout, stderr };
    },
    async account(seed) {
      await emulator?.close();
      emulator = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }], seed });
      url = emulator.url;
      touched.add('upkeep.yaml');
      projectFile.restore();
      return emulator;
    },
    restore() {
      for (const [file, text] of projectFiles()) if (touched.has(file)) write(file, text);
      touched.clear();
    },
    async close() {
      await emulator?.close();
      for (const path of [folder, stateHomeOf(folder)]) rmSync(path, { recursive: true, force: true });
    },
  };
  projectFile.restore();
  return projectFile;
}

async function* nothing(): AsyncIterable<string> {
  yield '';
}
