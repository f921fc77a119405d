/** Keeps things in the order of their places, whichever is ready first. */
export interface Turns {
  /** Does this at once where all earlier places are closed, else as soon as they are. */
  at(place: number, act: () => void): void;
  /** Nothing more happens at this place. */
  close(place: number): void;
}

/** Turns of which place 0 is the first. */
export function createTurns(): Turns {
  const waiting = new Map<number, (() => void)[]>();
  const closed = new Set<number>();
  let current = 0;
  return {
    at(place, act) {
      if (place === current) act();
      else waiting.set(place, [...(waiting.get(place) ?? []), act]);
    },
    close(place) {
      closed.add(place);
      while (closed.has(current)) {
        current += 1;
        for (const act of waiting.get(current) ?? []) act();
        waiting.delete(current);
      }
    },
  };
}
