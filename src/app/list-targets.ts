/** Lists the targets of upkeep.yaml: where each stands, what it waits for, and until when. */
import { limitConcurrency } from '../core/api-client/concurrency.ts';
import type { Target } from '../core/config/project.ts';
import { GitError, LedgerError } from '../core/ledger/errors.ts';
import type { TargetEntry } from '../report/document.ts';
import { openLedgerOf } from './history/load-state.ts';
import { CliError } from './run/exit-codes.ts';
import { warn } from './run/messages.ts';
import type { OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { hasWindows } from './waits/branch-rules.ts';
import { conditionsAtTip, waitsWhileUnreadable } from './waits/conditions.ts';
import { waitsForWindows, windowText } from './waits/windows.ts';

/** Returns a target as upkeep.yaml has it. */
export function declaredTarget({ name, baseUrl, ownership, ledger }: Target): TargetEntry {
  return { name, baseUrl, ownership, ledger };
}

/** How many targets are looked at at a time: each asks the remote. */
const CONCURRENCY = 8;

/** Returns the targets with the commits at which they stand, in their order. */
export function standingTargets(session: OpenProject, targets: readonly Target[], io: AppContext): Promise<readonly TargetEntry[]> {
  const limit = limitConcurrency(CONCURRENCY);
  return Promise.all(targets.map((target) => limit(() => standingTarget(session, target, io))));
}

/** Returns a target with the commit at which it stands, and with what the tip of its branch would wait for. What cannot be read is a warning. */
async function standingTarget(session: OpenProject, target: Target, io: AppContext): Promise<TargetEntry> {
  const stands = await unlessUnreadable(target, io, () => commitOf(session, target, io));
  return { ...declaredTarget(target), ...stands, ...(await waitsOf(session, target, io)) };
}

/** Returns the commit last applied, and since when it is; nothing without a ledger. */
async function commitOf(session: OpenProject, target: Target, io: AppContext): Promise<Pick<TargetEntry, 'commit' | 'since'>> {
  const openLedger = await openLedgerOf(session, target, io);
  if (openLedger === null) return {};
  let stands: { readonly commit: string | null; readonly at: number } | null = null;
  for await (const { entry } of openLedger.ledger.history()) {
    const { commit } = entry.config;
    if (stands !== null && stands.commit !== commit) break;
    stands = { commit, at: Date.parse(entry.at) };
  }
  return stands === null ? { since: null } : { commit: stands.commit, since: new Date(stands.at).toISOString() };
}

async function waitsOf(session: OpenProject, target: Target, io: AppContext): Promise<Pick<TargetEntry, 'waits' | 'windows'>> {
  const conditions = await conditionsAtTip(session, target, io);
  if (conditions === null) return {};
  if ('unreadable' in conditions) return { waits: waitsWhileUnreadable(conditions) };
  const { rules, stages } = conditions;
  const waits = [...stages, ...waitsForWindows(rules, null, io.now())];
  return {
    ...(waits.length === 0 ? {} : { waits }),
    ...(hasWindows(rules) ? { windows: windowText(rules, io.now()) } : {}),
  };
}

/** Returns what git tells; null where there is no repository, and where it cannot be read, which is a warning. */
async function unlessUnreadable<Result>({ name }: Target, io: AppContext, read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GitError || error instanceof LedgerError || error instanceof CliError)) throw error;
    const isMissing = error instanceof GitError && ['no-git', 'no-repository', 'no-remote'].includes(error.code);
    if (!isMissing) warn(io, `the ledger of ${name} cannot be read: ${error.message}`, error.hint);
    return null;
  }
}
