/** A set as a list that is written already: what stays keeps its place, what is new comes last in its own order. */
export function keepOrder(written: readonly string[], set: readonly string[]): readonly string[] {
  return [...written.filter((item) => set.includes(item)), ...set.filter((item) => !written.includes(item))];
}
