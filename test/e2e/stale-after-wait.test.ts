/**
 * Writes that wait, while somebody edits what they are about to write (design section 4, rule 3). 40 seconds pass when the service has
 * answered the first attempt, or has not; then the edit is there.
 */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { asOutcome } from '../support/documents.ts';
import { createTestProject } from '../support/harness.ts';
import { asset, beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const WAITED_MS = 40_000;
const OPEN = 'ownership: exclusive\nplayback_loss: allow\nweakening: allow';

/** A kind of write: what is declared and live, what somebody makes of it meanwhile, and what they make that is as desired. */
interface Form {
  readonly name: string;
  readonly sections: JsonObject;
  readonly seed: { readonly [kind: string]: Json };
  /** The write, and which of the requests of that method and path. */
  readonly write: Pick<FaultRule, 'method' | 'path'>;
  readonly edit: AccountEdit;
  readonly asDesired: AccountEdit;
  readonly isUpdate: boolean;
}

const playlist = (change: Pick<AccountEdit, 'merge' | 'document'>): AccountEdit => ({
  emulation: 'playlist',
  collection: 'playlists',
  id: 'live1',
  ...change,
});
const policy = (document: JsonObject | null): AccountEdit => ({
  emulation: 'drm-policy',
  collection: 'policies',
  id: 'live',
  document: document && { _id: 'live', policy_name: 'p', ...document },
});
const vmp = (statuses: readonly string[]): AccountEdit => ({
  emulation: 'vmp-reject-statuses',
  collection: 'settings',
  id: 'current',
  document: { vmp_reject_statuses: [...statuses] },
});
const slicers = (...ids: string[]): AccountEdit => ({
  emulation: 'static-key',
  collection: 'settings',
  id: 'slicers',
  document: { static_key_slicer_ids: ids },
});
const status = (isForAll: boolean): AccountEdit => ({
  emulation: 'static-key',
  collection: 'settings',
  id: 'status',
  document: { use_static_encryption_key: isForAll },
});
const schedule = (hour: number): AccountEdit => ({
  emulation: 'key-rotation-schedule',
  collection: 'schedule',
  id: 'current',
  document: { enabled: true, frequency: 1, unit: 'd', hour },
});

const STATIC_KEY = '/api/v3/drm/use-static-encryption-key/update';
const SLICERS = '/api/v3/drm/static-key-slicer-ids/update';
const fromAll = { use_static_encryption_key: true, static_key_slicer_ids: ['x'] };

const FORMS: readonly Form[] = [
  {
    name: 'an update of a playlist',
    isUpdate: true,
    sections: { playlists: manyPlaylists(1, { repeat: 3 }) },
    seed: { playlist: manyLive(1, { repeat: 5 }) },
    write: { method: 'PATCH', path: `${PLAYLISTS}/*` },
    edit: playlist({ merge: { repeat: 9 } }),
    asDesired: playlist({ merge: { repeat: 3 } }),
  },
  {
    name: 'a delete of a playlist',
    isUpdate: false,
    sections: { playlists: {} },
    seed: { playlist: manyLive(1, { active: 0 }) },
    write: { method: 'DELETE', path: `${PLAYLISTS}/*` },
    edit: playlist({ merge: { desc: 'now in use', active: 1 } }),
    asDesired: playlist({ document: null }),
  },
  {
    name: 'an update of a policy',
    isUpdate: true,
    sections: { drm_policies: { p: { fairplay: { hd: { hdcp_enforcement: 1 } } } } },
    seed: { 'drm-policy': [{ _id: 'live', policy_name: 'p' }] },
    write: { method: 'POST', path: '/api/v3/drm/policies/create-or-update' },
    edit: policy({ fairplay: { hd: { hdcp_enforcement: 2 } } }),
    asDesired: policy({ fairplay: { hd: { hdcp_enforcement: 1 } } }),
  },
  {
    name: 'a delete of a policy',
    isUpdate: false,
    sections: { drm_policies: {} },
    seed: { 'drm-policy': [{ _id: 'live', policy_name: 'p' }] },
    write: { method: 'DELETE', path: '/api/v3/drm/policy/*' },
    edit: policy({ fairplay: { hd: { hdcp_enforcement: 2 } } }),
    asDesired: policy(null),
  },
  {
    name: 'the VMP statuses',
    isUpdate: true,
    sections: { vmp_reject_statuses: ['PLATFORM_TAMPERED'] },
    seed: { 'vmp-reject-statuses': [] },
    write: { method: 'POST', path: '/api/v3/drm/vmp-reject-statuses/update' },
    edit: vmp(['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED']),
    asDesired: vmp(['PLATFORM_TAMPERED']),
  },
  {
    name: 'the slicers of the static key',
    isUpdate: true,
    sections: { static_key: { scope: 'specific', slicer_ids: ['s'] } },
    seed: { 'static-key': fromAll },
    write: { method: 'POST', path: SLICERS },
    edit: slicers('y'),
    asDesired: slicers('s'),
  },
  {
    name: 'the status of the static key after its slicers',
    isUpdate: true,
    sections: { static_key: { scope: 'specific', slicer_ids: ['s'] } },
    seed: { 'static-key': fromAll },
    write: { method: 'POST', path: STATIC_KEY },
    edit: slicers('s', 'y'),
    asDesired: status(false),
  },
  {
    name: 'the slicers of the static key after its status',
    isUpdate: true,
    sections: { static_key: { scope: 'none' } },
    seed: { 'static-key': fromAll },
    write: { method: 'POST', path: SLICERS },
    edit: slicers('y'),
    asDesired: slicers(),
  },
  {
    name: 'the rotation schedule',
    isUpdate: true,
    sections: { key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 3 } },
    seed: { 'key-rotation-schedule': { enabled: true, frequency: 1, unit: 'd', hour: 2 } },
    write: { method: 'POST', path: '/api/v3/drm/key-rotation-schedule/create-or-update' },
    edit: schedule(9),
    asDesired: schedule(3),
  },
  {
    name: 'a create of a playlist',
    isUpdate: false,
    sections: { playlists: manyPlaylists(1) },
    seed: { playlist: [] },
    write: { method: 'POST', path: PLAYLISTS },
    edit: { ...playlist({ document: { id: 'live1', desc: 'p1', active: 1, playlist: beams(7) } }) },
    asDesired: { ...playlist({ document: { id: 'live1', desc: 'p1', active: 1, playlist: beams(1, 1001) } }) },
  },
  {
    name: 'smart starts',
    isUpdate: false,
    sections: { smart_starts: { vod: { assets: [asset(1), asset(2)] } } },
    seed: { playlist: [] },
    write: { method: 'POST', path: '/api/v4/smart-start' },
    edit: {
      emulation: 'playlist',
      collection: 'playlists',
      id: asset(1),
      document: { id: asset(1), desc: 'by hand', active: 1, playlist: beams(1) },
    },
    asDesired: { emulation: 'playlist', collection: 'playlists', id: asset(1), document: { id: asset(1), active: 1, playlist: beams(1) } },
  },
];

