/** The requests of a change, and what their answers say (drm-api-v3 sections 4.1 and 4.2). */

import { malformed } from '../../api-client/errors.ts';
import { isObject } from '../../model/json.ts';
import { asInteger } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { DesiredResource, PlannedChange, WriteRequest, WriteResult } from '../kind.ts';
import { configsOf, liveOf, pathOf } from './api.ts';

/** The one request of a change: a policy is sent with all that is declared, since what is left out is reset (drm-api-v3 section 4.1). */
export function requests({ desired, live }: PlannedChange): readonly WriteRequest[] {
  if (!desired) return live ? [{ method: 'DELETE', path: pathOf(live.id), repeatable: false }] : [];
  const identity = { ...(live ? { _id: live.id } : {}), policy_name: desired.name };
  const path = '/api/v3/drm/policies/create-or-update';
  return [{ method: 'POST', path, body: { ...identity, ...desired.declared }, repeatable: live !== null }];
}

/** Every answer shows the policies of the account; of a policy that was sent it must show every setting as desired. @throws ServiceError (`malformed`) */
export function parseWriteResponse({ desired, live }: PlannedChange, write: WriteRequest, body: unknown): WriteResult {
  const configs = configsOf(write, body);
  if (!desired) return { state: 'done' };
  const index = configs.findIndex((config) => isObject(config) && (live ? config._id === live.id : config.policy_name === desired.name));
  if (index < 0) throw malformed(write, `its configs lack the policy ${desired.name}`);
  const config = configs[index];
  const shown = liveOf(write, config, index);
  const reason = (live ? undefined : overwritten(config, desired)) ?? describeWriteMismatch(desired.fields, shown.fields);
  return reason === undefined ? { state: 'done', id: shown.id } : { state: 'failed', reason };
}

/** Two clocks of the service may differ by so much, in milliseconds. */
const SLACK = 1000;

/** A create goes by name, and updates a policy that has it (drm-api-v3 section 4.1): what is older than its last change was there before. */
function overwritten(config: unknown, { name }: DesiredResource): string | undefined {
  const [created, lastmod] = isObject(config) ? [asInteger(config.created), asInteger(config.lastmod)] : [];
  if (created === undefined || lastmod === undefined || lastmod - created <= SLACK) return undefined;
  return `a policy named ${name} existed, although the list did not show it, and this create has overwritten its settings`;
}
