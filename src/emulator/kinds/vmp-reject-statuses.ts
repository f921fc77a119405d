/**
 * Emulates the rejected VMP statuses: drm-api-v3 sections 2.6 and 4.5. Seed: a list of statuses.
 * Stored: collection `settings`, ID `current`, `{ vmp_reject_statuses }`.
 */
import { isObject } from '../../core/model/json.ts';
import { asStringArray } from '../../core/model/json-readers.ts';
import { badRequest, type Collections, type EmulatedKind, type EmulatedRequest, type EmulatedResponse } from '../contract.ts';
import { applyListOrder } from '../quirks.ts';

const MEMBER = 'vmp_reject_statuses';

function readStatuses(account: Collections): readonly string[] {
  return asStringArray(account.collection('settings').get('current')?.[MEMBER]) ?? [];
}

function storeStatuses(account: Collections, statuses: readonly string[]): void {
  account.collection('settings').put('current', { [MEMBER]: [...new Set(statuses)] });
}

function respond(request: EmulatedRequest): EmulatedResponse {
  return { status: 200, body: { [MEMBER]: applyListOrder(readStatuses(request), request) } };
}

/** The endpoints of drm-api-v3 section 4.5; an empty list is the initial state. */
export const emulatedVmpRejectStatuses: EmulatedKind = {
  name: 'vmp-reject-statuses',
  routes: [
    { method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', apiVersion: 'v3', handle: respond },
    {
      method: 'POST',
      path: '/api/v3/drm/vmp-reject-statuses/update',
      apiVersion: 'v3',
      handle(request) {
        const statuses = isObject(request.body) ? asStringArray(request.body[MEMBER]) : undefined;
        if (statuses === undefined) badRequest(`${MEMBER} must be a list of strings`);
        storeStatuses(request, statuses);
        return respond(request);
      },
    },
  ],
  seed(value, account) {
    const statuses = asStringArray(value);
    if (statuses === undefined) throw new Error('must be a list of strings');
    storeStatuses(account, statuses);
  },
  dump: readStatuses,
};
