/** Accepts drift: writes live values that were edited by hand into the YAML that declares them (design section 9). */

import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DesiredState } from '../core/config/desired-state.ts';
import { suggest } from '../core/config/did-you-mean.ts';
import { acceptDrift } from '../core/drift/accept/accept.ts';
import { type DriftPart, driftPart } from '../core/drift/accept/select-drift.ts';
import type { FileEdit } from '../core/drift/accept/verify-edits.ts';
import { driftReport } from '../core/drift/drift-report.ts';
import type { Effect } from '../core/model/change.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { matchesGlob } from '../core/model/glob.ts';
import type { PlanResult } from '../core/plan/build-plan.ts';
import type { Acceptance } from '../report/documents/acceptance.ts';
import { unifiedDiff } from '../report/text/text-diff.ts';
import type { TargetRun } from './account/target-run.ts';
import { type PreparedTarget, prepareTarget, withReadOnlyPlan } from './plan-target.ts';
import { CliError, codeOf, isSystemError } from './run/exit-codes.ts';
import { joinClauses, warn } from './run/messages.ts';
import type { TargetOptions } from './run/options.ts';
import type { AppContext } from './run/runtime.ts';
import { sourceModel } from './run/source-model.ts';

/** Options of `drift accept`. */
export interface AcceptOptions extends TargetOptions {
  /** Whether no file is written. */
  readonly dryRun?: true | undefined;
  /** Whether values that other targets declare, too, are accepted. */
  readonly shared?: true | undefined;
  readonly allow?: 'weakening' | undefined;
}

/** Loads configuration and credentials. `addresses` are globs. @throws CliError if one of them is not declared, GitError */
export async function prepareAccept(run: TargetRun, addresses: readonly string[]): Promise<PreparedTarget> {
  const prepared = await prepareTarget(run, undefined);
  refuseUndeclared(addresses, prepared.configuration.desiredState);
  return prepared;
}

/**
 * Accepts the drift of these addresses and passes the result to `report`. It never writes to the account. Returns the exit codes of
 * incomplete reads, after which nothing is accepted. @throws CliError if anything cannot be accepted or written; no file is changed then
 */
export function acceptTargetDrift(
  run: TargetRun,
  prepared: PreparedTarget,
  addresses: readonly string[],
  options: AcceptOptions,
  report: (acceptance: Acceptance) => void,
): Promise<readonly ExitCode[]> {
  return withReadOnlyPlan(
    run,
    prepared,
    options,
    { command: 'drift accept', only: addresses, reportsRiskyEditsOfIgnoredFields: true },
    async ({ result }, incomplete) => {
      if (incomplete.length > 0) return incomplete;
      report(await acceptChanges(run, result, options));
      return [];
    },
  );
}

/** Refuses addresses that are not declared. @throws CliError */
function refuseUndeclared(addresses: readonly string[], { resources }: DesiredState): void {
  const unknown = addresses.find((glob) => !resources.some(({ address }) => matchesGlob(glob, address)));
  if (unknown === undefined) return;
  const near = suggest(
    unknown,
    resources.map(({ address }) => address),
  );
  const hint = near === undefined ? '`upkeep export` writes undeclared objects as YAML' : `did you mean ${near}?`;
  throw new CliError(EXIT_CODES.invalid, 'not-declared', `${unknown} is not declared, so there is no file to edit`, hint);
}

/** Accepts the drift of the planned changes. @throws CliError if anything cannot be accepted or written; no file is changed then */
async function acceptChanges(
  { session, target, io }: TargetRun,
  result: Pick<PlanResult, 'plan' | 'changes' | 'followUpWarnings'>,
  { dryRun, shared, allow }: Pick<AcceptOptions, 'dryRun' | 'shared' | 'allow'>,
): Promise<Acceptance> {
  const effects = new Map(driftReport(result).changes.map(({ address, effect }) => [address, effect]));
  const parts = result.changes.map((executable) => {
    const { address } = executable.change;
    return { address, effect: effects.get(address) ?? ('neutral' as const), ...acceptablePart(driftPart(executable)) };
  });
  const requests = parts.flatMap((part) => part.request ?? []);
  if (target.weakening === 'block' && allow !== 'weakening') refuseWeakening(parts.filter((part) => part.request));
  const pending = parts.filter((part) => part.pending.length > 0).map(({ address, pending: fields }) => ({ address, fields }));
  const head = { schemaVersion: 1, target: target.name, pending } as const;
  if (requests.length === 0) return { ...head, written: false, accepted: [], shared: [], files: [] };
  const { files, project, parseCache } = session;
  const accepted = acceptDrift({ files, project, target, model: sourceModel, parseCache }, requests, io.now());
  if ('refusals' in accepted) {
    const summary = `nothing was written: ${joinClauses(accepted.refusals.map((refusal) => refusal.summary))}`;
    throw new CliError(EXIT_CODES.invalid, 'not-acceptable', summary, 'see what is listed', accepted.refusals);
  }
  const { edits, others: otherTargets } = accepted;
  if (otherTargets.length > 0 && !shared) throw sharedSourceError(otherTargets, edits);
  refuseSecrets(io, edits);
  if (otherTargets.length > 0) warn(io, `these targets declare the same values, and change too: ${otherTargets.join(', ')}`, '');
  if (!dryRun) await writeSourceFiles(realpathSync(session.folder), edits);
  return {
    ...head,
    written: !dryRun,
    accepted: parts.flatMap(({ address, effect, request, fields }) =>
      request ? [{ address, result: request.live ? ('updated' as const) : ('removed' as const), effect, fields }] : [],
    ),
    shared: otherTargets,
    files: edits.map((edit) => ({ file: edit.file, lines: edit.lines, diff: diffOf(edit) })),
  };
}

