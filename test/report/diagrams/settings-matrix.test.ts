import { expect, it } from 'vitest';
import { drmPolicyViews } from '../../../src/core/kinds/drm-policy/views.ts';
import type { FieldChange } from '../../../src/core/model/change.ts';
import { settingsMatrixOf } from '../../../src/report/diagrams/settings-matrix.ts';
import { change, field } from '../documents.ts';

const NONE: readonly never[] = [];

function matrixOf(...fields: readonly FieldChange[]) {
  const policy = drmPolicyViews.diagram(change('drm-policy/a', { fields }));
  if (!policy) throw new Error('the change has no diagram');
  return settingsMatrixOf(policy);
}

it('puts each setting of a policy in the row of its system and the column of its track', () => {
  const matrix = matrixOf(
    field('/widevine/content_key_specs/HD/security_level', 1, 3, { effect: 'strengthens' }),
    field('/widevine/content_key_specs/HD/required_output_protection/hdcp', 'HDCP_V1', null, { effect: 'weakens' }),
    field('/playready/uhd1/security_level', null, 2000),
    field('/fairplay/hd/allow_airplay', false, true),
    field('/policy_name', 'a', 'b'),
  );
  expect(matrix.columns).toEqual(['SD', 'HD', 'UHD1', 'UHD2']);
  expect(matrix.rows).toEqual([
    { name: 'FairPlay', cells: [NONE, [{ name: 'allow_airplay', before: 'false', after: 'true', effect: 'neutral' }], NONE, NONE] },
    {
      name: 'Widevine',
      cells: [
        NONE,
        [
          { name: 'security_level', before: '1', after: '3', effect: 'strengthens' },
          { name: 'required_output_protection.hdcp', before: 'HDCP_V1', after: null, effect: 'weakens' },
        ],
        NONE,
        NONE,
      ],
    },
    { name: 'PlayReady', cells: [NONE, NONE, [{ name: 'security_level', before: null, after: '2000', effect: 'neutral' }], NONE] },
  ]);
});

it('names settings of the whole system by their path, and a field that holds all settings of a track "all of it"', () => {
  const matrix = matrixOf(
    field('/widevine/content_key_specs/ALL_VIDEO/security_level', 1, 2),
    field('/widevine/content_key_specs/AUDIO', null, { security_level: 1 }),
    field('/widevine/policy_overrides/can_persist', true, false),
    field('/widevine/content_key_specs/constructor/security_level', 1, 2),
  );
  expect(matrix.columns).toEqual(['whole system', 'all video', 'SD', 'HD', 'UHD1', 'UHD2', 'audio']);
  expect(matrix.rows[1]?.cells[0]?.map(({ name }) => name)).toEqual([
    'policy_overrides.can_persist',
    'content_key_specs.constructor.security_level',
  ]);
  expect(matrix.rows[1]?.cells[6]).toEqual([{ name: 'all of it', before: null, after: '{"security_level":1}', effect: 'neutral' }]);
});
