/** Groups items by key, each group in the order of the items. Node 20 has no `Map.groupBy`. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Orders a set like an existing list: items of the list keep their order, new items follow in the order of the set. */
export function keepOrder(list: readonly string[], set: readonly string[]): readonly string[] {
  return [...list.filter((item) => set.includes(item)), ...set.filter((item) => !list.includes(item))];
}

/** Returns the first texts of a list, and after them how many there are besides. */
export function firstOf(texts: readonly string[], most: number): readonly string[] {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Joins the first texts of a list with commas, and says how many there are besides: `a, b and 3 more`. */
export function listOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Joins texts with commas and `and`: `a, b and c`. */
export function joinAnd(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
