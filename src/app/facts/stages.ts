/**
 * Reads what tells whether a configuration may go on to a target: the ledgers of the targets before it and its own, and commits, as far as
 * the rules need them. core/decide/stages.ts decides.
 */
import { declarationDigest } from '../../core/config/declaration-digest.ts';
import type { DesiredState } from '../../core/config/desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { targetsBefore } from '../../core/config/stages.ts';
import {
  type Contained,
  commitsOf,
  type Declared,
  decideStage,
  decideTakenBack,
  MAX_OWN_ENTRIES,
  type Need,
  NOTHING_DECLARED,
  type StageAnswer,
  type StageFacts,
  type StageHistory,
  type TakenBackFacts,
} from '../../core/decide/decide-stage.ts';
import type { StageLook, Stages } from '../../core/decide/facts.ts';
import { holdsOfStages, standsWhollyAt } from '../../core/decide/stages.ts';
import { openCommitHistory } from '../../core/ledger/commit-history.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { GitError } from '../../core/ledger/errors.ts';
import type { LedgerRemote } from '../../core/ledger/remote.ts';
import { newestCommit } from '../../core/ledger/standing.ts';
import { remoteOf } from '../history/desired-state.ts';
import { requireOwnLedger } from '../history/ledger-project.ts';
import { type ConfigurationAtCommit, configurationLoader, requireLedger } from '../history/load-state.ts';
import type { OpenProject } from '../run/project.ts';
import type { AppContext } from '../run/runtime.ts';
import type { BranchRules } from './branch-rules.ts';
import { known } from './known.ts';
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

/** Reads the stages of a target, once in a run: each entry and each configuration is read once. */
export interface StageReader {
  /** Reads what tells of a configuration. `now` in Unix milliseconds. */
  look(candidate: Candidate, now: number): Promise<Stages>;
  /** Decides whether nothing is missing, and reads no further than the first that is. */
  isFree(candidate: Candidate, now: number): Promise<boolean>;
  /** Makes the next look read the entries that were added since. */
  renew(): void;
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
  renew(): void;
  /** Loads its configuration at a commit, once in a run. @throws GitError */
  stateAt(commit: string): Promise<ConfigurationAtCommit>;
  /** What the target stands at after an entry, as this one declares it, once for each entry. @throws GitError */
  laterAfter(entry: LedgerEntry | null): Promise<StageFacts['later']>;
}

/** The readers of a run, by target and by the commit whose rules count. */
const readers = new WeakMap<OpenProject, Map<string, StageReader>>();

/** Opens the stages of a target by the rules that count for it, once in a run, without reading anything. */
export function openStages(session: OpenProject, rules: BranchRules, io: AppContext): StageReader {
  const ofRun = readers.get(session) ?? new Map<string, StageReader>();
  const key = `${rules.target.name} ${rules.tip}`;
  const reader = ofRun.get(key) ?? createReader(session, rules, io);
  readers.set(session, ofRun.set(key, reader));
  return reader;
}

