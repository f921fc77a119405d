/** Says which lines `manages` needs for the live objects that a plan would bind and that it does not name (design section 3, identity). */
import { isLiveObject, type Kind, type LiveObject } from '../kinds/kind.ts';
import { addressKey } from '../model/address.ts';
import { groupBy } from '../model/collections.ts';
import { compareStrings } from '../model/finding.ts';
import { isManaged, namesOf } from '../state/object-globs.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { LedgerState } from '../state/state.ts';
import type { KindRead } from './kind-state.ts';

/** What the lines depend on. */
interface UnmanagedInput {
  readonly changes: readonly PlannedChange[];
  readonly readByKind: ReadonlyMap<string, KindRead>;
  readonly ledgerState: LedgerState | null;
}

/** The objects that `manages` of a target does not name, and what it needs to name them. */
export interface UnmanagedObjects {
  readonly count: number;
  /**
   * Globs that name all of these objects and no other object of somebody else: those of several names, then single names, then IDs. Each
   * group is sorted.
   */
  readonly globs: readonly string[];
}

/** Returns the objects that the selected changes would bind and that `manages` (null = everything) does not name. */
export function unmanagedObjects(
  { changes, readByKind, ledgerState }: UnmanagedInput,
  manages: readonly string[] | null,
): UnmanagedObjects {
  const wanted = changes.flatMap(({ kind, live, identityProblem }) =>
    identityProblem?.isUnmanaged && live !== null && isLiveObject(live) ? [{ kind, live }] : [],
  );
  const bound = new Set([...(ledgerState?.bindings.values() ?? [])].map(({ id }) => id));
  const globs = [...groupBy(wanted, ({ kind }) => kind)].map(([kind, all]) => {
    const objects = all.map(({ live }) => live);
    const own = new Set([...objects.map(({ id }) => id), ...bound]);
    const others = (readByKind.get(kind.name)?.result.objects ?? []).filter(isLiveObject);
    return globsOf(
      kind,
      objects,
      others.filter((live) => !own.has(live.id) && !isManaged(manages, kind, live)),
    );
  });
  const of = (form: keyof Globs) => globs.flatMap((each) => each[form]).sort(compareStrings);
  return { count: wanted.length, globs: [...of('prefixes'), ...of('names'), ...of('ids')] };
}

/** Globs of one kind, by their form. */
interface Globs {
  readonly prefixes: readonly string[];
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

/** Returns globs that name all of the objects and none of the others. Linear in both. */
function globsOf(kind: Kind, objects: readonly LiveObject[], others: readonly LiveObject[]): Globs {
  const textsOfOthers = others.flatMap(({ remoteName }) => namesOf(kind, remoteName));
  const [taken, takenPrefixes] = [new Set(textsOfOthers), new Set(textsOfOthers.map(prefixOf))];
  const prefixes: string[] = [];
  const names = new Set<string>();
  const ids: string[] = [];
  for (const [prefix, group] of groupBy(objects, ({ remoteName }) => prefixOf(`${kind.name}/${remoteName}`))) {
    if (group.length > 1 && isGlobOfNames(prefix) && !takenPrefixes.has(prefix)) prefixes.push(prefix);
    else
      for (const live of group) {
        const name = `${kind.name}/${live.remoteName}`;
        if (isNameAlone(live.remoteName) && !taken.has(name)) names.add(name);
        else ids.push(kind.idAddress(live));
      }
  }
  return { prefixes, names: [...names], ids };
}

/** Decides whether a glob can stand for a name: it means nothing else, neither an ID nor several names, and can be read. */
function isNameAlone(name: string): boolean {
  return name !== '' && !name.startsWith('~') && !/[*\p{C}]/u.test(name);
}

function isGlobOfNames(prefix: string): boolean {
  return prefix.endsWith('*') && isNameAlone(addressKey(prefix.slice(0, -1)));
}

/** Returns the glob of all names that begin with the same word: `playlist/Kids *`; the text itself where it has one word only. */
function prefixOf(text: string): string {
  const [prefix] = /^[^/]*\/[^\s._-]+[\s._-]/u.exec(text) ?? [];
  return prefix === undefined ? text : `${prefix}*`;
}
