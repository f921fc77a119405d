/** Puts the entries of `entry_lists` where lists include them, and remembers where each entry is written. */
import { errorFinding, type UnlocatedFinding } from '../../kinds/kind.ts';
import { isJsonObject, isList, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { hintAtName } from '../did-you-mean.ts';
import type { SourceDocument } from '../source-document.ts';
import { type ExpansionBudget, MAX_INCLUDE_DEPTH, tooManyEntries } from './budget.ts';

/** A path in a document. */
export interface Place {
  readonly document: SourceDocument;
  readonly path: Path;
}

/** Where an item of an expanded list is written: at this index of the list that is written there, or at another place. */
export type ItemOrigin = number | Place;

/** A list of `entry_lists`, with variables replaced. */
export interface EntryList extends Place {
  readonly items: readonly Json[];
}

/** Expands lists. */
export interface ListExpander {
  /** Returns a list with the included entries; the same list where it includes none. Reports what it cannot include at its place. */
  expand(list: readonly Json[], place: Place): readonly Json[];
  /** Like `expand`, for a list that may become part of another one: the place of every item is known, too. */
  expandForReuse(list: readonly Json[], place: Place): readonly Json[];
  /** Returns where the items of an expanded list are written; undefined where it includes nothing. */
  originsOf(list: Json | undefined): readonly ItemOrigin[] | undefined;
  /** Expands every list of `entry_lists`, so that what is wrong is reported even where nothing includes it. */
  checkAll(): void;
  /** Decides whether any list includes a list of `entry_lists`. */
  isIncluded(name: string): boolean;
}

/** A list whose items are all at places of their own. */
interface ExpandedEntries {
  readonly items: readonly Json[];
  readonly origins: readonly Place[];
}

/** Creates the expander of a target. */
export function createListExpander(
  entryLists: ReadonlyMap<string, EntryList>,
  budget: ExpansionBudget,
  report: (place: Place, finding: UnlocatedFinding) => void,
): ListExpander {
  const originsByList = new WeakMap<readonly Json[], readonly ItemOrigin[]>();
  const expanded = new Map<string, ExpandedEntries>();
  const included = new Set<string>();

  /** Returns the entries that an item stands for; undefined where it stands for itself. */
  const entriesOf = (item: Json, place: Place, including: readonly string[]): ExpandedEntries | undefined => {
    const origins = isList(item) ? originsByList.get(item) : undefined;
    // A list that is an argument. A list within a list, which somebody wrote, is an error of the schema.
    if (isList(item) && origins !== undefined) return { items: item, origins: origins.filter((origin) => typeof origin !== 'number') };
    if (!isJsonObject(item) || item.include === undefined) return undefined;
    const includePlace = { document: place.document, path: [...place.path, 'include'] };
    const problem = whyNotIncludable(item, entryLists, including, includePlace.path);
    if (problem !== undefined) {
      report(includePlace, problem);
      return NO_ENTRIES;
    }
    included.add(String(item.include));
    return entriesNamed(String(item.include), including);
  };

  const entriesNamed = (name: string, including: readonly string[]): ExpandedEntries => {
    const known = expanded.get(name);
    const list = entryLists.get(name);
    if (known !== undefined || list === undefined) return known ?? NO_ENTRIES;
    const entries = joinAbsolute(list.items, { document: list.document, path: list.path }, [...including, name]);
    expanded.set(name, entries);
    return entries;
  };

  const joinAbsolute = (list: readonly Json[], place: Place, including: readonly string[]): ExpandedEntries => {
    const { items, origins } = join(list, place, including);
    return { items, origins: origins.map((origin) => (typeof origin === 'number' ? { ...place, path: [...place.path, origin] } : origin)) };
  };

  const join = (list: readonly Json[], place: Place, including: readonly string[]) => {
    const items: Json[] = [];
    const origins: ItemOrigin[] = [];
    for (const [index, item] of list.entries()) {
      const entries = entriesOf(item, { document: place.document, path: [...place.path, index] }, including);
      if (entries !== undefined && !budget.addEntries(entries.items.length)) {
        report(place, tooManyEntries(place.path));
        break;
      }
      for (const each of entries?.items ?? [item]) items.push(each);
      for (const origin of entries?.origins ?? [index]) origins.push(origin);
    }
    return { items, origins };
  };

  return {
    expand: (list, place) => {
      if (!list.some((item) => (isList(item) ? originsByList.has(item) : isJsonObject(item) && item.include !== undefined))) return list;
      const { items, origins } = join(list, place, []);
      originsByList.set(items, origins);
      return items;
    },
    expandForReuse: (list, place) => {
      const { items, origins } = joinAbsolute(list, { document: place.document, path: place.path }, []);
      originsByList.set(items, origins);
      return items;
    },
    originsOf: (list) => (isList(list) ? originsByList.get(list) : undefined),
    checkAll: () => {
      for (const name of entryLists.keys()) entriesNamed(name, []);
    },
    isIncluded: (name) => included.has(name),
  };
}

const NO_ENTRIES: ExpandedEntries = { items: [], origins: [] };

function whyNotIncludable(
  item: JsonObject,
  entryLists: ReadonlyMap<string, EntryList>,
  including: readonly string[],
  path: Path,
): UnlocatedFinding | undefined {
  const { include: name, ...others } = item;
  if (typeof name !== 'string') return errorFinding('wrong-type', path, '`include` must be the name of a list', 'Write { include: NAME }.');
  if (Object.keys(others).length > 0)
    return errorFinding('unknown-key', path, 'an item with `include` must have no other key', 'Write the rest as an item of its own.');
  if (including.includes(name)) {
    const chain = [...including.slice(including.indexOf(name)), name].join(' > ');
    return errorFinding('include-cycle', path, `the entry list \`${name}\` includes itself: ${chain}`, 'Remove one of these includes.');
  }
  if (including.length >= MAX_INCLUDE_DEPTH)
    return errorFinding(
      'too-deep',
      path,
      `entry lists include each other more than ${MAX_INCLUDE_DEPTH} deep`,
      'Include fewer lists within lists.',
    );
  if (entryLists.has(name)) return undefined;
  return errorFinding('unknown-entry-list', path, `there is no entry list \`${name}\``, () => hintAtName(name, entryLists, 'entry_lists'));
}
