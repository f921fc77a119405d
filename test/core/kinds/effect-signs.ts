/** Signs of effects in truth tables: `=` neutral, `T` tightens, `L` loosens, `±` both, `?` loosens because the effect is undocumented. */
import { expect } from 'vitest';
import { combineEffects, type RiskAssessment } from '../../../src/core/model/change.ts';

/** Returns the combined sign of assessments. Asserts that each effect follows from its reasons, and that each reason has a text. */
export function effectSign(assessments: readonly RiskAssessment[]): string {
  for (const { effect, reasons } of assessments) {
    expect(effect).toBe(combineEffects(reasons));
    for (const { text } of reasons) expect(text).toMatch(/^\S.*\S$/);
  }
  const reasons = assessments.flatMap((assessment) => assessment.reasons);
  const effects = new Set(reasons.map(({ effect }) => effect));
  if (effects.size === 2) return '±';
  if (effects.has('tightens')) return 'T';
  if (effects.has('loosens')) return reasons.every(({ text }) => isUndocumented(text)) ? '?' : 'L';
  return '=';
}

/** Whether a reason says that the API documents leave the effect open: such a change loosens in both directions. */
function isUndocumented(text: string): boolean {
  return /do(es)? not say/.test(text);
}

/**
 * Whether the assessments of a change and of its reverse fit: tightening reverses to loosening, and documented loosening to tightening.
 * An undocumented effect loosens in both directions.
 */
export function areOpposite(forward: readonly RiskAssessment[], backward: readonly RiskAssessment[]): boolean {
  return hasCounterpart(forward, backward) && hasCounterpart(backward, forward);
}

function hasCounterpart(forward: readonly RiskAssessment[], backward: readonly RiskAssessment[]): boolean {
  const [expected, counterparts] = [forward, backward].map((assessments) => assessments.flatMap(({ reasons }) => reasons));
  const has = (effect: 'tightens' | 'loosens') => counterparts?.some((reason) => reason.effect === effect) === true;
  return (
    expected?.every(({ effect, text }) =>
      effect === 'tightens' ? has('loosens') : has('tightens') || (isUndocumented(text) && has('loosens')),
    ) === true
  );
}
