/**
 * Truth tables of effects, laid out to be reviewed line by line: a line is what was, a column what will be.
 * A cell says `.` neutral, `+` tightens, `-` loosens, `±` both, `?` loosens because the documents do not say.
 */
import { expect } from 'vitest';
import { overall, type Verdict } from '../../src/model/change.ts';

/** One cell of a table. */
export type Cell = readonly [before: string, after: string, sign: string];

/** The cells of a table: its first line names the columns, each other line begins with its name. */
export function cells(table: string): readonly Cell[] {
  const [head = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([before = '', ...signs]) => {
    if (signs.length !== head.length) throw new Error(`${before} has ${signs.length} cells for ${head.length} columns`);
    return head.map((after, index): Cell => [before, after, signs[index] ?? '']);
  });
}

/** The sign of verdicts taken together. Holds each of them to the contract: neutral without reasons, else the effect of its reasons, in words. */
export function signOf(verdicts: readonly Verdict[]): string {
  for (const { effect, reasons } of verdicts) {
    expect(effect).toBe(overall(reasons));
    for (const { text } of reasons) expect(text).toMatch(/^\S.*\S$/);
  }
  const reasons = verdicts.flatMap((verdict) => verdict.reasons);
  const effects = new Set(reasons.map(({ effect }) => effect));
  if (effects.size === 2) return '±';
  if (effects.has('tightens')) return '+';
  if (effects.has('loosens')) return reasons.some(({ text }) => isOpen(text)) ? '?' : '-';
  return '.';
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