/** Returns the unified diff of an edit, for `git apply`. */
export function diffOf({ file, before, after }: FileEdit): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return unifiedDiff(file, decoder.decode(before), decoder.decode(after));
}

/** Returns the drift of a change. @throws CliError if it cannot be accepted */
function acceptablePart(part: DriftPart): Exclude<DriftPart, { readonly reason: string }> {
  if (!('reason' in part)) return part;
  const { reason, hint, isBlocked } = part;
  throw new CliError(
    isBlocked ? EXIT_CODES.blocked : EXIT_CODES.invalid,
    isBlocked ? 'blocked' : 'not-acceptable',
    `nothing was written: ${reason}`,
    hint,
  );
}

/** Refuses drift that weakens protection: once the repository declares it, no plan shows it any more. @throws CliError */
function refuseWeakening(parts: readonly { readonly address: string; readonly effect: Effect }[]): void {
  const weakening = parts.filter(({ effect }) => effect === 'weakens').map(({ address }) => address);
  if (weakening.length === 0) return;
  const summary = `nothing was written: the edits by hand weaken protection: ${joinClauses(weakening)}`;
  const hint = 'revert them with an apply, or accept them with --allow weakening; after that only the reviewed commit shows them';
  throw new CliError(EXIT_CODES.blocked, 'blocked', summary, hint);
}

function sharedSourceError(otherTargets: readonly string[], edits: readonly FileEdit[]): CliError {
  const places = edits.map(({ file, lines }) => `${file}:${lines[0] ?? 1}`);
  const summary = `nothing was written: ${places.join(', ')} is read by other targets too, which would change: ${otherTargets.join(', ')}`;
  return new CliError(
    EXIT_CODES.invalid,
    'shared-source',
    summary,
    'write the value into a later source of this target alone, or accept it for all with --shared',
  );
}

/** Refuses edits that would write a credential into a source file. @throws CliError */
function refuseSecrets({ secrets }: AppContext, edits: readonly FileEdit[]): void {
  const hasSecret = (bytes: Uint8Array) => secrets.redact(textOf(bytes)) !== textOf(bytes);
  const leaking = edits.filter(({ before, after }) => hasSecret(after) && !hasSecret(before)).map(({ file }) => file);
  if (leaking.length === 0) return;
  const summary = `nothing was written: a text of the account repeats its owner or its API key, which would be written to ${leaking.join(', ')}`;
  throw new CliError(EXIT_CODES.invalid, 'secret', summary, 'change the text in the account');
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/**
 * Writes the edits below `folder`, the path of upkeep.yaml's folder without links: all or none, each atomically. @throws CliError if a file
 * has changed since it was read, or cannot be written
 */
export async function writeSourceFiles(folder: string, edits: readonly FileEdit[]): Promise<void> {
  const drafts: { readonly draft: string; readonly path: string }[] = [];
  try {
    for (const { file, before, after } of edits) {
      const path = join(folder, file);
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`);
      drafts.push({ draft, path });
      const mode = checkedMode(path, file, before);
      await writeFile(draft, after, { flag: 'wx', mode });
      // The umask may have taken permissions away.
      await chmod(draft, mode);
    }
    for (const { file, before } of edits) checkedMode(join(folder, file), file, before);
    for (const { draft, path } of drafts) await rename(draft, path);
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true });
    if (!isSystemError(error)) throw error;
    throw new CliError(
      EXIT_CODES.error,
      'output',
      `the sources cannot be written (${codeOf(error)})`,
      'check permissions and disk; compare with git diff',
    );
  }
}

/** Returns the permissions of a file. @throws CliError if its content is no longer `before` */
function checkedMode(path: string, file: string, before: Uint8Array): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && readFileSync(path).equals(before)) return stat.mode & 0o777;
  throw new CliError(
    EXIT_CODES.stale,
    'source-moved',
    `${file} has changed since it was read, and nothing was written`,
    'run the command again',
  );
}
