/** What of live policies the account at a glance shows: every setting, so that policies can be compared. */
import type { KindOverview } from '../../model/account-overview.ts';
import type { LiveObject } from '../kind.ts';
import { settingsOf } from './declare.ts';
import { SYSTEMS } from './diagram.ts';

/** Returns all policies with all their settings. */
export function overview(objects: readonly LiveObject[]): KindOverview {
  return {
    type: 'policies',
    policies: objects.map(({ id, remoteName, fields: { policy_name: _name, ...settings } }) => ({ id, name: remoteName, settings })),
    defaults: settingsOf({}),
    systems: Object.fromEntries(SYSTEMS),
  };
}
