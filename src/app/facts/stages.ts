/**
 * Looks whether a configuration may go on to a target: the targets before it must have carried it (`after`, `soak`), and the target itself
 * must not have taken it back. decide-stage.ts decides; this file reads ledgers and commits as far as that needs them.
 */
import { declarationDigest } from '../../core/config/declaration-digest.ts';
import { lazy } from '../../core/config/lazy.ts';
import type { Target } from '../../core/config/project.ts';
import { targetsBefore } from '../../core/config/stages.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { GitError, LedgerError } from '../../core/ledger/errors.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { newestCommit } from '../../core/ledger/standing.ts';
import type { Hold } from '../../core/model/decision.ts';
import { remoteOf } from '../history/desired-state.ts';
import { requireOwnLedger } from '../history/ledger-project.ts';
import { type ConfigurationAtCommit, configurationLoader, requireLedger } from '../history/load-state.ts';
import { CliError } from '../run/exit-codes.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import type { WaitRules } from './branch-rules.ts';
import {
  type Contained,
  commitsOf,
  type StageHold as DecidedHold,
  type Decision,
  type Declared,
  decideStage,
  decideTakenBack,
  MAX_OWN_ENTRIES,
  type Need,
  NOTHING_DECLARED,
  type StageHistory,
  standsWhollyAt,
} from './decide-stage.ts';
import { declaredIn, openTargetHistory, standsAfter, type TargetHistory } from './target-history.ts';

/** A configuration that may be applied to a target. */
export interface Candidate {
  /** Null where it is none, as with edits that are not committed. */
  readonly commit: string | null;
  /** Whether it is that of an earlier, whole apply to the target (`--ref ENTRY`), so that it waits for no stage. */
  readonly isWholeEntry: boolean;
  /** Returns what an earlier target would declare, or the target itself. @throws GitError */
  stateOf(target: Target): Promise<ConfigurationAtCommit>;
}

/** What the stages of a target hold back: a hold without what its rule says of each. */
export type StageHold = Omit<Hold, 'rule' | 'on'>;

/** The stages of a target. */
export interface Stages {
  /** Returns what holds a configuration back. A ledger or a commit that cannot be read does, too. */
  holdsOf(candidate: Candidate, now: number): Promise<readonly StageHold[]>;
  /** Decides whether nothing is missing, and looks no further than the first that is. */
  isFree(candidate: Candidate, now: number): Promise<boolean>;
  /** Returns the configuration at a commit as a candidate. */
  at(commit: string): Candidate;
  /** The commit last applied to the target; null before the first one. @throws GitError, LedgerError, CliError */
  lastCommit(): Promise<string | null>;
  /** The newest entry of the target; null before the first one. @throws GitError, LedgerError, CliError */
  lastEntry(): Promise<LedgerEntry | null>;
}

/** A target whose ledger and configurations are read. */
interface ReadTarget {
  readonly target: Target;
  /** @throws GitError, LedgerError, CliError for the ledger of another project */
  history(): Promise<TargetHistory>;
  /** Loads its configuration at a commit, once in a run. @throws GitError */
  stateAt(commit: string): Promise<ConfigurationAtCommit>;
}

/** Opens the stages of a target, without reading anything. */
export function openStages(session: OpenProject, { project, target }: WaitRules, io: AppContext): Stages {
  const read = (each: Target): ReadTarget => {
    const stateAt = configurationLoader(session, each, io, {});
    return { target: each, history: lazy(() => openHistoryOf(session, each, io, stateAt)), stateAt };
  };
  const own = read(target);
  const before = targetsBefore(project.targets, target).map(read);
  const containment = openContainment(session, target, io);
  const lastEntry = async () => (await own.history()).newest();
  const isThere = async ({ commit }: Candidate): Promise<boolean> => {
    try {
      await lastEntry();
      return standsWhollyAt(commit, (await own.history()).known());
    } catch (error) {
      // The look at the target itself says it.
      unknownHold(error);
      return false;
    }
  };
  async function* holdsOf(candidate: Candidate, now: number): AsyncGenerator<StageHold, void, undefined> {
    if (before.length === 0) return;
    containment.add(candidate.commit);
    const run = { candidate, own, containment, soakMs: target.soakMs, now };
    if (await isThere(candidate)) return;
    const asked = [
      ...(candidate.isWholeEntry ? [] : before).map((each) => ({ each, look: holdOfStage })),
      { each: own, look: holdOfTarget },
    ];
    for (const { each, look } of asked) {
      const hold = await look(each, run).then((found) => found && waiting(found), unknownHold);
      if (hold !== null)
        yield { target: each.target.name, lift: { course: 'run it again when that has changed', allow: 'promotion' }, ...hold };
    }
  }
  return {
    async holdsOf(candidate, now) {
      const holds: StageHold[] = [];
      for await (const hold of holdsOf(candidate, now)) holds.push(hold);
      return holds;
    },
    async isFree(candidate, now) {
      for await (const _ of holdsOf(candidate, now)) return false;
      return true;
    },
    at(commit) {
      containment.add(commit);
      return {
        commit,
        isWholeEntry: false,
        stateOf: async ({ name }) => {
          const found = [own, ...before].find((each) => each.target.name === name);
          return found === undefined ? { unusable: `there is no stage ${name}` } : found.stateAt(commit);
        },
      };
    },
    async lastCommit() {
      const entry = await lastEntry();
      if (entry === null || entry.config.commit !== null) return entry?.config.commit ?? null;
      return newestCommit((await requireLedger(session, target, io)).ledger);
    },
    lastEntry,
  };
}

