/** Builds the requests of a change and reads their responses (drm-api-v3 sections 4.1 and 4.2). */

import { malformed } from '../../api-client/errors.ts';
import { isJsonObject, isObject, type JsonObject } from '../../model/json.ts';
import { asInteger } from '../../model/json-readers.ts';
import { describeWriteMismatch } from '../../model/write-mismatch.ts';
import type { LiveObject, ResourceChange, WriteRequest, WriteResult } from '../kind.ts';
import { CREATE_OR_UPDATE, configsOf, liveOf, pathOf } from './api.ts';
import { remoteNameOf } from './declare.ts';

/**
 * Builds the one request of a change. It contains all declared settings, since the service resets absent ones (drm-api-v3 section 4.1). A
 * create and a delete are sent at most once (design section 4, rule 4).
 */
export function requests({ desired, live }: ResourceChange<LiveObject>): readonly WriteRequest[] {
  if (desired === null) return [{ method: 'DELETE', path: pathOf(live.id), repeatable: false }];
  const identity = { ...(live ? { _id: live.id } : {}), policy_name: remoteNameOf(desired) };
  return [{ method: 'POST', path: CREATE_OR_UPDATE, body: { ...identity, ...desired.declaredFields }, repeatable: live !== null }];
}

/**
 * Reads a response, which contains the policies of the account; every setting of the written policy must be as desired.
 * @throws ApiError (`malformed`)
 */
export function parseWriteResponse({ desired, live }: ResourceChange<LiveObject>, write: WriteRequest, body: unknown): WriteResult {
  const configs = configsOf(write, body);
  if (!desired) return { state: 'done' };
  const name = remoteNameOf(desired);
  const index = configs.findIndex((config) => isObject(config) && (live ? config._id === live.id : config.policy_name === name));
  if (index < 0) throw malformed(write, `its configs lack the policy ${name}`);
  const config = configs[index];
  const actual = liveOf(write, config, index);
  const overwritten = live ? undefined : overwroteExisting(config, name);
  if (overwritten !== undefined) return { state: 'failed', reason: overwritten };
  const reason = describeWriteMismatch(withoutLicenseBegin(desired.fields, actual), withoutLicenseBegin(actual.fields, actual));
  if (reason === undefined) return { state: 'done', id: actual.id };
  return { state: 'failed', reason, ...(live ? {} : { id: actual.id }) };
}

/** Returns the fields of a policy without `license_begin_seconds`, where the response may leave it out. */
function withoutLicenseBegin(fields: JsonObject, { maybeMissingInRead }: LiveObject): JsonObject {
  if (!maybeMissingInRead || !isJsonObject(fields.playready)) return fields;
  const { license_begin_seconds: _unshown, ...playready } = fields.playready;
  return { ...fields, playready };
}

/** Maximum difference between two clocks of the service, in milliseconds. */
const CLOCK_TOLERANCE = 1000;

/**
 * Returns an error text where a create updated an existing policy of the same name (drm-api-v3 section 4.1). Such a policy is recognized by
 * a modification later than its creation.
 */
function overwroteExisting(config: unknown, name: string): string | undefined {
  const [created, lastmod] = isObject(config) ? [asInteger(config.created), asInteger(config.lastmod)] : [];
  if (created === undefined || lastmod === undefined || lastmod - created <= CLOCK_TOLERANCE) return undefined;
  return `a policy named ${name} existed, although the list did not show it, and this create has overwritten its settings`;
}
