/** What the repository says about key rotation (api-notes section 5; design section 3). */
import schema from '../../../schemas/key-rotation-schedule.schema.json' with { type: 'json' };
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ConfigEdit, ConfigEntry, DesiredResource, LiveResource, Sections, UnlocatedFinding } from '../kind.ts';

/** The top-level key of the source files, and the member of the service's answers. */
export const SECTION = 'key_rotation_schedule';

/** The only address of this kind. */
export const ADDRESS = 'key-rotation-schedule';

/** A schedule that was never set. */
export const UNSET: JsonObject = { enabled: schema.properties.key_rotation_schedule.properties.enabled.default };

/** What a schedule has to say when it says anything: the documents give no defaults for these. */
const REQUIRED = ['enabled', 'frequency', 'unit', 'hour'];

/** Times in milliseconds have passed this figure since 1973, and times in seconds will not reach it for millennia. */
const LEAST_MILLISECONDS = 1e11;

/** The desired schedule, and what is missing in it. */
export function declare(sections: Sections): {
  readonly resources: readonly DesiredResource[];
  readonly problems: readonly UnlocatedFinding[];
} {
  const declared = sections[SECTION];
  if (!isJsonObject(declared)) return { resources: [], problems: [] };
  const fields = { ...UNSET, ...declared };
  const resource = { address: ADDRESS, name: ADDRESS, fields, declared: fields, matchKeys: [], adoptable: false, path: [SECTION] };
  return { resources: [resource], problems: check(declared) };
}

/** The declared fields only, and `next_rotation` only while it lies after `now` (Unix milliseconds): the service moves it by itself. */
export function declaredAt({ declared }: DesiredResource, now: number): JsonObject {
  const { next_rotation: next, ...rest } = declared;
  return typeof next === 'number' && next > now ? declared : rest;
}

/** Both sides in the fields that are declared. */
export function toComparable(
  desired: DesiredResource,
  live: LiveResource,
  now: number,
): { readonly before: JsonObject; readonly after: JsonObject } {
  const after = declaredAt(desired, now);
  return { before: Object.fromEntries(Object.keys(after).map((field) => [field, live.fields[field] ?? null])), after };
}

/** The live schedule as a declaration, without the `next_rotation` that the service moves. */
export function toConfig(objects: readonly LiveResource[]): {
  readonly entries: readonly ConfigEntry[];
  readonly inexpressible: readonly [];
} {
  const entries = objects.map((live) => {
    const { next_rotation: _moves, ...value } = live.fields;
    return { section: SECTION, key: null, value, adopt: {}, objects: [live] };
  });
  return { entries, inexpressible: [] };
}

/** What is declared as it is live, and what a schedule that is on has to say; the `next_rotation` that the service moves only where it is written. */
export function configEdits({ declared }: DesiredResource, live: LiveResource): readonly ConfigEdit[] {
  const needed = live.fields.enabled === true ? REQUIRED : [];
  const names = [...new Set([...needed, ...Object.keys(declared)])];
  const differing = names.filter((name) => declared[name] !== (live.fields[name] ?? undefined));
  return differing.map((name) => ({ path: [SECTION, name], value: live.fields[name] ?? undefined }));
}

function check(declared: JsonObject): readonly UnlocatedFinding[] {
  const says = Object.keys(declared).length > 0 && declared.enabled !== false;
  const missing = says ? REQUIRED.filter((field) => declared[field] === undefined) : [];
  return [...missing.map(missingField), ...checkNext(declared.next_rotation)];
}

function missingField(field: string): UnlocatedFinding {
  const summary = `the schedule needs ${field}, which has no default`;
  const hint = 'write enabled: true with frequency, unit and hour; or enabled: false';
  return { severity: 'error', code: 'rotation-incomplete', path: [SECTION], summary, hint, address: ADDRESS };
}

function checkNext(next: Json | undefined): readonly UnlocatedFinding[] {
  if (typeof next !== 'number' || next === 0 || next >= LEAST_MILLISECONDS) return [];
  const summary = `next_rotation: ${next} lies in the past, and looks like a time in seconds`;
  const hint = `it is a Unix time in milliseconds: ${next * 1000}`;
  return [{ severity: 'warning', code: 'next-rotation-in-seconds', path: [SECTION, 'next_rotation'], summary, hint, address: ADDRESS }];
}
