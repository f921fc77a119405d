/** What the truth tables of the static key do not cover: the field and the text of each risk. */
import { expect, test } from 'vitest';
import type { StaticKeyFields } from '../../../../src/core/kinds/static-key/declare.ts';
import { staticKey } from '../../../../src/core/kinds/static-key/index.ts';
import type { RiskAssessment } from '../../../../src/core/model/change.ts';
import { differencesOf } from '../../../../src/core/plan/diff-resources.ts';
import { declareServices, liveSetting, onlyItem } from '../fixtures.ts';

/** A scope in the words of the table: `all`, `none`, `all+x` and `none+x` with a list left over, else the slicers. */
function fieldsOf(word: string): StaticKeyFields {
  const [scope = '', left] = word.split('+');
  if (scope === 'all' || scope === 'none') return { scope, slicer_ids: left === undefined ? [] : [left] };
  return { scope: 'specific', slicer_ids: word.split(',') };
}

function riskOf(before: string, after: string): readonly RiskAssessment[] {
  const { scope, slicer_ids } = fieldsOf(after);
  const static_key = scope === 'specific' ? { scope, slicer_ids } : { scope };
  const desired = onlyItem(staticKey.declare({ static_key }, declareServices).resources);
  const object = liveSetting(fieldsOf(before));
  return staticKey.assessRisk({ action: 'update', after: desired, before: object, fields: differencesOf(staticKey, desired, object, 0) });
}

test.each([
  ['none', 'a,b', ['weakens a, b will use the static key']],
  ['none', 'all', ['weakens every live slicer will use the static key']],
  ['a,b', 'all', ['weakens every live slicer will use the static key, not only a, b']],
  ['a', 'b', ['weakens b will use the static key', 'strengthens a will use the static key no longer']],
  ['a,b', 'none', ['strengthens a, b will use the static key no longer']],
  ['all', 'a,b', ['strengthens only a, b will use the static key']],
  ['none+a', 'a', ['weakens a will use the static key']],
  ['all+a', 'none', ['strengthens no live slicer will use the static key']],
])('the risk from %s to %s has its reasons in plain words', (before, after, expected) => {
  const said = riskOf(before, after).flatMap(({ reasons }) => reasons.map(({ effect, text }) => `${effect} ${text}`));
  expect(said).toEqual(expected);
});

test('scope and slicers together are assessed once, at the first of them', () => {
  expect(riskOf('none', 'a').map(({ effect }) => effect)).toEqual(['weakens', 'neutral']);
  expect(riskOf('all+a', 'none').map(({ effect }) => effect)).toEqual(['strengthens', 'neutral']);
  expect(riskOf('all+a', 'all')).toEqual([]);
});
