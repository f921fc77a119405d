/** Runs one cell of the fault matrix: `plan` for reads, `apply` under the fault, then without it, and checks the account after each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { equal, type Json } from '../../../src/core/model/json.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { CREDENTIALS, findLeaks, type OutputText, textsIn } from '../../support/canary.ts';
import { asOutcome } from '../../support/documents.ts';
import { rounds } from '../../support/figures.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject, OWNER, type RunResult, type TestProject } from '../../support/harness.ts';
import { atMost } from '../../support/patience.ts';
import { config } from '../accounts.ts';
import type { Cell } from './cells.ts';
import { accountOf, excessiveRequests, type FoundState, oversizedReads, repeatedWrites, statesOf, undeclaredPart } from './checks.ts';
import { expectedAfterwards, expectedResult } from './expected-result.ts';
import { clearFaults, injectFault } from './inject-fault.ts';
import type { RedirectHost } from './redirect-host.ts';
import { listenToRequests } from './request-listener.ts';

/** One run of the command line. */
interface Command extends RunResult {
  readonly argv: readonly string[];
}

/** The result of a cell. */
export interface CellRun {
  readonly cell: Cell;
  /** Exit code of the faulty `apply`. */
  readonly exit: number;
  /** The targets after it. */
  readonly states: readonly FoundState[];
  /** The expectations that were not met. */
  readonly violations: readonly string[];
}

/** Whether the project of a cell has a ledger. */
export type LedgerUse = 'no ledger' | 'a ledger';

/** Runs a cell on a project of its own, and searches for secrets in all outputs and files of its runs. */
export async function runCell(cell: Cell, redirectHost: RedirectHost, ledgerUse: LedgerUse): Promise<CellRun> {
  const { project, folders, endLag } = await projectOf(cell, ledgerUse);
  const reports = mkdtempSync(join(tmpdir(), 'upkeep-reports-'));
  const listener = listenToRequests(project.emulator.url, project.folder);
  const commands: Command[] = [];
  const run = async (...argv: string[]): Promise<number> => {
    const ran = await project.run(...argv, '--format', 'json', ...reportFlags(cell, join(reports, `${commands.length}`)));
    commands.push({ argv, ...ran });
    return ran.code;
  };
  try {
    const readAccount = () => accountOf(project.emulator, OWNER);
    const verified = () => asOutcome(JSON.parse(commands.at(-1)?.stdout ?? '')).verified;
    const result = await runCommands({ cell, ledgerUse, redirectHost, project, endLag, run, readAccount, verified });
    const traces = [...commands.flatMap(outputsOf), ...[project.folder, reports, ...folders].flatMap(textsIn), ...listener.journals];
    expect(listener.signatures.length, 'what was signed is known').toBeGreaterThan(0);
    const violations = [
      ...result.violations,
      ...commands.flatMap(stackTraces),
      ...findLeaks(traces, [...CREDENTIALS, ...listener.signatures]),
    ];
    return { cell, ...result, violations };
  } finally {
    listener.close();
    rmSync(reports, { recursive: true });
    await project.close();
  }
}

/** The project of a cell, and the folders beside it in which it keeps something. */
interface PreparedProject {
  readonly project: TestProject;
  readonly folders: readonly string[];
  /** Moves the clock of the service on, so that reads show what was written. */
  endLag(): void;
}

async function projectOf(cell: Cell, ledgerUse: LedgerUse): Promise<PreparedProject> {
  const files = config(cell.use.scene.sections);
  const { use, fault } = cell;
  const clock = { offset: 0 };
  const endLag = () => {
    clock.offset += fault.lag?.readDelayMs ?? 0;
  };
  const quirks = fault.lag ? { readDelayMs: fault.lag.readDelayMs } : {};
  const options = { seed: use.scene.seed, target: targetOf(cell), quirks, now: () => Date.now() + clock.offset };
  if (ledgerUse === 'no ledger') return { project: await createTestProject(files, options), folders: [], endLag };
  const project = await createGitProject(files, options);
  return { project, folders: [project.remote], endLag };
}

/** Returns flags for the most output: the log in text or JSON, by cell, and every report as a file. */
function reportFlags({ attempt }: Cell, report: string): readonly string[] {
  const out = FORMATS.flatMap((format) => ['--out', `${format}=${report}.${format}`]);
  return ['--log-level', 'debug', '--log-format', attempt === 'second' ? 'json' : 'text', ...out];
}

function outputsOf({ argv, stdout, stderr }: Command): readonly OutputText[] {
  return [
    { where: `stdout of ${argv.join(' ')}`, text: stdout },
    { where: `stderr of ${argv.join(' ')}`, text: stderr },
  ];
}

