/** Runs one cell of the fault matrix: `plan` where it reads, `apply` under the fault, then quiet runs, and looks at the account each time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { equal, type Json } from '../../../src/model/json.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { CREDENTIALS, leaksIn, type Trace, tracesIn } from '../../support/canary.ts';
import { asOutcome } from '../../support/documents.ts';
import { rounds } from '../../support/figures.ts';
import { gitStage } from '../../support/git-project.ts';
import { OWNER, type Ran, type Stage, stage } from '../../support/harness.ts';
import { config } from '../accounts.ts';
import { arm, calm } from './arm.ts';
import type { Cell } from './cells.ts';
import { accountOf, type Found, statesOf, twice, unbounded, untouched } from './checks.ts';
import type { Elsewhere } from './elsewhere.ts';
import { listen } from './listener.ts';
import { expected } from './oracle.ts';

/** One run of the command line. */
interface Command extends Ran {
  readonly argv: readonly string[];
}

/** What a cell came to. */
export interface CellRun {
  readonly cell: Cell;
  /** Exit code of the faulty `apply`. */
  readonly exit: number;
  /** The targets after it. */
  readonly states: readonly Found[];
  /** What does not hold. */
  readonly violations: readonly string[];
}

/** How a cell's stage is set: without a ledger, or with one. */
export type Keeping = 'no ledger' | 'a ledger';

/** Runs a cell on a stage of its own, and looks for secrets in all that its runs say or leave behind. */
export async function runCell(cell: Cell, elsewhere: Elsewhere, keeping: Keeping): Promise<CellRun> {
  const { set, kept } = await stageOf(cell, keeping);
  const reports = mkdtempSync(join(tmpdir(), 'upkeep-reports-'));
  const ear = listen(set.emulator.url, set.folder);
  const commands: Command[] = [];
  const run = async (...argv: string[]): Promise<number> => {
    const ran = await set.run(...argv, '--format', 'json', ...loud(cell, join(reports, `${commands.length}`)));
    commands.push({ argv, ...ran });
    return ran.code;
  };
  try {
    const look = () => accountOf(set.emulator, OWNER);
    const verified = () => asOutcome(JSON.parse(commands.at(-1)?.stdout ?? '')).verified;
    const played = await play({ cell, elsewhere, set, run, look, verified });
    const traces = [...commands.flatMap(said), ...[set.folder, reports, ...kept].flatMap(tracesIn), ...ear.journals];
    expect(ear.signatures.length, 'what was signed is known').toBeGreaterThan(0);
    const violations = [...played.violations, ...commands.flatMap(stackTraces), ...leaksIn(traces, [...CREDENTIALS, ...ear.signatures])];
    return { cell, ...played, violations };
  } finally {
    ear.close();
    rmSync(reports, { recursive: true });
    await set.close();
  }
}

/** A cell's stage, and the folders beside the project in which it keeps something. */
async function stageOf(cell: Cell, keeping: Keeping): Promise<{ readonly set: Stage; readonly kept: readonly string[] }> {
  const files = config(cell.use.scene.sections);
  const options = { seed: cell.use.scene.seed, target: targetOf(cell) };
  if (keeping === 'no ledger') return { set: await stage(files, options), kept: [] };
  const set = await gitStage(files, options);
  return { set, kept: [set.remote] };
}

/** Flags with which a run says all that it can: the log in both forms, by cell, and every report as a file. */
function loud({ attempt }: Cell, report: string): readonly string[] {
  const out = FORMATS.flatMap((format) => ['--out', `${format}=${report}.${format}`]);
  return ['--log-level', 'debug', '--log-format', attempt === 'second' ? 'json' : 'text', ...out];
}

function said({ argv, stdout, stderr }: Command): readonly Trace[] {
  return [
    { where: `stdout of ${argv.join(' ')}`, text: stdout },
    { where: `stderr of ${argv.join(' ')}`, text: stderr },
  ];
}

/** A cell with its stage set. */
interface Play {
  readonly cell: Cell;
  readonly elsewhere: Elsewhere;
  readonly set: Stage;
  /** Runs a command and gives its exit code. */
  run(...argv: string[]): Promise<number>;
  look(): ReturnType<typeof accountOf>;
  /** Whether the last run says that what it wrote reads back as desired. */
  verified(): boolean;
}

async function play({
  cell,
  elsewhere,
  set: { emulator },
  run,
  look,
  verified,
}: Play): Promise<Pick<CellRun, 'exit' | 'states' | 'violations'>> {
  const { scene } = cell.use;
  const must = expected(cell);
  const violations: string[] = [];
  const check = (what: string, found: Json, wanted: Json) => {
    if (!equal(found, wanted)) violations.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  const before = look();
  if (must.plan !== null) {
    await arm(emulator, cell, 'plan', elsewhere.url);
    check('exit of plan', await run('plan'), must.plan);
    check('account after plan', look(), before);
    emulator.clearRequests();
  }
  await arm(emulator, cell, 'apply', elsewhere.url);
  const exit = await run('apply', '--yes');
  const states = statesOf(scene, look());
  check('exit of apply', exit, must.apply);
  check('targets', states, must.states);
  violations.push(...twice(emulator, must.mostWrites), ...unbounded(emulator));
  if (must.mostWrites > 0) check('verified', verified(), exit === 0);
  await calm(emulator);
  check('exit of the quiet apply', await run('apply', '--yes'), 0);
  check('exit of the quiet plan', await run('plan', '--detailed-exitcode'), 0);
  const wanted = scene.targets.map(() => 'desired');
  check('targets in the end', statesOf(scene, look()), wanted);
  check('what nobody declared', untouched(scene, look()), untouched(scene, before));
  return { exit, states, violations };
}

/** Whether answers of this fault are waited for until time is up. */
export function hangs({ fault }: Cell): boolean {
  return /timeout|stalled/.test(fault.name);
}

/**
 * Short times: an attempt that hangs is cut off soon. What comes of a cell must not hang on how busy this machine is: a request that is
 * to come through in the end has much time for it, one that never will has little. Creates and deletes count their waiting, not the time.
 */
function targetOf(cell: Cell): string {
  const { fault, use, attempt } = cell;
  const timeout = hangs(cell) ? rounds(5, 10) : 20;
  const waits = use.purpose === 'create' || use.purpose === 'delete' || (attempt === 'every' && fault.nature !== 'doubted');
  const giveUp = !waits ? 30 : fault.name.includes('Retry-After') ? 4 : 2;
  const timing = `timeout_seconds: ${timeout}, give_up_seconds: ${giveUp}`;
  return `http: { concurrency: 1, requests_per_second: 0, ${timing}, max_body_mib: 1 }
loosening: allow
ownership: ${use.scene.ownership ?? 'shared'}`;
}

/** A stack trace on a user's screen is a bug. */
function stackTraces({ argv, stdout, stderr }: Command): readonly string[] {
  return /^\s+at .*:\d+:\d+/m.test(stdout + stderr) ? [`a stack trace of ${argv.join(' ')}`] : [];
}
