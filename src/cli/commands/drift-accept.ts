import { realpathSync } from 'node:fs';
import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { loadState, openLedgerOf } from '../../app/load-state.ts';
import type { TargetOptions } from '../../app/options.ts';
import { listed, warn } from '../../app/output.ts';
import { planTarget, reportReadErrors, withApiClient } from '../../app/plan-target.ts';
import { prepareTarget } from '../../app/prepare-target.ts';
import { type OpenProject, oneTarget } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { DesiredState } from '../../config/desired-state.ts';
import { suggest } from '../../config/did-you-mean.ts';
import type { Target } from '../../config/project.ts';
import { acceptDrift } from '../../drift/accept/accept.ts';
import { type DriftPart, driftPart } from '../../drift/accept/select-drift.ts';
import type { FileEdit } from '../../drift/accept/verify-edits.ts';
import { driftReport } from '../../drift/drift-report.ts';
import { kinds } from '../../kinds/index.ts';
import type { Acceptance } from '../../model/acceptance.ts';
import type { Effect } from '../../model/change.ts';
import { matchesGlob } from '../../model/glob.ts';
import type { PlanResult } from '../../plan/build-plan.ts';
import { diffText, unifiedDiff } from '../../report/text/text-diff.ts';
import { NO_OVERRIDES } from '../../safety/checks.ts';
import { writeSourceFiles } from '../write-source-files.ts';

/** Flags of `drift accept`. */
export interface AcceptOptions extends TargetOptions {
  readonly dryRun?: true | undefined;
  readonly shared?: true | undefined;
  readonly allow?: 'loosening' | undefined;
}

/**
 * Runs `drift accept ADDRESS..`: writes live values that were edited by hand into the YAML that declares them. Never writes to the
 * account.
 */
export function driftAccept(commandIo: CliContext, addresses: readonly string[], options: AcceptOptions): Promise<ExitCode> {
  return forEachTarget(
    commandIo,
    options,
    {
      prepare: async (run) => {
        const ready = await prepareTarget(run, undefined);
        refuseUndeclared(addresses, ready.configuration.desiredState);
        return ready;
      },
      async work({ session, target, io, reports }, { configuration, credentials }) {
        const before = await loadState(session, target, io, await openLedgerOf(session, target, io), undefined);
        return withApiClient(target, credentials, io, options, async (account) => {
          const planning = { configuration, remembered: before, allowed: NO_OVERRIDES, checks: false };
          const { reconciled: planResult } = await planTarget(session, target, account, io, { only: addresses }, planning);
          const incomplete = reportReadErrors(io, planResult.errors);
          if (incomplete.length > 0) return incomplete;
          const acceptance = await acceptChanges(io, session, target, planResult, options);
          if (options.dryRun && options.format === 'text') io.stdout.write(diffText(acceptance.files.map(({ diff }) => diff)));
          else reports.add({ type: 'acceptance', acceptance });
          return [];
        });
      },
    },
    (session) => [oneTarget(session, options.target, 'drift is accepted from one account at a time')],
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
  io: CliContext,
  session: OpenProject,
  target: Target,
  reconciled: Pick<PlanResult, 'plan' | 'steps'>,
  { dryRun, shared, allow }: Pick<AcceptOptions, 'dryRun' | 'shared' | 'allow'>,
): Promise<Acceptance> {
  const effects = new Map(driftReport(reconciled).changes.map(({ address, effect }) => [address, effect]));
  const wanted = reconciled.steps.map((step) => {
    const { address } = step.change;
    return { address, effect: effects.get(address) ?? ('neutral' as const), ...acceptablePart(driftPart(step)) };
  });
  const requests = wanted.flatMap((each) => each.request ?? []);
  if (target.loosening === 'block' && allow !== 'loosening') refuseLoosening(wanted.filter((each) => each.request));
  const pending = wanted.filter((each) => each.pending.length > 0).map(({ address, pending: fields }) => ({ address, fields }));
  const about = { schemaVersion: 1, target: target.name, pending } as const;
  if (requests.length === 0) return { ...about, written: false, accepted: [], shared: [], files: [] };
  const { tree, project, parsed } = session;
  const found = acceptDrift({ tree, project, target, kinds, parsed }, requests, io.now());
  if ('refusals' in found) {
    const summary = `nothing was written: ${listed(found.refusals.map((refusal) => refusal.summary))}`;
    throw new CliError(EXIT_CODES.invalid, 'not-acceptable', summary, 'see what is listed', found.refusals);
  }
  const { amendments, others } = found;
  if (others.length > 0 && !shared) throw sharedBy(others, amendments);
  refuseSecrets(io, amendments);
  if (others.length > 0) warn(io, `these targets declare the same values, and change too: ${others.join(', ')}`, '');
  if (!dryRun) await writeSourceFiles(realpathSync(session.folder), amendments);
  return {
    ...about,
    written: !dryRun,
    accepted: wanted.flatMap(({ address, effect, request: each, fields }) =>
      each ? [{ address, result: each.live ? ('updated' as const) : ('removed' as const), effect, fields }] : [],
    ),
    shared: others,
    files: amendments.map(({ file, lines, ...texts }) => ({
      file,
      lines,
      diff: unifiedDiff(file, textOf(texts.before), textOf(texts.after)),
    })),
  };
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

/** Refuses drift that loosens protection: once the repository declares it, no plan shows it any more. @throws CliError */
function refuseLoosening(wanted: readonly { readonly address: string; readonly effect: Effect }[]): void {
  const loosened = wanted.filter(({ effect }) => effect === 'loosens').map(({ address }) => address);
  if (loosened.length === 0) return;
  const summary = `nothing was written: the edits by hand loosen protection: ${listed(loosened)}`;
  const hint = 'revert them with an apply, or accept them with --allow loosening; after that only the reviewed commit shows them';
  throw new CliError(EXIT_CODES.blocked, 'blocked', summary, hint);
}

function sharedBy(others: readonly string[], amendments: readonly FileEdit[]): CliError {
  const places = amendments.map(({ file, lines }) => `${file}:${lines[0] ?? 1}`);
  const summary = `nothing was written: ${places.join(', ')} is read by other targets too, which would change: ${others.join(', ')}`;
  return new CliError(
    EXIT_CODES.invalid,
    'shared-source',
    summary,
    'write the value into a later source of this target alone, or accept it for all with --shared',
  );
}

/** Refuses edits that would write a credential into a source file. @throws CliError */
function refuseSecrets(io: CliContext, amendments: readonly FileEdit[]): void {
  const hasSecret = (bytes: Uint8Array) => io.secrets.hidden(textOf(bytes)) !== textOf(bytes);
  const leaking = amendments.filter(({ before, after }) => hasSecret(after) && !hasSecret(before)).map(({ file }) => file);
  if (leaking.length === 0) return;
  const summary = `nothing was written: a text of the account repeats its owner or its API key, which would be written to ${leaking.join(', ')}`;
  throw new CliError(EXIT_CODES.invalid, 'secret', summary, 'change the text in the account');
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