/** Its account already has what is declared, as far as the cell does not change it. */
const APPLY = ['apply', '--yes', '--allow', 'first-apply'] as const;

/** A cell and its project. */
interface CellProject {
  readonly cell: Cell;
  readonly ledgerUse: LedgerUse;
  readonly redirectHost: RedirectHost;
  readonly project: TestProject;
  endLag(): void;
  /** Runs a command and gives its exit code. */
  run(...argv: string[]): Promise<number>;
  readAccount(): ReturnType<typeof accountOf>;
  /** Whether the last run reports that its writes read back as desired. */
  verified(): boolean;
}

async function runCommands({
  cell,
  ledgerUse,
  redirectHost,
  project: { emulator },
  endLag,
  run,
  readAccount,
  verified,
}: CellProject): Promise<Pick<CellRun, 'exit' | 'states' | 'violations'>> {
  const { scene } = cell.use;
  const expected = expectedResult(cell);
  const violations: string[] = [];
  const check = (label: string, found: Json, wanted: Json) => {
    if (!equal(found, wanted)) violations.push(`${label}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  const before = readAccount();
  if (expected.plan !== null) {
    await injectFault(emulator, cell, 'plan', redirectHost.url);
    check('exit of plan', await run('plan'), expected.plan);
    check('account after plan', readAccount(), before);
    emulator.clearRequests();
  }
  await injectFault(emulator, cell, 'apply', redirectHost.url);
  const exit = await run(...APPLY);
  const states = statesOf(scene, readAccount());
  check('exit of apply', exit, exit === 0 && expected.mayBeSeen ? 0 : expected.apply);
  // What is open is one of the two states all the same.
  const isKnown = (state: FoundState) => state === 'before' || state === 'desired';
  const wanted = scene.targets.map(() => 'desired');
  const found = states.map((state, index) => (expected.states[index] === 'open' && isKnown(state) ? 'open' : state));
  check('targets', found, expected.states);
  violations.push(...repeatedWrites(emulator, expected.maxWrites), ...oversizedReads(emulator), ...excessiveRequests(emulator));
  if (expected.maxWrites > 0) check('verified', verified(), exit === 0);
  await clearFaults(emulator);
  if (cell.fault.lag !== undefined) {
    await run(...APPLY);
    // What is not seen yet is not created or deleted once more. Values may be set again.
    if (cell.use.purpose === 'create' || cell.use.purpose === 'delete') violations.push(...repeatedWrites(emulator, 1));
    check('targets after another run', statesOf(scene, readAccount()), wanted);
  }
  endLag();
  const afterwards = expectedAfterwards(cell, ledgerUse === 'a ledger');
  check('exit of the quiet apply', await run(...APPLY), afterwards);
  check('exit of the quiet plan', await run('plan', '--detailed-exitcode'), afterwards);
  check('targets in the end', statesOf(scene, readAccount()), wanted);
  check('what nobody declared', undeclaredPart(scene, readAccount()), undeclaredPart(scene, before));
  return { exit, states, violations };
}

/** Whether this fault lets a request run into its timeout. */
export function hasTimeout({ fault }: Cell): boolean {
  return /timeout|stalled/.test(fault.name);
}

/**
 * Short timeouts. The result of a cell must not depend on the load of this machine: a request that is to succeed in the end has much time,
 * one that never does has little. Creates and deletes count their waits, not the time.
 */
function targetOf(cell: Cell): string {
  const { fault, use, attempt } = cell;
  const timeout = hasTimeout(cell) ? rounds(5, 10) : atMost(20_000) / 1000;
  const isFinal = use.purpose === 'create' || use.purpose === 'delete' || (attempt === 'every' && fault.nature !== 'doubted');
  const giveUp = !isFinal ? 30 : fault.name.includes('Retry-After') ? 4 : 2;
  const timing = `timeout_seconds: ${timeout}, give_up_seconds: ${giveUp}`;
  const settle = (fault.lag?.budgetMs ?? 0) / 1000;
  return `service: { settle_seconds: ${settle} }
http: { concurrency: 1, requests_per_second: 0, ${timing}, max_body_mib: 1 }
weakening: allow
ownership: ${use.scene.ownership ?? 'shared'}`;
}

/** A stack trace on a user's screen is a bug. */
function stackTraces({ argv, stdout, stderr }: Command): readonly string[] {
  return /^\s+at .*:\d+:\d+/m.test(stdout + stderr) ? [`a stack trace of ${argv.join(' ')}`] : [];
}