function createReader(session: OpenProject, { project, target }: BranchRules, io: AppContext): StageReader {
  const own = openTarget(session, target, io);
  const before = targetsBefore(project.targets, target).map((each) => openTarget(session, each, io));
  const containment = openContainment(session, target, io);
  const lastEntry = async () => (await own.history()).newest();
  /** False where its ledger cannot be read: the look at the target itself says it. */
  const standsThere = async (commit: string | null): Promise<boolean> => {
    const stands = await known(async () => {
      await lastEntry();
      return standsWhollyAt(commit, (await own.history()).known());
    });
    return 'known' in stands && stands.known;
  };
  /** Looks as far as the next one counts: yields the stages as told so far. */
  async function* looks(candidate: Candidate, now: number): AsyncGenerator<Stages, void, undefined> {
    const { commit, isWholeEntry } = candidate;
    if (before.length === 0 || (await standsThere(commit))) return;
    containment.add(commit);
    const run = { candidate, own, containment, soakMs: target.soakMs, now };
    let stages: Stages = { commit, isWholeEntry, before: [], own: null };
    for (const each of isWholeEntry ? [] : before) {
      stages = { ...stages, before: [...stages.before, { target: each.target.name, facts: await told(() => lookAtStage(each, run)) }] };
      yield stages;
    }
    yield { ...stages, own: { target: target.name, facts: await told(() => lookAtTarget(own, run)) } };
  }
  return {
    async look(candidate, now) {
      let found: Stages = { commit: candidate.commit, isWholeEntry: candidate.isWholeEntry, before: [], own: null };
      for await (const stages of looks(candidate, now)) found = stages;
      return found;
    },
    async isFree(candidate, now) {
      for await (const stages of looks(candidate, now)) if (holdsOfStages(stages).length > 0) return false;
      return true;
    },
    renew() {
      for (const each of [own, ...before]) each.renew();
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

function openTarget(session: OpenProject, target: Target, io: AppContext): ReadTarget {
  const stateAt = configurationLoader(session, target, io, {});
  let opened: { readonly history: TargetHistory; readonly newer: () => Promise<void> } | null = null;
  let current: Promise<TargetHistory> | null = null;
  let later: { readonly entry: LedgerEntry | null; readonly stands: Promise<StageFacts['later']> } | null = null;
  const open = async (): Promise<TargetHistory> => {
    if (opened === null) opened = await openHistoryOf(session, target, io, stateAt);
    else await opened.newer();
    return opened.history;
  };
  return {
    target,
    stateAt,
    history() {
      current ??= open();
      return current;
    },
    renew() {
      current = null;
    },
    laterAfter(entry) {
      if (later === null || later.entry !== entry) later = { entry, stands: standsOf(entry, stateAt) };
      return later.stands;
    },
  };
}

async function standsOf(entry: LedgerEntry | null, stateAt: ReadTarget['stateAt']): Promise<StageFacts['later']> {
  if (entry === null) return { declared: NOTHING_DECLARED, unknown: null, commit: null };
  return { ...(await standsAfter(entry, stateAt)), commit: entry.config.commit };
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

/** A configuration that cannot be compared, and why, a clause. */
interface Unusable {
  readonly unusable: string;
}

/** Reads whether an earlier target has carried a configuration. @throws GitError, LedgerError, CliError */
async function lookAtStage(stage: ReadTarget, { candidate, own, containment, soakMs, now }: Look): Promise<StageFacts | Unusable> {
  const history = await stage.history();
  const state = await candidate.stateOf(stage.target);
  if ('unusable' in state) return unusable(state);
  const later = await stage.laterAfter(await (await own.history()).newestEnded());
  const { declared, digest } = declarationsOf(state.desiredState);
  const facts = { next: declared, digest, commit: candidate.commit, later, soakMs, now };
  return settle(history, containment, () => ({ ...facts, history: history.known(), contained: containment.known() }), decideStage);
}

/** Reads whether a target has taken back what a configuration would bring. @throws GitError, LedgerError, CliError */
async function lookAtTarget({ target, history: open }: ReadTarget, { candidate, containment }: Look): Promise<TakenBackFacts | Unusable> {
  const history = await open();
  let next: Declared | null = null;
  const facts = () => ({ next, history: history.known(), contained: containment.known() });
  return settle(history, containment, facts, decideTakenBack, async () => {
    const state = await candidate.stateOf(target);
    if ('unusable' in state) return unusable(state);
    next = declarationsOf(state.desiredState).declared;
    return null;
  });
}

/** Reads what a decision needs until it has all. */
async function settle<Told extends { readonly history: StageHistory }>(
  history: TargetHistory,
  containment: Containment,
  factsNow: () => Told,
  decide: (facts: Told) => StageAnswer,
  loadNext: () => Promise<Unusable | null> = async () => null,
): Promise<Told | Unusable> {
  for (;;) {
    const facts = factsNow();
    const answer = decide(facts);
    if ('hold' in answer) return facts;
    const found = await read(answer.needs, history, containment, loadNext);
    if (found !== null) return found;
  }
}

async function read(
  needs: Need,
  history: TargetHistory,
  containment: Containment,
  loadNext: () => Promise<Unusable | null>,
): Promise<Unusable | null> {
  if ('next' in needs) return loadNext();
  if ('older' in needs) await history.readOlder();
  else if ('stands' in needs) await history.loadStands(needs.stands);
  else await containment.look(needs.containedIn, history.known());
  return null;
}

/** What configurations declare, and its digest, once for each: the same one is compared at many commits. */
const declarations = new WeakMap<DesiredState, { readonly declared: Declared; readonly digest: string }>();

function declarationsOf(state: DesiredState): { readonly declared: Declared; readonly digest: string } {
  const found = declarations.get(state) ?? { declared: declaredIn(state), digest: declarationDigest(state) };
  declarations.set(state, found);
  return found;
}

function unusable({ unusable: why, isMissing }: Extract<ConfigurationAtCommit, { readonly unusable: string }>): Unusable {
  return { unusable: isMissing ? 'the commit has no such target' : `its configuration there cannot be used: ${why}` };
}

/** Returns what a look tells as a fact; an error of a ledger or of git as the reason why it is not known. */
async function told<Told extends { readonly history: StageHistory }>(
  look: () => Promise<Told | Unusable>,
): Promise<StageLook<Told>['facts']> {
  const found = await known(look);
  if ('unknown' in found) return found;
  return 'unusable' in found.known ? found.known : { known: found.known };
}

/** Opens the entries of a target, and what reads those that were added since. @throws GitError, LedgerError, CliError */
async function openHistoryOf(
  session: OpenProject,
  target: Target,
  io: AppContext,
  stateAt: ReadTarget['stateAt'],
): Promise<{ readonly history: TargetHistory; readonly newer: () => Promise<void> }> {
  const openLedger = await requireLedger(session, target, io);
  const history = openTargetHistory(openLedger.ledger, stateAt);
  const requireOwn = async (): Promise<void> => {
    const newest = await history.newest();
    if (newest !== null) await requireOwnLedger(session, target, openLedger, newest);
  };
  await requireOwn();
  return {
    history,
    async newer() {
      await history.readNewer();
      await requireOwn();
    },
  };
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
    known: () => new Map(contained),
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
