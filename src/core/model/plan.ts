import type { AssetsById, FirstExpiry } from './asset.ts';
import { type Change, type Origin, writesOnService } from './change.ts';
import type { CheckOverride, Decision } from './decision.ts';
import type { Finding } from './finding.ts';
import type { IgnoredValue } from './ignored-fields.ts';
import type { PlanImpact } from './impact.ts';
import type { Json } from './json.ts';
import type { UntriedFiles } from './untried-files.ts';

/**
 * How completely a kind was read. `unmanaged` = no section declares it; `skipped` = not selected by `--only`.
 */
export type ReadStatus = 'complete' | 'incomplete' | 'unmanaged' | 'skipped';

/** A managed kind that was not read completely, so that nothing is planned for it. */
export interface UnreadKind {
  readonly kind: string;
  /** Whether the service refused the credentials. */
  readonly refused: boolean;
  /** Whether the service has nothing at the address that was asked (404); absent where it has. */
  readonly notFound?: true;
  /** What happened to the request. */
  readonly reason: string;
}

/** What a plan with `--only-origin` does not contain. */
export interface LeftByOrigin {
  readonly onlyOrigin: Extract<Origin, 'change' | 'drift'>;
  /** Number of resources of which a difference is left out. */
  readonly count: number;
}

/** One request as it would be sent, without its signature. */
export interface PlannedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the base URL, for example `/api/v4/linear-playlist/<id>`. */
  readonly path: string;
  readonly body: Json;
  /** The addresses of the changes that the request applies. */
  readonly addresses: readonly string[];
}

/** An ignored field of a resource. */
export interface AddressedIgnoredValue extends IgnoredValue {
  readonly address: string;
}

/** The revision of the configuration that a plan was built from. */
export interface ConfigRevision {
  readonly commit: string;
  readonly dirty: boolean;
  /** `sha256:` and the hash of upkeep.yaml, the sources and the files they name. */
  readonly digest: string;
}

/**
 * Counts of changes, of unchanged resources and of undeclared objects. `blocked` counts changes of every action, those of the ledger only among
 * them.
 */
export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly blocked: number;
  readonly unchanged: number;
  readonly undeclared: number;
  /** Undeclared objects outside of `manages` of the target, which others manage; absent where there are none. */
  readonly unmanaged?: number;
  /** Without a ledger: the objects that are updated and were recognized by their names. Absent where there are none. */
  readonly recognized?: number;
}

/** A commit with which `diff` compares. */
export interface PlanBase {
  readonly commit: string;
  /** Present where its configuration cannot be used, so that nothing stands in the place of the account. */
  readonly unusable?: true;
  /** Present where the head lacks commits of the base, whose changes look as if they were taken back. */
  readonly diverged?: true;
  /** What differs, and only the account can tell what that does; absent for nothing. */
  readonly unknown?: readonly string[];
}

/** Number of findings that rules accept at their places, by code; absent where there are none. */
export interface AcceptedFindings {
  readonly [code: string]: number;
}

/** The plan document, and the report of `drift`, which holds only what drifted (design section 5, JSON). */
export interface Plan {
  readonly schemaVersion: 1;
  /** Present in the report of `drift`, so that a saved one is neither shown nor applied as a plan. */
  readonly drift?: true;
  readonly target: string;
  /** The commit whose configuration stands in the place of the account; absent in a plan of an account. */
  readonly base?: PlanBase;
  /**
   * `sha256:` and the hash of target, base URL, owner, overrides, unread kinds and the digests of the changes (design section 4, rule 2).
   * Absent where no kind was read completely: there is nothing to approve.
   */
  readonly fingerprint?: string;
  /** The kinds that were not read completely; absent where all were. */
  readonly unread?: readonly UnreadKind[];
  /** The overridden safety checks, sorted by name; absent where none is. */
  readonly overrides?: readonly CheckOverride[];
  /** The differences that `--only-origin` leaves out; absent where there are none. */
  readonly leftOut?: LeftByOrigin;
  /** What an apply of it may do now; absent in the report of `drift`, which nobody applies. Not part of the fingerprint. */
  readonly decision?: Decision;
  /** What the changes do to viewers and to protection, in one line for people. */
  readonly risks: string;
  readonly config: ConfigRevision | null;
  /** What earlier targets have not tried of the configuration; absent for nothing. */
  readonly untried?: readonly UntriedFiles[];
  /** How each kind was read. */
  readonly readStatus: { readonly [kind: string]: ReadStatus };
  readonly summary: PlanSummary;
  readonly changes: readonly Change[];
  /** Blocked changes that the commit merely lacks, because a newer one was applied; absent where there are none. Nothing counts them. */
  readonly behind?: readonly Change[];
  /**
   * The ignored fields that differ from their declared values, of resources without a change; absent for none. Those of a change are in
   * the change.
   */
  readonly ignored?: readonly AddressedIgnoredValue[];
  /** The names that the asset catalog has for the assets in the changes, by ID; absent for none. */
  readonly assetNames?: { readonly [id: string]: string };
  /** The impact on devices; absent where there is none, and in the report of `drift`. */
  readonly impact?: PlanImpact;
  /** What is known of the assets that the changes name, of at most 10,000 of them; absent where nothing is. */
  readonly assets?: AssetsById;
  /** The asset that is gone first, whether or not a change names it; absent where no end is known. */
  readonly firstExpiry?: FirstExpiry;
  readonly requests: readonly PlannedRequest[];
  readonly findings: readonly Finding[];
  readonly accepted?: AcceptedFindings;
  readonly cost: { readonly reads: number; readonly writes: number };
  /** Absent where the plan is not reported by the run that built it. */
  readonly run?: RunMetadata;
}

/** Returns the changes that a plan sends requests for: with `--skip-blocked`, where anything is blocked. */
export function changesSent({ changes, requests }: Pick<Plan, 'changes' | 'requests'>): readonly Change[] {
  const sent = new Set(requests.flatMap(({ addresses }) => addresses));
  return changes.filter((change) => change.blocked === null && writesOnService(change) && sent.has(change.address));
}

/** The document in place of a plan or an outcome where there is none. */
export interface ErrorReport {
  readonly schemaVersion: 1;
  readonly target: string | null;
  readonly error: { readonly exit: number; readonly code: string; readonly summary: string; readonly hint: string };
  /** What held the run back; absent where it ended before that was decided. */
  readonly decision?: Decision;
  readonly findings: readonly Finding[];
  readonly accepted?: AcceptedFindings;
}

/** The document of `validate`. */
export interface Validation {
  readonly schemaVersion: 1;
  readonly target: string;
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly accepted?: AcceptedFindings;
  /** Number of declared resources by kind. */
  readonly resources: { readonly [kind: string]: number };
}

/** Metadata of the run that built a document, for dashboards. Not part of digests and fingerprint. */
export interface RunMetadata {
  /** When the document was built: ISO 8601, UTC. */
  readonly at: string;
  /** Who ran it; absent in a document that was read from a file, which proves nothing about its writer. */
  readonly by?: string;
  /** The machine, or the address of the CI job; absent like `by`. */
  readonly where?: string;
  /** Requests sent to the service by then; each attempt counts. */
  readonly requests: number;
  /** How many of them were attempts beyond the first. */
  readonly retries: number;
  /** When the target was last applied, from the ledger: ISO 8601, UTC. Absent without a ledger entry, and in an outcome. */
  readonly lastApply?: string;
}

/** When the drift of an address was first reported. */
export interface DriftSince {
  readonly address: string;
  readonly kind: string;
  /** ISO 8601, UTC; null where this run is the first to report it. */
  readonly since: string | null;
}
