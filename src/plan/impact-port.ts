/** What the meaning of a plan is read off, by those who know what its resources mean, and what they say. */
import type { DeviceImpact, PlanImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';

/** One resource on both sides, in canonical fields; a side on which it does not exist is null. */
export interface ResourceBeforeAfter {
  readonly kind: string;
  readonly address: string;
  /** Whether the repository declares it. */
  readonly declared: boolean;
  /** Whether it is written. */
  readonly changes: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Every resource of the kinds that were read complete, and the names of these kinds. */
export interface BeforeAfter {
  readonly complete: ReadonlySet<string>;
  /** The resources of one kind; made when they are asked for, since most kinds mean nothing to anybody. */
  resourcesOf(kind: string): readonly ResourceBeforeAfter[];
}

/** What a plan means for devices: of each change, by its address, and in the words of the plan (null = none of its changes can). */
export interface PlanImpactResult {
  readonly byChange: ReadonlyMap<string, readonly DeviceImpact[]>;
  readonly summary: PlanImpact | null;
}
