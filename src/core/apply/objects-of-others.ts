import type { Kind, LiveObject } from '../kinds/kind.ts';
import type { PlannedChange } from '../state/planned-change.ts';

/** Tells which live objects a create of this apply cannot have made. */
export class ObjectsOfOthers {
  /** The IDs that were live when the plan was made, by the name of the kind: an ID is unique within its kind. */
  readonly #idsAtPlan: ReadonlyMap<string, ReadonlySet<string>>;
  /** The address of the change that desires each name, by the name of the kind and the name. */
  readonly #addressByName: ReadonlyMap<string, string>;
  /** The address of the create that made each object, by the name of the kind and the ID. */
  readonly #creatorById = new Map<string, string>();

  constructor(changes: readonly PlannedChange[], idsAtPlan: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#idsAtPlan = idsAtPlan;
    this.#addressByName = new Map(
      changes.flatMap(({ kind, desired }) =>
        desired?.remoteName === undefined ? [] : [[keyOf(kind, desired.remoteName), desired.address]],
      ),
    );
  }

  /** Decides whether the object was live when the plan was made, or another create made it. */
  has({ kind, change }: PlannedChange, id: string): boolean {
    const creator = this.#creatorById.get(keyOf(kind, id));
    return this.#idsAtPlan.get(kind.name)?.has(id) === true || (creator !== undefined && creator !== change.address);
  }

  /** Decides whether the object has exactly the name that another change desires. */
  hasNameOf({ kind, change }: PlannedChange, { remoteName }: LiveObject): boolean {
    const address = this.#addressByName.get(keyOf(kind, remoteName));
    return address !== undefined && address !== change.address;
  }

  /** Records that a create made an object. Returns why it cannot have made it, or undefined. */
  recordCreate(planned: PlannedChange, id: string): string | undefined {
    if (this.has(planned, id))
      return `the service answered with ${id}, the ID of another object, which was there before; plan again, and look what was created`;
    this.#creatorById.set(keyOf(planned.kind, id), planned.change.address);
    return undefined;
  }
}

function keyOf(kind: Kind, idOrName: string): string {
  return `${kind.name} ${idOrName}`;
}
