import { expect, test } from 'vitest';
import { assess, loosens, NEUTRAL, tightens } from '../../../src/core/kinds/kind.ts';
import { areOpposite, effectSign } from './effect-signs.ts';

test('the risk assessments of all fields combine to one sign', () => {
  const [tightening, loosening, undocumented] = [
    assess(tightens('more')),
    assess(loosens('less')),
    assess(loosens('it does not say how much')),
  ];
  const changes = [
    [NEUTRAL],
    [NEUTRAL, tightening],
    [loosening, NEUTRAL],
    [tightening, loosening],
    [undocumented],
    [undocumented, loosening],
    [undocumented, tightening],
  ];
  expect(changes.map(effectSign)).toEqual(['=', 'T', 'L', '±', '?', 'L', '±']);
  expect(effectSign([assess(loosens('less'), tightens('more'))])).toBe('±');
});

test('reversing a tightening change loosens, and no change is neutral in one direction only', () => {
  const [tightening, loosening, undocumented] = [
    assess(tightens('more')),
    assess(loosens('less')),
    assess(loosens('it does not say how much')),
  ];
  const both = assess(loosens('less'), tightens('more'));
  const undocumentedAndTightening = assess(loosens('it does not say how much'), tightens('more'));
  const assessments = { '=': NEUTRAL, T: tightening, L: loosening, '±': both, '?': undocumented, '?T': undocumentedAndTightening };
  const table = Object.entries(assessments).map(([sign, forward]) => {
    const opposites = Object.entries(assessments).filter(([, backward]) => areOpposite([forward], [backward]));
    return `${sign} | ${opposites.map(([backward]) => backward).join(' ')}`;
  });
  expect(table).toEqual(['= | =', 'T | L ?', 'L | T ?T', '± | ± ?T', '? | T ? ?T', '?T | L ± ? ?T']);
});

test.each([
  ['another effect than its reasons', { effect: 'tightens', reasons: [loosens('less')] } as const],
  ['an effect without a reason', { effect: 'loosens', reasons: [] } as const],
  ['a reason without words', assess(loosens(' '))],
])('a risk assessment with %s violates the contract', (_name, broken) => {
  expect(() => effectSign([broken])).toThrow();
});
