/** What of live policies the account at a glance shows: every setting, so that policies can be compared. */
import type { KindOverview } from '../../model/account-overview.ts';
import type { LiveObject } from '../kind.ts';
import { settingsOf } from './declare.ts';
import { SYSTEMS } from './diagram.ts';
import { asFields, TRACKS } from './model.ts';

/** Returns all policies with all their settings. */
export function overview(objects: readonly LiveObject[]): KindOverview {
  // Every track has the defaults of an element, whichever tracks the default list names.
  const defaults = settingsOf({});
  const widevine = asFields(defaults.widevine);
  const specs = asFields(widevine.content_key_specs);
  return {
    type: 'policies',
    policies: objects.map(({ id, remoteName, fields: { policy_name: _name, ...settings } }) => ({ id, name: remoteName, settings })),
    defaults: {
      ...defaults,
      widevine: { ...widevine, content_key_specs: Object.fromEntries(TRACKS.map((track) => [track, specs.ALL ?? {}])) },
    },
    systems: Object.fromEntries(SYSTEMS),
  };
}
