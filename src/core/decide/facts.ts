/** What the decision of a run depends on, as data. Who fetches it decides nothing. */
import type { CommandScope } from '../model/command-line.ts';
import type { Plan } from '../model/plan.ts';
import { NO_OVERRIDES, type Overrides } from '../safety/overrides.ts';
import type { Windows } from '../windows/windows.ts';
import type { StageFacts, StageHistory, TakenBackFacts } from './decide-stage.ts';

/** The moments at which a run is decided: of a plan, of an apply after its plan, and before the first write of an apply. */
export const MOMENTS = ['plan', 'planned', 'answered'] as const;

/** One of `MOMENTS`. */
export type Moment = (typeof MOMENTS)[number];

/** A value, or why it is not known, a clause. */
export type Fact<Value> = { readonly known: Value } | { readonly unknown: string };

/** A fact that nobody looked for. At `plan` it holds nothing back. */
export const NOT_ASKED = { unknown: 'nobody looked for it' } as const;

/** The commit whose configuration is applied. */
export interface CommitFacts {
  readonly id: string;
  /** The files of the work tree that differ from it. */
  readonly dirty: readonly string[];
}

/** The branch from which a target is applied, and the commit whose configuration is. */
export interface BranchFacts {
  /** As `origin/main`. */
  readonly name: string;
  readonly commit: string;
  /** Whether it contains the commit. */
  readonly hasCommit: boolean;
}

/** What a look at a target tells. */
export interface StageLook<Told extends { readonly history: StageHistory }> {
  readonly target: string;
  /** Unknown where its ledger or a commit could not be read; unusable where the configuration has no such target, or errors there. */
  readonly facts: Fact<Told> | { readonly unusable: string };
}

/** The stages of a target, as one configuration of it finds them. */
export interface Stages {
  /** The commit of the configuration; null where it is none, as with edits that are not committed. */
  readonly commit: string | null;
  /** Whether it is that of an earlier, whole apply to the target (`--ref ENTRY`), so that it waits for no stage. */
  readonly isWholeEntry: boolean;
  /** The targets before this one, in their order, as far as they count. */
  readonly before: readonly StageLook<StageFacts>[];
  /** The target itself; null where it has no stages. */
  readonly own: StageLook<TakenBackFacts> | null;
  /** The newest commit of the branch that meets every stage; null where there is none, absent where nobody looked or can tell. */
  readonly promoted?: string | null;
}

/** A target without stages. */
export const NO_STAGES: Stages = { commit: null, isWholeEntry: false, before: [], own: null };

/** Returns the facts of a plan of which nobody has looked for more. `now` in Unix milliseconds. */
export function undecidedFacts(plan: Facts['plan'], target: string, now: number): Facts {
  return {
    moment: 'plan',
    now,
    target,
    plan,
    differs: NOT_ASKED,
    commit: NOT_ASKED,
    branch: NOT_ASKED,
    stages: NOT_ASKED,
    windows: NOT_ASKED,
    lock: NOT_ASKED,
    answer: NOT_ASKED,
    overrides: NO_OVERRIDES,
    skipsHeld: false,
    commands: null,
  };
}

/** A plan of which nothing is blocked any more. */
export interface LiftedPlan {
  /** The overrides that the run lacks, as they are written after `--allow`. */
  readonly allow: readonly string[];
  /** These, and those that the run has. */
  readonly overrides: Overrides;
  readonly plan: Pick<Plan, 'changes' | 'behind' | 'unread' | 'requests' | 'fingerprint'>;
}

/** What the commands of a run repeat. */
export interface CommandFacts {
  /** Null where the run prints none. */
  readonly scope: CommandScope | null;
  /** The plan with the overrides that it lacks; null where nothing is blocked, and where overrides are not what lifts it. */
  readonly lifted: LiftedPlan | null;
}

/** All that decides a run. */
export interface Facts {
  readonly moment: Moment;
  /** Unix milliseconds. */
  readonly now: number;
  readonly target: string;
  /** The plan of the run, with its changes and their safety checks; null where nothing is planned. */
  readonly plan: Pick<Plan, 'changes' | 'behind' | 'unread' | 'requests' | 'fingerprint'> | null;
  /** Why the plan is not the one that was approved, clauses; none where it is, or where none had to be. */
  readonly differs: Fact<readonly string[]>;
  /** Null where the target needs no commit. */
  readonly commit: Fact<CommitFacts | null>;
  /** Null where the target has no branch. */
  readonly branch: Fact<BranchFacts | null>;
  readonly stages: Fact<Stages>;
  /** The windows of the project and of the target. */
  readonly windows: Fact<readonly Windows[]>;
  readonly lock: Fact<'held' | 'lost'>;
  readonly answer: Fact<'yes' | 'no'>;
  readonly overrides: Overrides;
  /** Whether what is blocked or could not be read is left out (`--skip-blocked`). */
  readonly skipsHeld: boolean;
  /** Null where nobody goes on with the plan by a command. */
  readonly commands: CommandFacts | null;
}
