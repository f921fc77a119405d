/** Declares, compares and exports the key rotation schedule (api-notes section 5; design section 3, sources). */
import schema from '../../../../schemas/key-rotation-schedule.schema.json' with { type: 'json' };
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import {
  type ConfigEdit,
  type ConfigResult,
  type DesiredResource,
  desiredSetting,
  type LiveResource,
  type NotDeclarable,
  type Sections,
  type UnlocatedFinding,
} from '../kind.ts';

/** The top-level key of the source files, and the member of the service's responses. */
export const SECTION = 'key_rotation_schedule';

/** The only address of this kind. */
export const ADDRESS = 'key-rotation-schedule';

/** The fields of a schedule that was never set. */
export const UNSET: JsonObject = { enabled: schema.properties.key_rotation_schedule.properties.enabled.default };

/** Returns every field of a schedule. */
export function allFields(): JsonObject {
  return Object.fromEntries(Object.keys(schema.properties.key_rotation_schedule.properties).map((name) => [name, null]));
}

/** Fields that an enabled schedule must declare: the API documents give no defaults for them. */
const REQUIRED = ['enabled', 'frequency', 'unit', 'hour'];

/** Smallest plausible Unix time in milliseconds (the year 1973); times in seconds do not reach it for millennia. */
export const MIN_MILLISECONDS = 1e11;

/** Returns the desired schedule, and errors for missing fields. */
export function declare(sections: Sections): {
  readonly resources: readonly DesiredResource[];
  readonly findings: readonly UnlocatedFinding[];
} {
  const declared = sections[SECTION];
  if (!isJsonObject(declared)) return { resources: [], findings: [] };
  const fields = { ...UNSET, ...declared };
  return { resources: [desiredSetting(ADDRESS, SECTION, fields)], findings: check(declared) };
}

/** Returns the declared fields; `next_rotation` only while it is after `now` (Unix milliseconds), since the service advances it. */
export function declaredAt({ declaredFields }: DesiredResource, now: number): JsonObject {
  const { next_rotation: next, ...rest } = declaredFields;
  return typeof next === 'number' && next > now ? declaredFields : rest;
}

/** Returns the declared fields of both resources. */
export function toComparable(
  desired: DesiredResource,
  live: LiveResource,
  now: number,
): { readonly before: JsonObject; readonly after: JsonObject } {
  const after = declaredAt(desired, now);
  return { before: Object.fromEntries(Object.keys(after).map((field) => [field, live.fields[field] ?? null])), after };
}

/** Says why nothing is known of a live schedule that does not say whether it is on (drm-api-v3 section 2.6). */
export const UNKNOWN_SCHEDULE = 'the API documents do not say what a rotation schedule without `enabled` true or false means';

/** Decides whether a schedule says whether it is on. */
export function isKnown({ enabled }: JsonObject): boolean {
  return typeof enabled === 'boolean';
}

/** Converts the live schedule to a declaration, without `next_rotation`, which the service advances. */
export function toConfig(objects: readonly LiveResource[]): ConfigResult {
  const entries = objects
    .filter(({ fields }) => isKnown(fields))
    .map((live) => {
      const { next_rotation: _moves, ...value } = live.fields;
      return { section: SECTION, key: null, value, adopt: {}, objects: [live] };
    });
  const unknown = objects.filter(({ fields }) => !isKnown(fields));
  return { entries, notDeclarable: unknown.map((object) => ({ object, reason: UNKNOWN_SCHEDULE })) };
}

/**
 * Returns edits for the declared fields that differ, and for the fields that an enabled schedule must declare. `next_rotation`, which the
 * service advances, is edited only where it is declared. Returns the reason where the live schedule does not say whether it is on.
 */
export function configEdits({ declaredFields }: DesiredResource, live: LiveResource): readonly ConfigEdit[] | NotDeclarable {
  if (!isKnown(live.fields)) return { reason: UNKNOWN_SCHEDULE };
  const needed = live.fields.enabled === true ? REQUIRED : [];
  const names = [...new Set([...needed, ...Object.keys(declaredFields)])];
  const differing = names.filter((name) => declaredFields[name] !== (live.fields[name] ?? undefined));
  return differing.map((name) => ({ path: [SECTION, name], value: live.fields[name] ?? undefined }));
}

function check(declared: JsonObject): readonly UnlocatedFinding[] {
  const isEnabled = Object.keys(declared).length > 0 && declared.enabled !== false;
  const missing = isEnabled ? REQUIRED.filter((field) => declared[field] === undefined) : [];
  return [...missing.map(missingField), ...checkNextRotation(declared.next_rotation)];
}

function missingField(field: string): UnlocatedFinding {
  const summary =
    field === 'enabled' ? 'the schedule does not say enabled, and is off without it' : `the schedule needs ${field}, which has no default`;
  const hint = 'write enabled: true with frequency, unit and hour; or enabled: false';
  return { severity: 'error', code: 'rotation-incomplete', path: [SECTION], summary, hint, address: ADDRESS };
}

function checkNextRotation(next: Json | undefined): readonly UnlocatedFinding[] {
  if (typeof next !== 'number' || next === 0 || next >= MIN_MILLISECONDS) return [];
  const summary = `next_rotation: ${next} lies in the past, and looks like a time in seconds`;
  const hint = `it is a Unix time in milliseconds: ${next * 1000}`;
  return [{ severity: 'warning', code: 'next-rotation-in-seconds', path: [SECTION, 'next_rotation'], summary, hint, address: ADDRESS }];
}
