/**
 * Decides whether the targets before another one have carried a configuration (`after`, `soak`). What an earlier target reads is compared: its
 * configuration at the commit to be applied must equal that of one of its applies, by the digest in the ledger.
 */
import { declarationDigest } from '../../core/config/declaration-digest.ts';
import type { DesiredState } from '../../core/config/desired-state.ts';
import { lazy } from '../../core/config/lazy.ts';
import type { Target } from '../../core/config/project.ts';
import { targetsBefore } from '../../core/config/stages.ts';
import type { DesiredResource } from '../../core/kinds/kind.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import { firstOf } from '../../core/model/collections.ts';
import { withPlaceholders } from '../../core/model/ignored-fields.ts';
import { formatSecond } from '../../core/model/instant.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Wait } from '../../core/model/wait.ts';
import { requireOwnLedger } from '../history/ledger-project.ts';
import { type ConfigurationAtCommit, configurationLoader, requireLedger } from '../history/load-state.ts';
import { newestCommit } from '../history/rollback.ts';
import { CliError } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import type { WaitRules } from './branch-rules.ts';
import { type CarriedApplies, type CarriedApply, carriedApplies } from './carried.ts';
import { type ChangedBack, changedBack, type Declared } from './changed-back.ts';

/** Maximum number of resources that a reason names. */
const MAX_NAMED = 3;

/** A configuration that may be applied to a target. */
export interface Candidate {
  /** Null where it is none, as with edits that are not committed. */
  readonly commit: string | null;
  /** Returns what an earlier target would declare. @throws GitError */
  stateOf(before: Target): Promise<ConfigurationAtCommit>;
}

/** The stages of a target. */
export interface Stages {
  /** Returns what is missing before a configuration may be applied. A ledger or a commit that cannot be read is missing, too. */
  waitsOf(candidate: Candidate, now: number): Promise<readonly Wait[]>;
  /** Returns the configuration at a commit as a candidate. */
  at(commit: string): Candidate;
  /** The commit last applied to the target; null before the first one. @throws GitError, LedgerError, CliError */
  lastCommit(): Promise<string | null>;
  /** The newest entry of the target; null before the first one. @throws GitError, LedgerError, CliError */
  lastEntry(): Promise<LedgerEntry | null>;
}

/** A target before another one. */
interface Before {
  readonly target: Target;
  /** @throws GitError, LedgerError, CliError for the ledger of another project */
  applies(): Promise<CarriedApplies>;
  /** Loads its configuration at a commit, once in a run. @throws GitError */
  stateAt(commit: string): Promise<ConfigurationAtCommit>;
}

/** Opens the stages of a target, without reading anything. */
export function openStages(session: OpenProject, { project, target }: WaitRules, io: AppContext): Stages {
  const own = lazy(() => appliesOf(session, target, io));
  const before = targetsBefore(project.targets, target).map(
    (each): Before => ({
      target: each,
      applies: lazy(() => appliesOf(session, each, io)),
      stateAt: configurationLoader(session, each, io, {}),
    }),
  );
  const lastEntry = async () => (await own()).newest();
  return {
    async waitsOf(candidate, now) {
      const waits: Wait[] = [];
      for (const each of before) {
        const missing = await missingOf(each, candidate, lastEntry, target.soakMs, now).catch(unknownReason);
        if (missing !== null) waits.push({ condition: 'promotion', target: each.target.name, ...missing });
      }
      return waits;
    },
    at: (commit) => ({
      commit,
      stateOf: async ({ name }) => {
        const found = before.find((each) => each.target.name === name);
        return found === undefined ? { unusable: `there is no stage ${name}` } : found.stateAt(commit);
      },
    }),
    async lastCommit() {
      const entry = await lastEntry();
      if (entry === null || entry.config.commit !== null) return entry?.config.commit ?? null;
      return newestCommit(await requireLedger(session, target, io));
    },
    lastEntry,
  };
}

/** Opens the applies of a target. @throws GitError, LedgerError, CliError */
async function appliesOf(session: OpenProject, target: Target, io: AppContext): Promise<CarriedApplies> {
  const openLedger = await requireLedger(session, target, io);
  const applies = carriedApplies(openLedger.ledger);
  const newest = await applies.newest();
  if (newest !== null) await requireOwnLedger(session, target, openLedger, newest);
  return applies;
}

/** What is missing, as a part of a `Wait`. */
type Missing = Pick<Wait, 'reason' | 'until'>;

function unknownReason(error: unknown): Missing {
  if (!(error instanceof GitError || error instanceof LedgerError || error instanceof CliError)) throw error;
  return { reason: `cannot be looked at, which counts as not carried: ${error.message}`, until: null };
}

