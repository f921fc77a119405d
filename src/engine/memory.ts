/** What upkeep remembers of its last apply to a target, as the planner needs it (design section 6). */
import type { Desired } from '../kinds/kind.ts';

/** A live object that an address stands for. */
export interface Binding {
  readonly id: string;
  readonly origin: 'created' | 'adopted';
}

/** The memory of a target; without a ledger there is none. */
export interface Memory {
  readonly bindings: ReadonlyMap<string, Binding>;
  /** Remote IDs that `removed` forgot: never deleted. */
  readonly forgotten: ReadonlySet<string>;
  /** Digest of the account's owner at the last apply; null where no answer named one. */
  readonly owner: string | null;
}

/** What was desired when each address was last applied; null where nobody can tell. */
export interface Base {
  /** The resources by address; an absent address was not declared. */
  readonly resources: ReadonlyMap<string, Desired>;
  /** Addresses of which the base is not known. */
  readonly unknown: ReadonlySet<string>;
}
