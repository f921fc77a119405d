/** Keeps output in the order of the targets, whichever is ready first. */
export interface OutputOrder {
  /**
   * Writes at once where the output of all earlier targets is complete, else as soon as it is. What comes after the output was declared
   * complete is written at once, too. `place` counts the targets from 0.
   */
  at(place: number, write: () => void): void;
  /** Says that the output of this target is complete. */
  close(place: number): void;
}

/** Creates the order of one run; the target at place 0 comes first. */
export function createOutputOrder(): OutputOrder {
  const waiting = new Map<number, (() => void)[]>();
  const closed = new Set<number>();
  let current = 0;
  return {
    at(place, write) {
      if (place <= current) write();
      else waiting.set(place, [...(waiting.get(place) ?? []), write]);
    },
    close(place) {
      closed.add(place);
      while (closed.has(current)) {
        current += 1;
        for (const write of waiting.get(current) ?? []) write();
        waiting.delete(current);
      }
    },
  };
}
