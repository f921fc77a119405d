/** The signs of effects in truth tables: `=` neutral, `T` tightens, `L` loosens, `±` both, `?` loosens only because the documents do not say. */
import { expect } from 'vitest';
import { combineEffects, type RiskAssessment } from '../../src/model/change.ts';

/** The sign of verdicts taken together. Holds each of them to the contract: neutral without reasons, else the effect of its reasons, in words. */
export function signOf(assessments: readonly RiskAssessment[]): string {
  for (const { effect, reasons } of assessments) {
    expect(effect).toBe(combineEffects(reasons));
    for (const { text } of reasons) expect(text).toMatch(/^\S.*\S$/);
  }
  const reasons = assessments.flatMap((assessment) => assessment.reasons);
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
export function mirrors(there: readonly RiskAssessment[], back: readonly RiskAssessment[]): boolean {
  return isAnswered(there, back) && isAnswered(back, there);
}

function isAnswered(there: readonly RiskAssessment[], back: readonly RiskAssessment[]): boolean {
  const [asked, answers] = [there, back].map((assessments) => assessments.flatMap(({ reasons }) => reasons));
  const has = (effect: 'tightens' | 'loosens') => answers?.some((reason) => reason.effect === effect) === true;
  return (
    asked?.every(({ effect, text }) => (effect === 'tightens' ? has('loosens') : has('tightens') || (isOpen(text) && has('loosens')))) ===
    true
  );
}
