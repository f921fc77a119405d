/** Generates edits by hand: changes of an account that upkeep does not make. */
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { PlannedRequest } from '../../src/core/model/plan.ts';
import type { AccountEdit } from '../../src/emulator/edits.ts';
import { asset } from '../e2e/accounts.ts';
import type { TestProject } from '../support/harness.ts';
import { entries, settings, slicers, vmp } from './accounts.ts';

/** An edit by hand; `pick` selects an existing object, for `written` one that a plan is about to update or delete; null deletes it. */
export type HandEdit =
  | { readonly on: 'playlist' | 'drm-policy'; readonly pick: number; readonly merge: JsonObject | null }
  | { readonly on: 'setting'; readonly emulation: string; readonly id: string; readonly collection: string; readonly document: JsonObject }
  | { readonly on: 'new playlist'; readonly document: JsonObject }
  | { readonly on: 'written'; readonly pick: number; readonly playlist: JsonObject; readonly policy: JsonObject };

/** Undeclared objects that are not edited: upkeep must not change a byte of them. */
export const UNDECLARED: { readonly playlist: readonly JsonObject[]; readonly 'drm-policy': readonly JsonObject[] } = {
  playlist: [
    { id: 'bystander1', desc: 'bystander', playlist: [{ beam: { id: asset(900) } }, { beam: { id: asset(901) } }] },
    { id: asset(902), desc: '', active: 0, playlist: [{ beam: { id: asset(902) } }] },
  ],
  'drm-policy': [{ _id: 'bystander3', policy_name: 'bystander', fairplay: { persistence: true } }],
};
const UNMANAGED_IDS: ReadonlySet<Json | undefined> = new Set(['bystander1', asset(902), 'bystander3']);

/** Returns the undeclared objects of a live kind. */
export function undeclaredIn(live: Json): readonly JsonObject[] {
  return [live]
    .flat()
    .filter(isJsonObject)
    .filter(({ id, _id }) => UNMANAGED_IDS.has(id ?? _id));
}

const desc = fc.constantFrom('p1', 'p2', 'evening', 'a', 'evening block', 'by hand');
const pick = fc.nat(9);

/** Generates any edit. */
export const handEdit: fc.Arbitrary<HandEdit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      on: fc.constant('playlist' as const),
      pick,
      merge: fc.option(fc.record({ desc, playlist: entries, ...settings }, { requiredKeys: [] }), { freq: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      on: fc.constant('drm-policy' as const),
      pick,
      merge: fc.option(
        fc.record(
          { policy_name: fc.constantFrom('renamed 1', 'renamed 2'), fairplay: fc.record({ persistence: fc.boolean() }) },
          { requiredKeys: [] },
        ),
        { freq: 4 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('new playlist' as const),
      document: fc.record({ id: fc.uuid(), desc, playlist: entries, repeat: fc.constant(0) }),
    }),
  },
  setting('static-key', 'settings', 'status', fc.record({ use_static_encryption_key: fc.boolean() })),
  setting('static-key', 'settings', 'slicers', fc.record({ static_key_slicer_ids: slicers })),
  setting('vmp-reject-statuses', 'settings', 'current', fc.record({ vmp_reject_statuses: vmp })),
  setting(
    'key-rotation-schedule',
    'schedule',
    'current',
    fc.record({ enabled: fc.boolean(), frequency: fc.constant(2), unit: fc.constant('d'), hour: fc.nat(23) }),
  ),
);

/** Generates an edit of an object that a plan is about to write. */
export const plannedObjectEdit: fc.Arbitrary<HandEdit> = fc.record({
  on: fc.constant('written' as const),
  pick,
  playlist: fc.record({ desc, playlist: entries, ...settings }, { requiredKeys: ['playlist'] }),
  policy: fc.record({ playready: fc.record({ license_duration_seconds: fc.integer({ min: 1, max: 9 }) }) }),
});

function setting(emulation: string, collection: string, id: string, document: fc.Arbitrary<JsonObject>): fc.Arbitrary<HandEdit> {
  return document.map((each) => ({ on: 'setting', emulation, collection, id, document: each }));
}

/** Returns the edit for the current objects of the account; null where there is no object to edit. `planned` are the requests of a plan. */
export function resolveEdit(edit: HandEdit, project: TestProject, planned: readonly PlannedRequest[] = []): AccountEdit | null {
  switch (edit.on) {
    case 'setting': {
      const { emulation, collection, id, document } = edit;
      return { emulation, collection, id, document };
    }
    case 'new playlist': {
      const { active = 1, ad_slate_fill = 0, beam_break_duration = 0, skip_drm = 0, studio_drm_required = 0 } = edit.document;
      const document = { ...edit.document, active, ad_slate_fill, beam_break_duration, skip_drm, studio_drm_required };
      return { emulation: 'playlist', collection: 'playlists', id: String(edit.document.id), document };
    }
    case 'written': {
      const ids = new Set(planned.flatMap(idIn));
      const places = [...objectsOf(project, 'playlist'), ...objectsOf(project, 'drm-policy')].filter(({ id }) => ids.has(id));
      const place = places[edit.pick % Math.max(1, places.length)];
      return place ? { ...place, merge: place.emulation === 'playlist' ? edit.playlist : edit.policy } : null;
    }
    default: {
      const places = objectsOf(project, edit.on);
      const place = places[edit.pick % Math.max(1, places.length)];
      if (!place) return null;
      return edit.merge === null ? { ...place, document: null } : { ...place, merge: edit.merge };
    }
  }
}

/** Returns the references of the objects of a kind that may be edited. */
function objectsOf(project: TestProject, emulation: 'playlist' | 'drm-policy') {
  const collection = emulation === 'playlist' ? 'playlists' : 'policies';
  return [project.live(emulation)]
    .flat()
    .filter(isJsonObject)
    .filter(({ id, _id }) => !UNMANAGED_IDS.has(id ?? _id))
    .map(({ id, _id }) => ({ emulation, collection, id: String(id ?? _id) }));
}

/** Returns the ID of the object that a request updates or deletes. */
function idIn({ method, path, body }: PlannedRequest): readonly string[] {
  if (method !== 'POST') return [decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))];
  return isJsonObject(body) && body._id !== undefined ? [String(body._id)] : [];
}
