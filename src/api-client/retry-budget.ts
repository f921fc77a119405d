/** Limits the retries of a whole run, to protect an overloaded service: a reserve, and one more for every five successes. */
export interface Budget {
  /** Uses one retry; returns false where none is left. */
  spend(): boolean;
  /** Records a successful request. */
  earn(): void;
  /** Number of retries so far. */
  spent(): number;
}

/** Initial and maximum number of retries: enough for a short restart of the service at maximum concurrency. */
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
