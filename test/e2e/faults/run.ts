/** Runs one cell of the fault matrix: `plan` where it reads, `apply` under the fault, then quiet runs, and looks at the account each time. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { equal, type Json } from '../../../src/model/json.ts';
import { asOutcome } from '../../documents.ts';
import { rounds } from '../../figures.ts';
import { API_KEY, OWNER, type Ran, type Stage, stage } from '../../harness.ts';
import { config } from '../accounts.ts';
import { arm, calm } from './arm.ts';
import type { Cell } from './cells.ts';
import { accountOf, type Found, statesOf, twice, unbounded, untouched } from './checks.ts';
import type { Elsewhere } from './elsewhere.ts';
import { expected } from './oracle.ts';

/** One run of the command line. */
export interface Command extends Ran {
  readonly argv: readonly string[];
}

/** What a cell came to. */
export interface CellRun {
  readonly cell: Cell;
  /** All runs in order: under the fault, then quiet. */
  readonly commands: readonly Command[];
  /** What was written into the project's folder, by name; upkeep.yaml and sources aside. */
  readonly files: { readonly [name: string]: string };
  /** Exit code of the faulty `apply`. */
  readonly exit: number;
  /** The targets after it. */
  readonly states: readonly Found[];
  /** What does not hold. */
  readonly violations: readonly string[];
}

/** How cells are run; defaults in brackets. */
export interface CellOptions {
  /** Account and key, for whoever looks for them in what comes out [those of the harness]. */
  readonly owner?: string;
  readonly apiKey?: string;
  /** Flags added to every run, for example `--log-level debug`. */
  readonly flags?: readonly string[];
}

/** Runs a cell on a stage of its own. */
export async function runCell(cell: Cell, elsewhere: Elsewhere, options: CellOptions = {}): Promise<CellRun> {
  const { scene } = cell.use;
  const owner = options.owner ?? OWNER;
  const apiKey = options.apiKey ?? API_KEY;
  const set = await stage(config(scene.sections), { accounts: [{ owner, apiKey }], seed: scene.seed, target: targetOf(cell) });
  const commands: Command[] = [];
  const run = async (...argv: string[]): Promise<number> => {
    const env = { UPKEEP_OWNER: owner, UPKEEP_API_KEY: apiKey };
    const ran = await set.runWith({ env }, ...argv, '--format', 'json', ...(options.flags ?? []));
    commands.push({ argv, ...ran });
    return ran.code;
  };
  try {
    const look = () => accountOf(set.emulator, owner);
    const verified = () => asOutcome(JSON.parse(commands.at(-1)?.stdout ?? '')).verified;
    const played = await play({ cell, elsewhere, set, run, look, verified });
    const violations = [...played.violations, ...commands.flatMap(traces)];
    return { cell, commands, files: filesIn(set.folder), ...played, violations };
  } finally {
    await set.close();
  }
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
function traces({ argv, stdout, stderr }: Command): readonly string[] {
  return /^\s+at .*:\d+:\d+/m.test(stdout + stderr) ? [`a stack trace of ${argv.join(' ')}`] : [];
}

function filesIn(folder: string): { readonly [name: string]: string } {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true });
  const written = names.filter((name) => !/^(upkeep\.yaml|config)/.test(name) && statSync(join(folder, name)).isFile());
  return Object.fromEntries(written.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
