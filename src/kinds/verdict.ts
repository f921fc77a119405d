import { overall, type Reason, type Verdict } from '../model/change.ts';

/** The verdict on a field that has nothing to do with protection. */
export const NEUTRAL: Verdict = { effect: 'neutral', reasons: [] };

/** The verdict that these reasons come to: `loosens` wins, and all are listed. */
export function verdict(...reasons: readonly Reason[]): Verdict {
  return { effect: overall(reasons), reasons };
}

/** A reason why protection gets weaker. */
export function loosens(text: string): Reason {
  return { effect: 'loosens', text };
}

/** A reason why protection gets stronger. */
export function tightens(text: string): Reason {
  return { effect: 'tightens', text };
}
