/** Lists the targets of upkeep.yaml: where each stands, what it waits for, and until when. */
import { limitConcurrency } from '../core/api-client/concurrency.ts';
import type { Target } from '../core/config/project.ts';
import { windowText } from '../core/decide/windows.ts';
import { GitError, LedgerError } from '../core/ledger/errors.ts';
import { type Standing, standingAfter } from '../core/ledger/standing.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { TargetEntry } from '../report/document.ts';
import { conditionsAtTip } from './facts/conditions-at-tip.ts';
import { openLedgerOf } from './history/load-state.ts';
import { CliError } from './run/exit-codes.ts';
import { warn } from './run/messages.ts';
import type { OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';

/** Returns a target as upkeep.yaml has it. */
export function declaredTarget({ name, baseUrl, ownership, ledger }: Target): TargetEntry {
  return { name, baseUrl, ownership, ledger };
}

/** How many targets are looked at at a time: each asks the remote. */
const CONCURRENCY = 8;

/** Where a target stands: the commit last applied, since when it is, and whether in part. */
type Stand = Pick<TargetEntry, 'commit' | 'since' | 'inPart'>;

/** Targets with the commits at which they stand, and the exit codes of what was found of them. */
interface StandingTargets {
  readonly targets: readonly TargetEntry[];
  readonly exits: readonly ExitCode[];
}

/** Returns the targets with the commits at which they stand, in their order. */
export async function standingTargets(session: OpenProject, named: readonly Target[], io: AppContext): Promise<StandingTargets> {
  const limit = limitConcurrency(CONCURRENCY);
  const exits: ExitCode[] = [];
  const warnOf =
    (target: Target) =>
    (error: unknown): Stand => {
      exits.push(...warnUnreadable(target, io, error));
      return {};
    };
  const targets = await Promise.all(named.map((target) => limit(() => standingTarget(session, target, io, warnOf(target)))));
  return { targets, exits };
}

/** Returns a target with the commit at which it stands, and with what the tip of its branch would wait for. */
async function standingTarget(
  session: OpenProject,
  target: Target,
  io: AppContext,
  onUnreadable: (error: unknown) => Stand,
): Promise<TargetEntry> {
  const stands = await commitOf(session, target, io).catch(onUnreadable);
  return { ...declaredTarget(target), ...stands, ...(await decisionOf(session, target, io)) };
}

/** Returns the commit last applied, and since when it is; nothing without a ledger. */
async function commitOf(session: OpenProject, target: Target, io: AppContext): Promise<Stand> {
  const openLedger = await openLedgerOf(session, target, io);
  if (openLedger === null) return {};
  let newest: Standing | null = null;
  let since: string | null = null;
  for await (const { entry } of openLedger.ledger.history()) {
    newest ??= standingAfter(entry);
    if (standingAfter(entry).commit !== newest.commit) break;
    since = new Date(entry.at).toISOString();
  }
  if (newest === null) return { since };
  return { commit: newest.commit, since, ...(newest.inPart.length === 0 ? {} : { inPart: newest.inPart }) };
}

async function decisionOf(session: OpenProject, target: Target, io: AppContext): Promise<Pick<TargetEntry, 'decision' | 'windows'>> {
  const conditions = await conditionsAtTip(session, target, io);
  if (conditions === null) return {};
  const { decision, windows } = conditions;
  return { decision, ...(windows === null ? {} : { windows: windowText(windows, io.now()) }) };
}

/**
 * Warns of a ledger that cannot be read, unless there is no repository. Returns the exit codes: the list goes on, but for an entry of a newer
 * version upkeep is to be updated.
 */
function warnUnreadable({ name }: Target, io: AppContext, error: unknown): readonly ExitCode[] {
  if (!(error instanceof GitError || error instanceof LedgerError || error instanceof CliError)) throw error;
  const isMissing = error instanceof GitError && ['no-git', 'no-repository', 'no-remote'].includes(error.code);
  if (!isMissing) warn(io, `the ledger of ${name} cannot be read: ${error.message}`, error.hint);
  return error instanceof LedgerError && error.isNewer ? [EXIT_CODES.invalid] : [];
}
