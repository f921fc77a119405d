/** Limits what a target's templates, tables, defaults, entry lists and variables may produce, so that a small file cannot fill the memory. */
import { errorFinding, type UnlocatedFinding } from '../../kinds/kind.ts';
import { isJsonObject, isList, type Json, type Path } from '../../model/json.ts';

/** Maximum number of resources that come from templates and tables. */
export const MAX_EXPANDED_RESOURCES = 100_000;

/** Maximum number of entry lists that include each other, one within the other. */
export const MAX_INCLUDE_DEPTH = 64;

/**
 * Maximum number of entries that a target's configuration expands to beyond what its sources write out themselves: instances of templates,
 * rows, items of lists in templates and defaults, included entries, and what is read again of a file, together.
 */
export const MAX_EXPANDED_ENTRIES = 1_000_000;

/** Numbers of members of a body and of an item of a list, at all depths, before each further one counts as an entry: few have so many. */
const FREE_MEMBERS = 100;
const FREE_MEMBERS_OF_ITEM = 10;

/** Maximum number of characters that variables may add, an empty text counting as one: as many as the maximum number of bytes of a file. */
export const MAX_ADDED_CHARACTERS = 32 * 1024 * 1024;

/** Counts what was produced. Each function returns false once its limit is exceeded; nothing may be produced then. */
export interface ExpansionBudget {
  addResources(count: number): boolean;
  addEntries(count: number): boolean;
  addCharacters(count: number): boolean;
}

/** Creates the budget of one target. */
export function createBudget(): ExpansionBudget {
  return {
    addResources: counter(MAX_EXPANDED_RESOURCES),
    addEntries: counter(MAX_EXPANDED_ENTRIES),
    addCharacters: counter(MAX_ADDED_CHARACTERS),
  };
}

function counter(most: number): (count: number) => boolean {
  let total = 0;
  return (count) => {
    total += count;
    return total <= most;
  };
}

/** Counts the entries that each copy of a value adds: the items of its lists at every depth, and members where it has very many. */
export function entriesIn(value: Json, freeMembers = FREE_MEMBERS): number {
  const { members, items } = sizeOf(value);
  return items + Math.max(0, members - freeMembers);
}

/** Counts the members of a value outside of lists, and the entries in its lists. */
function sizeOf(value: Json): { readonly members: number; readonly items: number } {
  if (isList(value))
    return { members: 0, items: value.reduce((sum: number, item) => sum + entriesIn(item, FREE_MEMBERS_OF_ITEM), value.length) };
  if (!isJsonObject(value)) return { members: 0, items: 0 };
  const sizes = Object.values(value).map((member) => sizeOf(member ?? null));
  const sum = (part: 'members' | 'items') => sizes.reduce((total, size) => total + size[part], 0);
  return { members: sizes.length + sum('members'), items: sum('items') };
}

/** Returns the finding about a configuration that expands to too many entries. */
export function tooManyEntries(path: Path): UnlocatedFinding {
  const summary = `templates, tables, defaults, lists and \`ignore_changes\` of this target make more than ${MAX_EXPANDED_ENTRIES / 1_000_000} million entries`;
  return errorFinding('too-large', path, summary, 'Shorten them, or divide the account among targets.');
}
