/**
 * Many targets in 1, 2 and 4 shards on one emulator that holds all their accounts: together the shards are all targets. In `npm test` a few
 * targets in this process; with UPKEEP_PROVE two hundred (or UPKEEP_TARGETS), by the built program, with time and memory of every run.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Plan } from '../../../src/core/model/plan.ts';
import { asOutcome, asPlan, documentsOf } from '../../support/documents.ts';
import { proving, record, rounds } from '../../support/figures.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { type RunResult, temporaryFolder } from '../../support/harness.ts';
import { manyPlaylists } from '../accounts.ts';
import { accountsOf, firstTenants, writeTargets } from './accounts.ts';

const PROGRAM = fileURLToPath(new URL('../../../dist/upkeep.js', import.meta.url));
const TARGETS = rounds(10, Number(process.env.UPKEEP_TARGETS ?? 200));
/** Playlists of each account. */
const PLAYLISTS = rounds(2, 50);

/** What a run took: the most memory in MiB, and the time of processors in seconds. */
interface Use {
  readonly mebibytes: number;
  readonly busy: number;
}

/** One run: what it printed, how long it took in seconds, and what each of its processes took. */
interface Measured extends RunResult {
  readonly seconds: number;
  readonly uses: readonly Use[];
}

/** Loaded into every process of a run: prints its resource usage at its end. */
const METER = `
import { appendFileSync } from 'node:fs';
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  appendFileSync(process.env.METER, JSON.stringify({ mebibytes: Math.round(maxRSS / 1024), busy: (userCPUTime + systemCPUTime) / 1e6 }) + '\\n');
});
`;

/** Runs the built program and measures it. */
async function measured(project: GitProject, env: NodeJS.ProcessEnv, argv: readonly string[]): Promise<Measured> {
  const folder = temporaryFolder();
  const [meter, file] = [join(folder, 'meter.mjs'), join(folder, 'memory')];
  writeFileSync(meter, METER);
  writeFileSync(file, '');
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', meter, PROGRAM, ...argv], {
    cwd: project.folder,
    env: { ...env, METER: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit ?? -1));
  });
  const seconds = (performance.now() - began) / 1000;
  const uses = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Use => JSON.parse(line));
  rmSync(folder, { recursive: true });
  return { code, stdout, stderr, seconds, uses };
}

test(
  'together the shards cover all targets, in plans and in applies that share only the remote',
  async () => {
    const tenants = firstTenants(TARGETS);
    const accounts = accountsOf(tenants, PLAYLISTS - 1);
    const files = { 'config/playlists.yaml': stringify({ playlists: manyPlaylists(PLAYLISTS) }) };
    const project = await createGitProject(files, { ...accounts, latencyMs: rounds(0, 20) });
    const env = writeTargets(project, tenants, 'ledger: git');
    project.commit();
    const run = async (...argv: readonly string[]): Promise<Measured> => {
      if (proving) return measured(project, { ...project.env, ...env }, [...argv, '-t', '*', '--format', 'json']);
      return { ...(await project.runWith({ env }, ...argv, '-t', '*', '--format', 'json')), seconds: 0, uses: [] };
    };
    // When a plan was made is another matter.
    const untimed = ({ run: _run, ...plan }: Plan): Plan => ({
      ...plan,
      ...(plan.decision ? { decision: { ...plan.decision, at: '' } } : {}),
    });
    const plansOf = (ran: RunResult): readonly Plan[] => documentsOf('plan', ran.stdout).map((document) => untimed(asPlan(document)));
    const byName = (plans: readonly Plan[]) => plans.toSorted((a, b) => (a.target < b.target ? -1 : 1));

    const whole: Plan[][] = [];
    for (const count of [1, 2, 4]) {
      const runs: Measured[] = [];
      for (let index = 1; index <= count; index++) runs.push(await run('plan', '--shard', `${index}/${count}`));
      expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
      whole.push(byName(runs.flatMap(plansOf)));
      recordMeasured(`plan of ${TARGETS} targets`, count, runs);
    }
    expect(whole[0]?.map(({ target, summary }) => [target, summary.create])).toEqual(tenants.map(({ name }) => [name, 1]));
    expect(whole[1]).toEqual(whole[0]);
    expect(whole[2]).toEqual(whole[0]);

    const clones = [1, 2, 3, 4].map((index) => ({ index, folder: project.clone() }));
    const began = performance.now();
    const applied = await Promise.all(
      clones.map(async ({ index, folder }) => {
        const argv = ['apply', '--yes', '--allow', 'updates', '--shard', `${index}/4`, '-t', '*', '--format', 'json'];
        if (proving) return measured({ ...project, ...folder }, { ...project.env, ...env }, argv);
        return { ...(await folder.runWith({ env }, ...argv)), seconds: 0, uses: [] };
      }),
    );
    const outcomes = applied.flatMap(({ stdout }) => documentsOf('apply', stdout).map(asOutcome));
    expect(applied.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(outcomes.map(({ verified, summary }) => [verified, summary.created])).toEqual(tenants.map(() => [true, 1]));
    expect(new Set(outcomes.map(({ target }) => target)).size).toBe(TARGETS);
    expect(Object.keys(project.refs())).toEqual(tenants.map(({ name }) => `refs/upkeep/${name}`));
    recordMeasured(`apply of ${TARGETS} targets at the same time on one machine`, 4, applied, (performance.now() - began) / 1000);
  },
  proving ? 1_800_000 : undefined,
);

/** Hands the figures on: of shards that would be machines of their own the longest counts. In this process there is nothing to measure. */
function recordMeasured(
  what: string,
  count: number,
  runs: readonly Measured[],
  seconds = Math.max(...runs.map((run) => run.seconds)),
): void {
  if (!proving) return;
  const uses = runs.flatMap((run) => run.uses);
  const busy = uses.reduce((sum, use) => sum + use.busy, 0) / TARGETS;
  const largest = Math.max(...uses.map((use) => use.mebibytes));
  const value = `${seconds.toFixed(1)} s, ${busy.toFixed(3)} s of a processor a target, ${largest} MiB the largest process`;
  record({
    proof: 'multi-target',
    name: `${what}, ${count} shards, ${availableParallelism()} processors`,
    value,
    wanted: 'union equal',
    holds: uses.length === count,
  });
}