const WAITS: readonly (readonly [name: string, rule: FaultRule])[] = [
  ['a 429', { status: 429, headers: { 'retry-after': '0' }, body: {} }],
  ['a 503', { status: 503, headers: { 'retry-after': '0' }, body: {} }],
  ['a lost answer', { reset: 'before' }],
];

/** Applies while somebody edits. Returns the outcome, the writes, and what is live. */
async function run({ sections, seed, write, isUpdate }: Form, rule: FaultRule, edit: AccountEdit | null) {
  // A lost create or delete is looked for until then, in the time of this machine.
  const giveUp = rule.reset !== undefined && !isUpdate ? 0 : 120;
  const http = `http: { requests_per_second: 0, give_up_seconds: ${giveUp} }\nservice: { settle_seconds: 0 }`;
  const project = await createTestProject(config(sections), { seed, target: `${OPEN}\n${http}` });
  project.emulator.setFaults([{ ...write, nth: 1, ...rule }]);
  const began = Date.now();
  const pattern = new RegExp(`^${(write.path ?? '').replace('*', '[^/]+')}$`);
  let passed = 0;
  const isOver = () =>
    project.emulator.requests().some(({ method, path, status: answered }) => {
      const isWrite = method === write.method && pattern.test(path);
      return isWrite && (answered !== null || rule.reset !== undefined);
    });
  const now = (): number => {
    if (passed === 0 && isOver()) {
      passed = WAITED_MS;
      if (edit) project.emulator.edit(edit);
    }
    return began + passed;
  };
  const { code } = await project.runWith({ now }, 'apply', '--yes', '--allow', 'deletes', '--out', 'json=outcome.json');
  const log = project.emulator.requests().map((request) => `${request.method} ${request.path}`);
  const writes = log.filter((each) => !each.startsWith('GET'));
  const outcome = asOutcome(JSON.parse(project.read('outcome.json')));
  return { code, outcome, writes, live: (kind: string) => project.live(kind), passed };
}

/** The writes of a form among all writes. */
function writesOf({ write: { method, path = '' } }: Form, writes: readonly string[]): readonly string[] {
  const start = `${method} ${path.replace('*', '')}`;
  return writes.filter((each) => each.startsWith(start));
}

/** What everything of an edit is in that the account does not add to. */
function shownPart({ merge, document }: AccountEdit): string {
  const { playlist: _list, fairplay = null, vmp_reject_statuses: statuses = null, ...fields } = merge ?? document ?? {};
  return JSON.stringify(fairplay ?? statuses ?? fields).slice(1, -1);
}

describe.each(WAITS)('after %s and 40 seconds,', (_wait, rule) => {
  const isLost = rule.reset !== undefined;

  test.each(FORMS)('$name does not overwrite or delete what somebody has edited meanwhile', async (form) => {
    const { code, outcome, writes, live, passed } = await run(form, rule, form.edit);
    expect([passed, code]).toEqual([WAITED_MS, 5]);
    const failed = outcome.outcomes.filter(({ result }) => result === 'failed');
    expect(failed.map(({ error }) => error)).toEqual([
      expect.stringMatching(/^stale: (it changed since the plan was made; plan again|it already exists|another object exists)/),
    ]);
    // What nobody edited of a bulk request is sent.
    expect(writesOf(form, writes)).toHaveLength(form.name === 'smart starts' ? 2 : 1);
    expect(JSON.stringify(live(form.edit.emulation))).toContain(shownPart(form.edit));
  });

  test.each(FORMS)('$name is sent again where nobody has edited anything', async (form) => {
    const { code, outcome, writes } = await run(form, rule, null);
    // A delete without an answer is never sent twice: the next run deletes what is there.
    const isSentTwice = form.write.method !== 'DELETE' || !isLost;
    expect(writesOf(form, writes)).toHaveLength(isSentTwice ? 2 : 1);
    expect([code, outcome.verified]).toEqual(isSentTwice ? [0, true] : [5, false]);
  });
});

test.each(FORMS.filter(({ isUpdate }) => isUpdate))(
  '$name is done where it reads as desired after a 429: this run may have been heard',
  async (form) => {
    const { code, outcome, writes } = await run(form, { status: 429, headers: { 'retry-after': '0' }, body: {} }, form.asDesired);
    expect([code, outcome.summary.failed, outcome.summary.updated]).toEqual([0, 0, 1]);
    expect(writesOf(form, writes)).toHaveLength(1);
  },
);
