/**
 * Emulates the rejected VMP statuses: drm-api-v3 sections 2.6 and 4.5. Seed: a list of statuses.
 * Stored: collection `settings`, ID `current`, `{ vmp_reject_statuses }`.
 */
import { isObject } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import { badRequest, type Collections, type EmulatedKind, type EmulatedRequest, type EmulatedResponse } from '../contract.ts';
import { applyListOrder } from '../quirks.ts';

const MEMBER = 'vmp_reject_statuses';

function readStatuses(account: Collections): readonly string[] {
  return asStringArray(account.collection('settings').get('current')?.[MEMBER]) ?? [];
}

function storeStatuses(account: Collections, statuses: readonly string[]): void {
  account.collection('settings').put('current', { [MEMBER]: [...new Set(statuses)] });
}

/** Widevine's own statuses (api-notes section 4). */
const NAMED = [
  ...['PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'PLATFORM_SOFTWARE_VERIFIED', 'PLATFORM_HARDWARE_VERIFIED'],
  ...['PLATFORM_NO_VERIFICATION', 'PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED'],
];

function update(request: EmulatedRequest, statuses: readonly string[]): void {
  const { emptyStatuses, unknownStatuses, statusesMerge } = request.quirks;
  if (statuses.length === 0 && emptyStatuses === 'refused') badRequest(`${MEMBER} must not be empty`);
  if (statuses.length === 0 && emptyStatuses === 'ignored') return;
  const named = statuses.filter((status) => NAMED.includes(status));
  if (unknownStatuses === 'refused' && named.length < statuses.length) badRequest(`${MEMBER} has an unknown status`);
  const taken = unknownStatuses === 'left out' ? named : statuses;
  storeStatuses(request, statusesMerge && statuses.length > 0 ? [...readStatuses(request), ...taken] : taken);
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
        update(request, statuses);
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
