import type { DesiredState } from '../config/desired-state.ts';
import type { GuardDefinition, Target } from '../config/project.ts';
import type { ApiService, Kind } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { Severity } from '../model/finding.ts';
import type { DeviceImpact, PlanImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import type { ConfigRevision } from '../model/plan.ts';
import type { Overrides } from '../safety/checks.ts';
import type { LastApplied, LedgerState } from '../state/state.ts';

/** All that a plan is built from. `now` returns Unix milliseconds. */
export interface PlanInput {
  readonly target: Target;
  /** The account's user ID: part of the fingerprint, never printed. */
  readonly owner: string;
  readonly desiredState: DesiredState;
  readonly severityRules: { readonly [code: string]: Severity | 'off' };
  /** The user's own rules. */
  readonly guards: readonly GuardDefinition[];
  readonly kinds: readonly Kind[];
  readonly service: ApiService;
  readonly now: () => number;
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  /** Plan only changes with this origin; null = all. */
  readonly onlyOrigin: Extract<Origin, 'change' | 'drift'> | null;
  readonly overrides: Overrides;
  /** Analyzes the impact on devices. Passed in, because the planner knows nothing of devices. */
  readonly analyzeImpact: (beforeAfter: BeforeAfter) => PlanImpactResult;
  readonly config: ConfigRevision | null;
  /** What the ledger records; null without a ledger. */
  readonly state: LedgerState | null;
  /** Whether the configuration is that of an earlier commit (`--ref`). */
  readonly appliesEarlierCommit: boolean;
  /** What was desired at the last apply; null where it is unknown. */
  readonly lastApplied: LastApplied | null;
}

/** One resource before and after the plan, in canonical fields; null where it does not exist. */
export interface ResourceBeforeAfter {
  readonly kind: string;
  readonly address: string;
  /** Whether the repository declares it. */
  readonly isDeclared: boolean;
  /** Whether the plan writes it. */
  readonly isWritten: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Every resource of the kinds that were read completely, and the names of these kinds. */
export interface BeforeAfter {
  readonly complete: ReadonlySet<string>;
  /** Returns the resources of one kind. Built on demand, because most kinds have no impact on devices. */
  resourcesOf(kind: string): readonly ResourceBeforeAfter[];
}

/** The impact of a plan on devices: of each change, by address, and summarized for the plan document (null = no change can have any). */
export interface PlanImpactResult {
  readonly byChange: ReadonlyMap<string, readonly DeviceImpact[]>;
  readonly summary: PlanImpact | null;
}
