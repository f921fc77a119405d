import { expect, it } from 'vitest';
import { drmPolicyViews } from '../../../../src/core/kinds/drm-policy/views.ts';
import { change, field } from '../../../report/documents.ts';

const diagramOf = (...paths: readonly string[]) =>
  drmPolicyViews.diagram(change('drm-policy/a', { fields: paths.map((path) => field(path, 1, 2)) }));
const placesOf = (...paths: readonly string[]) => diagramOf(...paths)?.settings.map(({ system, track, path }) => [system, track, path]);

it('the diagram of a policy assigns each setting to its system and track, whatever form the system gives it', () => {
  expect(
    placesOf(
      '/widevine/content_key_specs/HD/required_output_protection/hdcp',
      '/playready/uhd1/security_level',
      '/fairplay/hd/allow_airplay',
      '/widevine/content_key_specs/AUDIO',
      '/policy_name',
    ),
  ).toEqual([
    ['Widevine', 'HD', '/required_output_protection/hdcp'],
    ['PlayReady', 'UHD1', '/security_level'],
    ['FairPlay', 'HD', '/allow_airplay'],
    ['Widevine', 'audio', ''],
  ]);
});

it('the diagram of a policy assigns a setting without a known track to the whole system', () => {
  expect(placesOf('/widevine/policy_overrides/can_persist', '/widevine/content_key_specs/constructor/security_level')).toEqual([
    ['Widevine', 'whole system', '/policy_overrides/can_persist'],
    ['Widevine', 'whole system', '/content_key_specs/constructor/security_level'],
  ]);
});

it('the diagram of a policy shows the columns of combined tracks and of the whole system only where a setting needs them', () => {
  expect(diagramOf('/fairplay/hd/allow_airplay')?.tracks).toEqual(['SD', 'HD', 'UHD1', 'UHD2']);
  expect(diagramOf('/widevine/content_key_specs/ALL_VIDEO/x', '/widevine/x')?.tracks).toEqual([
    'whole system',
    'all video',
    'SD',
    'HD',
    'UHD1',
    'UHD2',
  ]);
});

it.each(['/policy_name', '/widevine', '/vmp_reject_statuses', '', '/constructor/hd/x'])(
  'the diagram of a policy leaves out the field "%s"',
  (path) => {
    expect(diagramOf(path)).toBeNull();
  },
);
