/** Signs of effects in truth tables: `=` neutral, `S` strengthens, `W` weakens, `±` both, `?` weakens because the effect is undocumented. */
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
  if (effects.has('strengthens')) return 'S';
  if (effects.has('weakens')) return reasons.every(({ text }) => isUndocumented(text)) ? '?' : 'W';
  return '=';
}

/** Whether a reason says that the API documents leave the effect open: such a change weakens in both directions. */
function isUndocumented(text: string): boolean {
  return /do(es)? not say/.test(text);
}

/**
 * Whether the assessments of a change and of its reverse fit: strengthening reverses to weakening, and documented weakening to strengthening.
 * An undocumented effect weakens in both directions.
 */
export function areOpposite(forward: readonly RiskAssessment[], backward: readonly RiskAssessment[]): boolean {
  return hasCounterpart(forward, backward) && hasCounterpart(backward, forward);
}

function hasCounterpart(forward: readonly RiskAssessment[], backward: readonly RiskAssessment[]): boolean {
  const [expected, counterparts] = [forward, backward].map((assessments) => assessments.flatMap(({ reasons }) => reasons));
  const has = (effect: 'strengthens' | 'weakens') => counterparts?.some((reason) => reason.effect === effect) === true;
  return (
    expected?.every(({ effect, text }) =>
      effect === 'strengthens' ? has('weakens') : has('strengthens') || (isUndocumented(text) && has('weakens')),
    ) === true
  );
}
