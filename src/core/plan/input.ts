import type { DesiredState } from '../config/desired-state.ts';
import type { GuardDefinition, SeverityRule, Target } from '../config/project.ts';
import type { GuardRun } from '../guards/evaluate.ts';
import type { ApiError, ApiService, DesiredResource, Kind, WhyNotDeclarable } from '../kinds/kind.ts';
import type { CommandScope } from '../model/command-line.ts';
import type { Settling } from '../model/pauses.ts';
import type { ConfigRevision } from '../model/plan.ts';
import type { Overrides } from '../safety/overrides.ts';
import type { OtherLedgers } from '../state/other-ledgers.ts';
import type { EmptyLedger, LastApplied, LedgerState, SentCreate } from '../state/state.ts';
import type { BeforeAfter, PlanImpactResult } from './before-after.ts';
import type { RollbackInput } from './rollback.ts';
import type { Selection } from './selection.ts';

/** All that a plan is built from. */
export interface PlanInput {
  readonly target: Target;
  /** The account's user ID: part of the fingerprint, never printed. */
  readonly owner: string;
  readonly desiredState: DesiredState;
  /** `rules` of upkeep.yaml. */
  readonly severityRules: readonly SeverityRule[];
  /** The CEL guards of upkeep.yaml. */
  readonly guards: readonly GuardDefinition[];
  /** What guards know of the run. Neither digests nor the fingerprint depend on it. */
  readonly run: GuardRun;
  readonly kinds: readonly Kind[];
  readonly service: ApiService;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds of a clock that never goes back, by which the reads are timed. */
  readonly elapsed: () => number;
  /** What `--only` and `--only-origin` select. */
  readonly selection: Selection;
  readonly overrides: Overrides;
  /** What the commands that the plan prints repeat; null where it prints none. */
  readonly commandScope: CommandScope | null;
  /** Whether edits by hand of ignored fields are reported that weaken protection or stop playback: true for drift, false for a plan. */
  readonly reportsRiskyEditsOfIgnoredFields: boolean;
  /** Analyzes the impact on devices. Passed in, because the planner knows nothing of devices. */
  readonly analyzeImpact: (beforeAfter: BeforeAfter) => PlanImpactResult;
  /** Returns why live objects cannot be declared. Passed in, because only the export of configurations knows. */
  readonly whyNotDeclarable: WhyNotDeclarable;
  /** The revision of the configuration; null without a git commit. */
  readonly config: ConfigRevision | null;
  /** The kinds whose assets could not be looked up by their external IDs, with the error. Nothing is planned for them. */
  readonly failedExternalIdLookups: ReadonlyMap<string, ApiError>;
  /** What the ledger records; null without a ledger. */
  readonly ledgerState: LedgerState | null;
  /** Null where the ledger has an entry, and without a ledger. */
  readonly emptyLedger: EmptyLedger | null;
  /** Reads the ledgers of other projects, once in a run. @throws GitError */
  readonly otherLedgers: () => Promise<OtherLedgers>;
  /** What the applies declared that were killed since the last complete one, the newest first. */
  readonly interrupted: readonly DesiredResource[];
  /** The creates that earlier runs on this machine have sent, and whose objects nobody has seen, by address. */
  readonly sentCreates: ReadonlyMap<string, SentCreate>;
  /** Waits where reads may not show yet what was written. */
  readonly settling: Settling;
  /** Whether the configuration is that of another commit, which `--ref` names. */
  readonly appliesEarlierCommit: boolean;
  /** The bindings that the apply of the commit of `--ref` recorded; null where no apply of it is known. */
  readonly earlierBindings: LedgerState['bindings'] | null;
  /** What was desired when each address was last applied; null where it is unknown. */
  readonly lastApplied: LastApplied | null;
  /** What the configuration must not roll back; null for drift, and where no earlier apply is known. */
  readonly rollback: RollbackInput | null;
}
