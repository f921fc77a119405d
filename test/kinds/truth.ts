/** The signs of effects in truth tables: `=` neutral, `T` tightens, `L` loosens, `±` both, `?` loosens only because the documents do not say. */
import { expect } from 'vitest';
import { overall, type Verdict } from '../../src/model/change.ts';

/** The sign of verdicts taken together. Holds each of them to the contract: neutral without reasons, else the effect of its reasons, in words. */
export function signOf(verdicts: readonly Verdict[]): string {
  for (const { effect, reasons } of verdicts) {
    expect(effect).toBe(overall(reasons));
    for (const { text } of reasons) expect(text).toMatch(/^\S.*\S$/);
  }
  const reasons = verdicts.flatMap((verdict) => verdict.reasons);
  const effects = new Set(reasons.map(({ effect }) => effect));
  if (effects.size === 2) return '±';
  if (effects.has('tightens')) return 'T';
  if (effects.has('loosens')) return reasons.every(({ text }) => isOpen(text)) ? '?' : 'L';
  return '=';
}

/** Whether a reason says that nobody can tell: such a change loosens from both ends. */
function isOpen(text: string): boolean {
  return /do(es)? not say/.test(text);
}

/**
 * Whether verdicts may stand on the way back of the others: what tightens one way loosens the other way, and what certainly loosens tightens.
 * What nobody can tell loosens from both ends.
 */
export function mirrors(there: readonly Verdict[], back: readonly Verdict[]): boolean {
  return isAnswered(there, back) && isAnswered(back, there);
}

function isAnswered(there: readonly Verdict[], back: readonly Verdict[]): boolean {
  const [asked, answers] = [there, back].map((verdicts) => verdicts.flatMap(({ reasons }) => reasons));
  const has = (effect: 'tightens' | 'loosens') => answers?.some((reason) => reason.effect === effect) === true;
  return (
    asked?.every(({ effect, text }) => (effect === 'tightens' ? has('loosens') : has('tightens') || (isOpen(text) && has('loosens')))) ===
    true
  );
}
