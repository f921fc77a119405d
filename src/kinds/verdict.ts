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

/** Names out of the account or the configuration as part of a reason: in sorted order, quoted where they are more than one plain word. */
export function named(names: Iterable<string>): string {
  const quoted = (name: string) => (/^[\w.:-]+$/.test(name) ? name : JSON.stringify(name));
  return [...names].sort().map(quoted).join(', ');
}
