/**
 * The VMP rejection set as the service keeps it: drm-api-v3 sections 2.6 and 4.5. Seed: a list of statuses.
 * Stored: collection `settings`, ID `current`, `{ vmp_reject_statuses }`.
 */
import type { JsonObject } from '../../model/json.ts';
import { isObject } from '../../model/json.ts';
import { asStringArray } from '../../model/json-readers.ts';
import type { EmulatedKind, EmulatedRequest } from '../contract.ts';
import { applyListOrder, RouteError } from '../contract.ts';

type Account = Pick<EmulatedRequest, 'collection'>;

const member = 'vmp_reject_statuses';

function stored(account: Account): readonly string[] {
  return asStringArray(account.collection('settings').get('current')?.[member]) ?? [];
}

function store(account: Account, statuses: readonly string[]): void {
  account.collection('settings').put('current', { [member]: [...new Set(statuses)] });
}

function answer(request: EmulatedRequest): { readonly status: number; readonly body: JsonObject } {
  return { status: 200, body: { [member]: applyListOrder(stored(request), request) } };
}

/** The endpoints of drm-api-v3 section 4.5; an empty list is the unconfigured state. */
export const emulation: EmulatedKind = {
  name: 'vmp-reject-statuses',
  routes: [
    { method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', apiVersion: 'v3', handle: answer },
    {
      method: 'POST',
      path: '/api/v3/drm/vmp-reject-statuses/update',
      apiVersion: 'v3',
      handle(request) {
        const statuses = isObject(request.body) ? asStringArray(request.body[member]) : undefined;
        if (statuses === undefined) throw new RouteError(400, 'bad_request', `${member} must be a list of strings`);
        store(request, statuses);
        return answer(request);
      },
    },
  ],
  seed(value, account) {
    const statuses = asStringArray(value);
    if (statuses === undefined) throw new Error('must be a list of strings');
    store(account, statuses);
  },
  dump: stored,
};
