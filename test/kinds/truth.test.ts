import { expect, test } from 'vitest';
import { assess, loosens, NEUTRAL, tightens } from '../../src/kinds/kind.ts';
import { mirrors, signOf } from './truth.ts';

test('verdicts have one sign together', () => {
  const [plus, minus, open] = [assess(tightens('more')), assess(loosens('less')), assess(loosens('it does not say how much'))];
  const changes = [[NEUTRAL], [NEUTRAL, plus], [minus, NEUTRAL], [plus, minus], [open], [open, minus], [open, plus]];
  expect(changes.map(signOf)).toEqual(['=', 'T', 'L', '±', '?', 'L', '±']);
  expect(signOf([assess(loosens('less'), tightens('more'))])).toBe('±');
});

test('what tightens one way loosens the other way, and nothing is neutral one way only', () => {
  const [plus, minus, open] = [assess(tightens('more')), assess(loosens('less')), assess(loosens('it does not say how much'))];
  const both = assess(loosens('less'), tightens('more'));
  const openAndPlus = assess(loosens('it does not say how much'), tightens('more'));
  const all = { '=': NEUTRAL, T: plus, L: minus, '±': both, '?': open, '?T': openAndPlus };
  const table = Object.entries(all).map(([sign, there]) => {
    const fitting = Object.entries(all).filter(([, back]) => mirrors([there], [back]));
    return `${sign} | ${fitting.map(([back]) => back).join(' ')}`;
  });
  expect(table).toEqual(['= | =', 'T | L ?', 'L | T ?T', '± | ± ?T', '? | T ? ?T', '?T | L ± ? ?T']);
});

test.each([
  ['another effect than its reasons', { effect: 'tightens', reasons: [loosens('less')] } as const],
  ['an effect without a reason', { effect: 'loosens', reasons: [] } as const],
  ['a reason without words', assess(loosens(' '))],
])('a verdict with %s breaks the contract', (_name, broken) => {
  expect(() => signOf([broken])).toThrow();
});
