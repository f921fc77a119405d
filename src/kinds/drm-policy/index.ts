import schema from '../../../schemas/drm-policy.schema.json' with { type: 'json' };
import type { CollectionKind } from '../kind.ts';
import { find, get, read } from './api.ts';
import { configEdits } from './config-edits.ts';
import { declare, SECTION, settingsOf } from './declare.ts';
import { diagram } from './diagram.ts';
import { parseWriteResponse, requests } from './requests.ts';
import { assessRisk, phase } from './risk.ts';
import { toConfig } from './to-config.ts';

/** DRM policies, matched by name; every update replaces a policy whole (drm-api-v3 section 4.1). */
export const drmPolicy: CollectionKind = {
  type: 'collection',
  name: 'drm-policy',
  applyOrder: 1,
  remoteNameField: 'policy_name',
  uniqueRemoteNames: true,
  partialUpdates: false,
  sections: [{ key: SECTION, declares: 'drm-policy/' }],
  schema,
  overridableCodes: [
    'cgms-on-desktop',
    'duration-without-switch',
    'hdcp-type-1-without-effect',
    'lease-duration-without-lease',
    'level-with-hdcp-none',
    'offline-duration-without-can-persist',
    'overrides-without-license-duration',
    'reserved-field',
    'testing-only',
    'tracks-overlap',
  ],
  existenceChecksPerPlan: 20,
  idAddress: (live) => `drm-policy/~${live.id}`,
  declare,
  defaults: () => settingsOf({}),
  assessRisk,
  phase,
  requests,
  parseWriteResponse,
  read,
  toConfig,
  configEdits,
  diagram,
  get,
  find,
};
