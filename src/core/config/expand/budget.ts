/** Limits what a target's templates, tables, entry lists and variables may produce, so that a small file cannot fill the memory. */

/** Maximum number of resources that come from templates and tables. */
export const MAX_EXPANDED_RESOURCES = 100_000;

/** Maximum number of entry lists that include each other, one within the other. */
export const MAX_INCLUDE_DEPTH = 64;

/** Maximum number of entries that `include` may add to lists. */
export const MAX_INCLUDED_ENTRIES = 10_000_000;

/** Maximum number of characters that variables may add: as many as the maximum number of bytes of a file. */
export const MAX_ADDED_CHARACTERS = 32 * 1024 * 1024;

/** Counts what was produced. Each function returns false once its limit is exceeded; nothing may be produced then. */
export interface ExpansionBudget {
  addResource(): boolean;
  addEntries(count: number): boolean;
  addCharacters(count: number): boolean;
}

/** Creates the budget of one target. */
export function createBudget(): ExpansionBudget {
  const addResources = counter(MAX_EXPANDED_RESOURCES);
  return {
    addResource: () => addResources(1),
    addEntries: counter(MAX_INCLUDED_ENTRIES),
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
