/** Random numbers that a seed repeats, for mutants that one command can bring back. */

/** A source of random choices. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** One of the items. @throws Error where there is none */
  of<Item>(items: readonly Item[]): Item;
}

/** The stream of choices of one mutant (splitmix32 over seed and number). */
export function randomOf(seed: number, number: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    const first = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    const second = Math.imul(first ^ (first >>> 15), 0x735a2d97);
    return (second ^ (second >>> 15)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    of(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
  };
}