/** What each look at a target has in common. */
interface Look {
  readonly candidate: Candidate;
  /** The target to which the candidate would be applied. */
  readonly own: ReadTarget;
  readonly containment: Containment;
  readonly soakMs: number;
  readonly now: number;
}

/** Looks whether an earlier target has carried a configuration. @throws GitError, LedgerError, CliError */
async function holdOfStage(stage: ReadTarget, { candidate, own, containment, soakMs, now }: Look): Promise<DecidedHold | null> {
  const history = await stage.history();
  const state = await candidate.stateOf(stage.target);
  if ('unusable' in state) return unusableHold(state);
  const last = await (await own.history()).newestEnded();
  const later = last === null ? NOTHING : { ...(await standsAfter(last, stage.stateAt)), commit: last.config.commit };
  const facts = { next: declaredIn(state.desiredState), digest: declarationDigest(state.desiredState), commit: candidate.commit, later };
  return settle(history, containment, () =>
    decideStage({ ...facts, history: history.known(), contained: containment.known(), soakMs, now }),
  );
}

/** A target to which nothing was applied. */
const NOTHING = { declared: NOTHING_DECLARED, unknown: null, commit: null };

/** Looks whether a target has taken back what a configuration would bring. @throws GitError, LedgerError, CliError */
async function holdOfTarget({ target, history: open }: ReadTarget, { candidate, containment }: Look): Promise<DecidedHold | null> {
  const history = await open();
  let next: Declared | null = null;
  const loadNext = async (): Promise<DecidedHold | null> => {
    const state = await candidate.stateOf(target);
    if ('unusable' in state) return unusableHold(state);
    next = declaredIn(state.desiredState);
    return null;
  };
  const decide = () => decideTakenBack({ next, history: history.known(), contained: containment.known() });
  return settle(history, containment, decide, loadNext);
}

/** Decides, and reads what that needs until it is decided. */
async function settle(
  history: TargetHistory,
  containment: Containment,
  decide: () => Decision,
  loadNext: () => Promise<DecidedHold | null> = async () => null,
): Promise<DecidedHold | null> {
  for (;;) {
    const decision = decide();
    if ('hold' in decision) return decision.hold;
    const unusable = await read(decision.needs, history, containment, loadNext);
    if (unusable !== null) return unusable;
  }
}

async function read(
  needs: Need,
  history: TargetHistory,
  containment: Containment,
  loadNext: () => Promise<DecidedHold | null>,
): Promise<DecidedHold | null> {
  if ('next' in needs) return loadNext();
  if ('older' in needs) await history.readOlder();
  else if ('stands' in needs) await history.loadStands(needs.stands);
  else await containment.look(needs.containedIn, history.known());
  return null;
}

function unusableHold({ unusable, isMissing }: Extract<ConfigurationAtCommit, { readonly unusable: string }>): DecidedHold {
  const why = isMissing ? 'the commit has no such target' : `its configuration there cannot be used: ${unusable}`;
  return { reason: `cannot have carried this configuration: ${why}`, until: null };
}

/** @throws what is no error of a ledger or of git */
function unknownHold(error: unknown): Pick<StageHold, 'status' | 'reason'> {
  if (!(error instanceof GitError || error instanceof LedgerError || error instanceof CliError)) throw error;
  return { status: 'unknown', reason: `cannot be looked at, which counts as not carried: ${error.message}` };
}

function waiting({ reason, until }: DecidedHold): Pick<StageHold, 'status' | 'reason' | 'until'> {
  return { status: 'waits', reason, until };
}

/** Opens the entries of a target. @throws GitError, LedgerError, CliError */
async function openHistoryOf(session: OpenProject, target: Target, io: AppContext, stateAt: ReadTarget['stateAt']): Promise<TargetHistory> {
  const openLedger = await requireLedger(session, target, io);
  const history = openTargetHistory(openLedger.ledger, stateAt);
  const newest = await history.newest();
  if (newest !== null) await requireOwnLedger(session, target, openLedger, newest);
  return history;
}

/** Which commits contain which, of the candidates of a run and of what was applied. */
interface Containment {
  /** Adds a commit about which may be asked. */
  add(commit: string | null): void;
  known(): Contained;
  /** Looks which of the commits added, and of those of a history, a commit contains. @throws GitError, LedgerError */
  look(commit: string, history: StageHistory): Promise<void>;
}

function openContainment(session: OpenProject, target: Target, io: AppContext): Containment {
  const commits = new Set<string>();
  const contained = new Map<string, ReadonlySet<string>>();
  const add = (commit: string | null): void => {
    if (commit === null || commits.has(commit)) return;
    commits.add(commit);
    // What is known says nothing of the new one.
    contained.clear();
  };
  return {
    add,
    known: () => contained,
    async look(commit, { entries }) {
      for (const each of entries.slice(0, MAX_OWN_ENTRIES).flatMap(commitsOf)) add(each);
      contained.set(commit, await containedIn(commit, [...commits], await remoteOf(session, target, io)));
    },
  };
}

/** Returns those of some commits that a commit contains; one that is gone contains itself alone. @throws GitError, LedgerError */
async function containedIn(commit: string, commits: readonly string[], remote: LedgerRemote): Promise<ReadonlySet<string>> {
  try {
    const history = await openCommitHistory(remote, commit, commit);
    return new Set([commit, ...(await history.containedIn(commit, commits))]);
  } catch (error) {
    if (error instanceof GitError && error.code === 'unknown-commit') return new Set([commit]);
    throw error;
  }
}
