/** Keeps output in the order of the targets, whichever is ready first. */
export interface OutputOrder {
  /**
   * Writes at once if the output of all earlier targets is complete, else as soon as it is. Output after `close` is written at once.
   * `place` is the index of the target, from 0.
   */
  at(place: number, write: () => void): void;
  /** Marks the output of this target as complete. */
  close(place: number): void;
}

/** Creates the output order of one run; the target at place 0 comes first. */
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
