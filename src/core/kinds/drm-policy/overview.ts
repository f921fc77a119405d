/** The data of policies for the page of the whole account (`export --format html`): every setting, so that policies can be compared. */
import type { KindOverview } from '../../model/account-overview.ts';
import type { LiveObject } from '../kind.ts';
import { canonicalFieldsOf } from './declare.ts';
import { SYSTEMS } from './diagram.ts';
import { asFields, TRACKS } from './model.ts';

/** Returns all policies with all their settings. */
export function overview(objects: readonly LiveObject[]): KindOverview {
  // Every track is shown with the defaults of an element, also one that the default list leaves out.
  const defaults = canonicalFieldsOf({});
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
