/** The port through which the planner asks for the impact of a plan on devices: its input and its result. */
import type { DeviceImpact, PlanImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';

/** One resource before and after the plan, in canonical fields; null where it does not exist. */
export interface ResourceBeforeAfter {
  readonly kind: string;
  readonly address: string;
  /** Whether the repository declares it. */
  readonly declared: boolean;
  /** Whether the plan writes it. */
  readonly changes: boolean;
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
