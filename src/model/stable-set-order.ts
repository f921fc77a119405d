/** Orders a set like an existing list: items of the list keep their order, new items follow in the order of the set. */
export function keepOrder(list: readonly string[], set: readonly string[]): readonly string[] {
  return [...list.filter((item) => set.includes(item)), ...set.filter((item) => !list.includes(item))];
}
