/** Hostile input through the built program: a process of its own for every mutant, as a user or a CI job would run it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { runNumbers, seed } from '../support/property.ts';
import { SOURCES } from './corpus.ts';
import { mutate } from './mutate.ts';
import { randomOf } from './random.ts';
import { violationsOf } from './run-checks.ts';
import { API_KEY, OWNER, openTestProject, type RunResult } from './test-project.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));
const MUTANTS = rounds(20, 300);
/** Longest time of one run, milliseconds: far more than any takes, on a machine that others share. */
const WATCHDOG = atMost(60_000);

const REPORT = '{"schemaVersion":1,"target":"live","valid":true,"findings":[],"resources":{"playlist":2}}';

/** The commands that need no account, each with the file that is mutated. */
const COMMANDS = [
  ['config/playlists.yaml', 'validate'],
  ['config/protection.yaml', 'validate'],
  ['config/vod.txt', 'validate'],
  ['upkeep.yaml', 'validate'],
  ['upkeep.yaml', 'targets'],
  ['report.json', 'show'],
] as const;

function runProgram(folder: string, argv: readonly string[]): Promise<RunResult> {
  const env = { PATH: process.env.PATH, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
  const options = { cwd: folder, env, timeout: WATCHDOG, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...argv], options, (_error, stdout, stderr) => {
      // A process that a signal ended has no exit code, and no contract knows -1.
      resolve({ argv, code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

test(`${MUTANTS} mutants given to the program end every process by itself, with a documented exit code and no stack trace`, {
  timeout: MUTANTS * WATCHDOG,
}, async () => {
  const project = openTestProject();
  const originals: { readonly [file: string]: string } = {
    ...SOURCES,
    'upkeep.yaml': project.projectFile('http://127.0.0.1:9'),
    'report.json': REPORT,
  };
  const others = Object.values(originals).map((text) => Buffer.from(text));
  const violations: string[] = [];
  const numbers = runNumbers(MUTANTS);
  for (const number of numbers) {
    const random = randomOf(seed, number);
    const [file, command] = random.of(COMMANDS);
    project.write(file, mutate(Buffer.from(originals[file] ?? ''), others, random));
    const result = await runProgram(
      project.folder,
      command === 'show' ? [command, file] : [command, '--format', random.of(['text', 'json'])],
    );
    violations.push(...violationsOf(result).map((objection) => `UPKEEP_SEED=${seed} UPKEEP_PATH=${number} (${file}): ${objection}`));
    project.restore();
  }
  await project.close();
  const proof = 'hostile input';
  record({
    proof,
    name: 'mutants through the program',
    value: numbers.length,
    wanted: `at least ${MUTANTS}`,
    holds: numbers.length >= MUTANTS,
  });
  record({ proof, name: 'violations by the program', value: violations.length, wanted: 'none', holds: violations.length === 0 });
  expect(violations).toEqual([]);
});
