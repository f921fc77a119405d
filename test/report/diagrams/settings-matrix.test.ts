import { expect, it } from 'vitest';
import { isInSettingsMatrix, settingsMatrixOf } from '../../../src/report/diagrams/settings-matrix.ts';
import { field } from '../documents.ts';

const NONE: readonly never[] = [];

it('stands each setting at its system and track, however the system writes it', () => {
  const board = settingsMatrixOf([
    field('/widevine/content_key_specs/HD/security_level', 1, 3, { effect: 'tightens' }),
    field('/widevine/content_key_specs/HD/required_output_protection/hdcp', 'HDCP_V1', null, { effect: 'loosens' }),
    field('/playready/uhd1/security_level', null, 2000),
    field('/fairplay/hd/allow_airplay', false, true),
    field('/policy_name', 'a', 'b'),
  ]);
  expect(board?.columns).toEqual(['SD', 'HD', 'UHD1', 'UHD2']);
  expect(board?.rows).toEqual([
    { name: 'FairPlay', cells: [NONE, [{ name: 'allow_airplay', before: 'false', after: 'true', effect: 'neutral' }], NONE, NONE] },
    {
      name: 'Widevine',
      cells: [
        NONE,
        [
          { name: 'security_level', before: '1', after: '3', effect: 'tightens' },
          { name: 'required_output_protection.hdcp', before: 'HDCP_V1', after: null, effect: 'loosens' },
        ],
        NONE,
        NONE,
      ],
    },
    { name: 'PlayReady', cells: [NONE, NONE, [{ name: 'security_level', before: null, after: '2000', effect: 'neutral' }], NONE] },
  ]);
});

it('has a column for tracks together and for what belongs to none only where it is needed', () => {
  const board = settingsMatrixOf([
    field('/widevine/content_key_specs/ALL_VIDEO/security_level', 1, 2),
    field('/widevine/content_key_specs/AUDIO', null, { security_level: 1 }),
    field('/widevine/policy_overrides/can_persist', true, false),
    field('/widevine/content_key_specs/constructor/security_level', 1, 2),
  ]);
  expect(board?.columns).toEqual(['whole system', 'all video', 'SD', 'HD', 'UHD1', 'UHD2', 'audio']);
  expect(board?.rows[1]?.cells[0]?.map(({ name }) => name)).toEqual([
    'policy_overrides.can_persist',
    'content_key_specs.constructor.security_level',
  ]);
  expect(board?.rows[1]?.cells[6]).toEqual([{ name: 'all of it', before: null, after: '{"security_level":1}', effect: 'neutral' }]);
});

it('leaves other fields to words', () => {
  for (const path of ['/policy_name', '/widevine', '/vmp_reject_statuses', '', '/constructor/hd/x']) {
    expect(isInSettingsMatrix(field(path, 1, 2))).toBe(false);
    expect(settingsMatrixOf([field(path, 1, 2)])).toBeNull();
  }
});
