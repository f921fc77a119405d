/** The retries of a whole run, so that a service in trouble is not hammered: a reserve, and one more for every five successes. */
export interface Budget {
  /** Takes a retry; false where none is left. */
  spend(): boolean;
  /** A request succeeded. */
  earn(): void;
  /** Retries so far. */
  spent(): number;
}

/** Enough for a short restart of the service under the widest flight, and the most that can be saved up. */
const RESERVE = 100;
const PER_SUCCESS = 0.2;

export function retryBudget(): Budget {
  let left = RESERVE;
  let spent = 0;
  return {
    spend() {
      if (left < 1) return false;
      left--;
      spent++;
      return true;
    },
    earn() {
      left = Math.min(RESERVE, left + PER_SUCCESS);
    },
    spent: () => spent,
  };
}
