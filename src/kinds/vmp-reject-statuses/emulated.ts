/**
 * The VMP rejection set as the service keeps it: drm-api-v3 sections 2.6 and 4.5. Seed: a list of statuses.
 * Stored: collection `settings`, ID `current`, `{ vmp_reject_statuses }`.
 */
import type { Fields } from '../../model/json.ts';
import { isObject } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import type { Call, Emulation } from '../emulation.ts';
import { arranged, RouteError } from '../emulation.ts';

type Account = Pick<Call, 'collection'>;

const member = 'vmp_reject_statuses';

function stored(account: Account): readonly string[] {
  return asTexts(account.collection('settings').get('current')?.[member]) ?? [];
}

function store(account: Account, statuses: readonly string[]): void {
  account.collection('settings').put('current', { [member]: [...new Set(statuses)] });
}

function answer(call: Call): { readonly status: number; readonly body: Fields } {
  return { status: 200, body: { [member]: arranged(stored(call), call) } };
}

/** The endpoints of section 4.5; an empty list is the unconfigured state. */
export const emulation: Emulation = {
  name: 'vmp-reject-statuses',
  routes: [
    { method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', dialect: 'v3', handle: answer },
    {
      method: 'POST',
      path: '/api/v3/drm/vmp-reject-statuses/update',
      dialect: 'v3',
      handle(call) {
        const statuses = isObject(call.body) ? asTexts(call.body[member]) : undefined;
        if (statuses === undefined) throw new RouteError(400, 'bad_request', `${member} must be a list of strings`);
        store(call, statuses);
        return answer(call);
      },
    },
  ],
  seed(value, account) {
    const statuses = asTexts(value);
    if (statuses === undefined) throw new Error('must be a list of strings');
    store(account, statuses);
  },
  dump: stored,
};
