import { expect, test } from 'vitest';
import { assess, NEUTRAL, strengthens, weakens } from '../../../src/core/kinds/kind.ts';
import { areOpposite, effectSign } from './effect-signs.ts';

test('the risk assessments of all fields combine to one sign', () => {
  const [strengthening, weakening, undocumented] = [
    assess(strengthens('more')),
    assess(weakens('less')),
    assess(weakens('it does not say how much')),
  ];
  const changes = [
    [NEUTRAL],
    [NEUTRAL, strengthening],
    [weakening, NEUTRAL],
    [strengthening, weakening],
    [undocumented],
    [undocumented, weakening],
    [undocumented, strengthening],
  ];
  expect(changes.map(effectSign)).toEqual(['=', 'S', 'W', '±', '?', 'W', '±']);
  expect(effectSign([assess(weakens('less'), strengthens('more'))])).toBe('±');
});

test('reversing a strengthening change weakens, and no change is neutral in one direction only', () => {
  const [strengthening, weakening, undocumented] = [
    assess(strengthens('more')),
    assess(weakens('less')),
    assess(weakens('it does not say how much')),
  ];
  const both = assess(weakens('less'), strengthens('more'));
  const undocumentedAndStrengthening = assess(weakens('it does not say how much'), strengthens('more'));
  const assessments = { '=': NEUTRAL, S: strengthening, W: weakening, '±': both, '?': undocumented, '?S': undocumentedAndStrengthening };
  const table = Object.entries(assessments).map(([sign, forward]) => {
    const opposites = Object.entries(assessments).filter(([, backward]) => areOpposite([forward], [backward]));
    return `${sign} | ${opposites.map(([backward]) => backward).join(' ')}`;
  });
  expect(table).toEqual(['= | =', 'S | W ?', 'W | S ?S', '± | ± ?S', '? | S ? ?S', '?S | W ± ? ?S']);
});

test.each([
  ['another effect than its reasons', { effect: 'strengthens', reasons: [weakens('less')] } as const, "to be 'weakens'"],
  ['an effect without a reason', { effect: 'weakens', reasons: [] } as const, "to be 'neutral'"],
  ['a reason without words', assess(weakens(' ')), 'to match'],
])('a risk assessment with %s violates the contract', (_name, broken, message) => {
  expect(() => effectSign([broken])).toThrow(message);
});
