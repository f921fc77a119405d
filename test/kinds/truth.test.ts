import { describe, expect, test } from 'vitest';
import { loosens, NEUTRAL, tightens, verdict } from '../../src/kinds/kind.ts';
import { cells, mirrors, signOf } from './truth.ts';

describe('a truth table', () => {
  test('is read cell by cell', () => {
    expect(
      cells(`
           a  b
        a  .  +
        b  -  .`),
    ).toEqual([
      ['a', 'a', '.'],
      ['a', 'b', '+'],
      ['b', 'a', '-'],
      ['b', 'b', '.'],
    ]);
  });

  test('has as many cells in each line as it has columns', () => {
    expect(() => cells('a b\na .')).toThrow('a has 1 cells for 2 columns');
  });
});

test('verdicts have one sign together', () => {
  const [plus, minus, open] = [verdict(tightens('more')), verdict(loosens('less')), verdict(loosens('it does not say how much'))];
  expect([[NEUTRAL], [NEUTRAL, plus], [minus, NEUTRAL], [plus, minus], [open]].map(signOf)).toEqual(['.', '+', '-', '±', '?']);
  expect(signOf([verdict(loosens('less'), tightens('more'))])).toBe('±');
});

test('what tightens one way loosens the other way, and nothing is neutral one way only', () => {
  const [plus, minus, open] = [verdict(tightens('more')), verdict(loosens('less')), verdict(loosens('it does not say how much'))];
  const both = verdict(loosens('less'), tightens('more'));
  const openAndPlus = verdict(loosens('it does not say how much'), tightens('more'));
  const all = { '.': NEUTRAL, '+': plus, '-': minus, '±': both, '?': open, '?+': openAndPlus };
  const table = Object.entries(all).map(([sign, there]) => {
    const fitting = Object.entries(all).filter(([, back]) => mirrors([there], [back]));
    return `${sign} | ${fitting.map(([back]) => back).join(' ')}`;
  });
  expect(table).toEqual(['. | .', '+ | - ?', '- | + ?+', '± | ± ?+', '? | + ? ?+', '?+ | - ± ? ?+']);
});

test.each([
  ['another effect than its reasons', { effect: 'tightens', reasons: [loosens('less')] } as const],
  ['an effect without a reason', { effect: 'loosens', reasons: [] } as const],
  ['a reason without words', verdict(loosens(' '))],
])('a verdict with %s breaks the contract', (_name, broken) => {
  expect(() => signOf([broken])).toThrow();
});
