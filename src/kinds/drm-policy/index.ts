import schema from '../../../schemas/drm-policy.schema.json' with { type: 'json' };
import type { Kind } from '../kind.ts';
import { effects, phase } from './effects.ts';
import { express } from './express.ts';
import { find, get, read } from './remote.ts';
import { restate } from './restate.ts';
import { declare, SECTION, settingsOf } from './spec.ts';
import { settle, writes } from './writes.ts';

/** DRM policies: documents that are replaced whole by every update (drm-api-v3 section 4.1), known by their name. */
export const drmPolicy: Kind = {
  name: 'drm-policy',
  place: 1,
  addresses: ['drm-policy/'],
  singleton: false,
  uniqueLabels: true,
  partialUpdates: false,
  sections: [{ key: SECTION, manages: true }],
  schema,
  codes: [
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
  probes: 20,
  undeclared: (live) => `drm-policy/~${live.id}`,
  declare,
  defaults: () => settingsOf({}),
  effects,
  phase,
  writes,
  settle,
  read,
  express,
  restate,
  get,
  find,
};
