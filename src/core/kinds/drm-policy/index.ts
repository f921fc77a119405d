import schema from '../../../../schemas/drm-policy.schema.json' with { type: 'json' };
import { type CollectionKind, NAME_CODES } from '../kind.ts';
import { find, get, read } from './api.ts';
import { changeDeclaredFields, configEdits } from './config-edits.ts';
import { allFields, canonicalFieldsOf, declare, SECTION } from './declare.ts';
import { followUpWarning } from './follow-up-warning.ts';
import { hiddenLicenseBeginWarnings } from './hidden-license-begin.ts';
import { assessPlayback } from './playback.ts';
import { parseWriteResponse, requests } from './requests.ts';
import { assessRisk, phase } from './risk.ts';
import { toConfig } from './to-config.ts';

/** DRM policies, matched by name; every update replaces a policy whole (drm-api-v3 section 4.1). */
export const drmPolicy: CollectionKind = {
  type: 'collection',
  name: 'drm-policy',
  applyOrder: 1,
  remoteNameField: 'policy_name',
  contentFields: ['fairplay', 'widevine', 'playready'],
  hasUniqueRemoteNames: true,
  whyFirstWeaken:
    'these are the first policies, and until one exists, playback URLs that name it may get the default policy: a weaker one weakens, unless no URL names it yet',
  hasPartialUpdates: false,
  sections: [{ key: SECTION, addressPrefix: 'drm-policy/', singular: 'drm_policy' }],
  schema,
  findingCodes: {
    'control-character': { meaning: 'control characters in a name' },
    'tracks-not-covered': { meaning: '`content_key_specs` that leave out tracks, which is right only for content without these tracks' },
    ...NAME_CODES,
    'lease-duration-without-lease': { meaning: 'a FairPlay lease duration without `lease`' },
    'duration-without-switch': { meaning: 'a FairPlay duration whose switch is off' },
    'offline-duration-without-can-persist': { meaning: 'a Widevine rental duration, which works offline only, without `can_persist`' },
    'tracks-overlap': { meaning: 'track types that overlap, such as ALL beside HD' },
    'level-with-hdcp-none': { meaning: 'a security level of 3 to 5 with HDCP_NONE' },
    'hdcp-type-1-without-effect': { meaning: '`require_hdcp_type_1` below level 250' },
    'cgms-on-desktop': { meaning: '`cgms_flags` for a policy that desktop browsers use' },
    'reserved-field': { meaning: 'a field that the API document reserves' },
    'testing-only': { meaning: 'a setting that the API document advises for tests only' },
    'policy-name-in-urls': { meaning: 'policies that are deleted or renamed, while playback URLs may name them', needs: 'run' },
    'hidden-license-begin': {
      meaning: 'updates of policies that set a `license_begin_seconds` which the service does not show',
      needs: 'run',
    },
    'track-twice': { meaning: 'a track type in two elements', isFixed: true },
    'level-without-hdcp': { meaning: 'a security level without `hdcp` beside it', isFixed: true },
    'overrides-without-can-play': { meaning: '`policy_overrides` without `can_play`', isFixed: true },
    'duration-without-persistence': { meaning: 'a FairPlay offline duration without persistence', isFixed: true },
  },
  spotChecksPerPlan: 20,
  idAddress: (live) => `drm-policy/~${live.id}`,
  declare,
  defaults: () => canonicalFieldsOf({}),
  allFields,
  changeDeclaredFields,
  assessRisk,
  assessPlayback,
  followUpWarnings: (changes) => [...followUpWarning(changes), ...hiddenLicenseBeginWarnings(changes)],
  phase,
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
  get,
  find,
};
