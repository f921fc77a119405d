/**
 * The library: what `import ... from 'upkeep'` gives. Each function runs the use case of the command of its name and returns the documents
 * that the command prints as JSON. It prints nothing, ends no process, and handles no signal.
 *
 * The import fails in a Node that is too old, see `app/run/node-version.ts`. So this file imports nothing else that an old Node cannot read:
 * the first call of a function loads it.
 */
import '../app/run/node-version.ts';
import type { AccountExportReport } from '../core/model/account-export.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type { Validation } from '../core/model/plan.ts';
import type { Diagnosis } from '../report/documents/diagnosis.ts';
import type { History } from '../report/documents/history.ts';
import type { PlanDocument } from '../report/view/verdict.ts';
import type { Called } from './run.ts';
import type {
  AccountOptions,
  ApplyOptions,
  DriftOptions,
  ExportedFile,
  ExportOptions,
  PlanOptions,
  ProjectOptions,
  Result,
  ValidateOptions,
} from './types.ts';

export type { AccountExportReport } from '../core/model/account-export.ts';
export type { Change } from '../core/model/change.ts';
export type { Decision, Hold, NextStep, Status } from '../core/model/decision.ts';
export type { Fetch, FetchAnswer, FetchInit } from '../core/model/fetch.ts';
export type { Finding } from '../core/model/finding.ts';
export type { Lift } from '../core/model/lift.ts';
export type { ChangeOutcome, Outcome } from '../core/model/outcome.ts';
export type { ErrorReport, Validation } from '../core/model/plan.ts';
export type { Check, Diagnosis } from '../report/documents/diagnosis.ts';
export type { History, HistoryEntry } from '../report/documents/history.ts';
export type { PlanDocument } from '../report/view/verdict.ts';
export type { DrmPolicy, Playlist, ProjectFile, SmartStart, SourceFile, Target } from './configuration.ts';
export type * from './types.ts';
export { UpkeepError } from './upkeep-error.ts';

/** Checks the configuration of the targets, all by default; needs no network. `exit` is `done` or `invalid`. @throws UpkeepError */
export async function validate(options: ValidateOptions = {}): Promise<Result<Validation>> {
  const called = calledWith(options);
  return (await functions()).validate(called);
}

/**
 * Plans the targets: what an apply would do. It writes nothing. `exit` is `done`, `changes`, `blocked`, or why the plan is incomplete.
 * @throws UpkeepError
 */
export async function plan(options: PlanOptions = {}): Promise<Result<PlanDocument>> {
  const called = calledWith(options);
  return (await functions()).plan(called);
}

/**
 * Plans, writes, verifies and records the targets. Where changes fail or the run is interrupted, `exit` says so, and the outcome what was
 * done. @throws UpkeepError where nothing was written to a target
 */
export async function apply(options: ApplyOptions): Promise<Result<Outcome>> {
  const called = calledWith(options);
  return (await functions()).apply(called);
}

/**
 * Reports the live changes of the targets since the commit last applied. `exit` is `done`, `drift`, or why the report is incomplete.
 * @throws UpkeepError
 */
export async function drift(options: DriftOptions = {}): Promise<Result<PlanDocument>> {
  const called = calledWith(options);
  return (await functions()).drift(called);
}

/** Reads the account of one target and returns it as source files; it writes none. @throws UpkeepError */
export async function exportAccount(
  options: ExportOptions = {},
): Promise<Result<AccountExportReport> & { readonly files: readonly ExportedFile[] }> {
  const called = calledWith(options);
  return (await functions()).exportAccount(called);
}

/** Lists the applies of the targets, newest first, from their ledgers; sends no request to a service. @throws UpkeepError */
export async function history(options: ProjectOptions = {}): Promise<Result<History>> {
  const called = calledWith(options);
  return (await functions()).history(called);
}

/**
 * Checks whether the targets, all by default, could be planned and applied; it writes nothing. `exit` is `done`, or that of a check that
 * failed. @throws UpkeepError
 */
export async function doctor(options: AccountOptions = {}): Promise<Result<Diagnosis>> {
  const called = calledWith(options);
  return (await functions()).doctor(called);
}

const functions = () => import('./functions.ts');

/** Returns the options with what the process has now: what it changes while the functions are loaded counts for the next call. */
function calledWith<Options extends AccountOptions>(options: Options): Called<Options> {
  // biome-ignore lint/style/noProcessEnv: the library has no entry that passes it in, as the command line has.
  return { ...options, cwd: process.cwd(), env: { ...process.env, ...options.env } };
}