/** Returns what a target before is missing of a configuration; null where it has carried it. */
async function missingOf(
  { target, applies: open, stateAt }: Before,
  candidate: Candidate,
  lastEntry: () => Promise<LedgerEntry | null>,
  soakMs: number,
  now: number,
): Promise<Missing | null> {
  const applies = await open();
  const state = await candidate.stateOf(target);
  if ('unusable' in state) {
    const why = state.isMissing ? 'the commit has no such target' : `its configuration there cannot be used: ${state.unusable}`;
    return { reason: `cannot have carried this configuration: ${why}`, until: null };
  }
  const digest = declarationDigest(state.desiredState);
  const carried = await findCarried(applies, (apply) => apply.declared === digest || isAt(apply, candidate), soakMs, now);
  if (carried !== 'carried') return carried;
  const newest = await applies.newest();
  if (newest?.interrupted !== undefined) return cannotTell('its last apply was interrupted');
  if (newest === null || (newest.config.declared === digest && Object.keys(newest.pendingSince).length === 0)) return null;
  return takenBack(newest, await lastEntry(), state.desiredState, stateAt);
}

function isAt({ commit }: CarriedApply, candidate: Candidate): boolean {
  return commit !== null && commit === candidate.commit;
}

/** Looks for a whole apply that is old enough. Otherwise returns what is missing. */
async function findCarried(
  applies: CarriedApplies,
  isSame: (apply: CarriedApply) => boolean,
  soakMs: number,
  now: number,
): Promise<Missing | 'carried'> {
  let earliest: number | null = null;
  let hasPart = false;
  for await (const apply of applies.all()) {
    if (!isSame(apply)) continue;
    if (!apply.isWhole) hasPart = true;
    else if (apply.at + soakMs <= now) return 'carried';
    else earliest = apply.at;
  }
  if (earliest !== null) {
    // The end of that second: a run at the time that people read waits no longer.
    const until = new Date(Math.ceil((earliest + soakMs) / SECOND_MS) * SECOND_MS).toISOString();
    return { reason: `carries this configuration since ${formatSecond(earliest)}, and has to for ${durationText(soakMs)}`, until };
  }
  const part = 'has applied this configuration only in part, or did not read it back';
  return { reason: hasPart ? part : 'has not carried this configuration yet', until: null };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Formats a duration of whole minutes. */
function durationText(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes % HOUR_MINUTES === 0 ? `${minutes / HOUR_MINUTES}h` : `${minutes}m`;
}

/** Returns what an earlier target has taken back since the later one got its configuration; null for nothing. */
async function takenBack(
  newest: LedgerEntry,
  last: LedgerEntry | null,
  next: DesiredState,
  stateAt: Before['stateAt'],
): Promise<Missing | null> {
  const now = await standing(newest, stateAt);
  if ('unknown' in now) return cannotTell(now.unknown);
  const before = last === null ? { declared: new Map() } : await standing(last, stateAt);
  if ('unknown' in before) return cannotTell(before.unknown);
  const back = changedBack({ last: before.declared, now: now.declared, next: declaredIn(next) });
  return back.length === 0 ? null : { reason: `has changed back ${named(back)}`, until: null };
}

function cannotTell(why: string): Missing {
  return { reason: `may have changed something back, which nobody can tell: ${why}`, until: null };
}

function named(back: readonly ChangedBack[]): string {
  const texts = firstOf(
    back.map(({ address, fields }) => (fields.length === 0 ? address : `${address} (${firstOf(fields, MAX_NAMED).join(', ')})`)),
    MAX_NAMED,
  );
  return texts.join(', ');
}

/**
 * Returns what an earlier target declares at the commits at which the addresses of a ledger entry stand, or why nobody knows. A commit that
 * does not have the target declares nothing.
 */
async function standing(
  { config, pendingSince, bindings }: LedgerEntry,
  stateAt: Before['stateAt'],
): Promise<{ readonly declared: Declared } | { readonly unknown: string }> {
  if (config.commit === null) return { unknown: 'the last apply was made from a work tree that was not committed' };
  const declared = new Map<string, Declared>();
  for (const commit of new Set([config.commit, ...Object.values(pendingSince)])) {
    if (commit === null) continue;
    const state = await stateAt(commit);
    if ('unusable' in state && !state.isMissing) return { unknown: `its configuration at ${commit.slice(0, 12)}: ${state.unusable}` };
    declared.set(commit, 'unusable' in state ? new Map() : declaredIn(state.desiredState));
  }
  const standingAt = new Map(declared.get(config.commit));
  for (const [address, commit] of Object.entries(pendingSince)) {
    if (commit === null && Object.hasOwn(bindings, address)) return { unknown: `${address} was applied from what was not committed` };
    const fields = commit === null ? undefined : declared.get(commit)?.get(address);
    if (fields === undefined) standingAt.delete(address);
    else standingAt.set(address, fields);
  }
  return { declared: standingAt };
}

function declaredIn({ resources, presentKeys }: DesiredState): Declared {
  // That a section is there is a value, too: where upkeep owns all objects, it deletes those of a section that is empty.
  const sections = [...presentKeys].map((key) => [key, {}] as const);
  return new Map([
    ...sections,
    ...resources.map((resource) => [resource.address, valuesOf(resource.beforeResolving ?? resource)] as const),
  ]);
}

/** Returns the fields of a resource. That a field is left to others is a value, too. */
function valuesOf({ fields, ignored = [] }: Pick<DesiredResource, 'fields' | 'ignored'>): JsonObject {
  return withPlaceholders(fields, ignored);
}
