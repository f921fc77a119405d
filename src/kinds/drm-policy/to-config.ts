/** Live policies as declarations without defaults, for `export`. */
import { compareStrings } from '../../model/finding.ts';
import { equal, type Json, type JsonObject, type Path, pointer, stableJson } from '../../model/json.ts';
import type { ConfigEntry, LiveResource, NotExportable } from '../kind.ts';
import { addressOf, isUnreadable, SECTION, settingsOf } from './declare.ts';
import { type FieldShape, fieldsOf, POLICY, resolved, TRACKS } from './model.ts';

const DEFAULTS = settingsOf({});
const { content_key_specs: DEFAULT_SPECS } = fieldsOf(DEFAULTS.widevine);

/** Policies sorted by name. Of those that share a name only the first by ID can be declared, and needs `adopt`. */
export function toConfig(objects: readonly LiveResource[]): {
  readonly entries: readonly ConfigEntry[];
  readonly inexpressible: readonly NotExportable[];
} {
  const entries: ConfigEntry[] = [];
  const notExportable: NotExportable[] = [];
  const declared = new Map<string, string>();
  const sorted = objects.toSorted((a, b) => compareStrings(a.label, b.label) || compareStrings(a.id, b.id));
  for (const [index, object] of sorted.entries()) {
    const namesake = declared.get(object.label);
    const reason = namesake === undefined ? refusal(object) : `policy ${namesake} has the same name, and is declared under it`;
    if (reason === undefined) {
      const isShared = [sorted[index - 1], sorted[index + 1]].some((neighbour) => neighbour?.label === object.label);
      entries.push(expressed(object, isShared));
      declared.set(object.label, object.id);
    } else notExportable.push({ object, reason });
  }
  return { entries, inexpressible: notExportable };
}

function expressed(object: LiveResource, isShared: boolean): ConfigEntry {
  const adopt = isShared ? { [addressOf(object.label)]: object.id } : {};
  return { section: SECTION, key: object.label, value: declarationOf(object.fields), adopt, objects: [object] };
}

/** Why no declaration can say what the policy holds; undefined where one can. */
export function refusal({ label, fields }: LiveResource): string | undefined {
  if (label === '') return 'it has no name';
  if (isUnreadable(label)) return 'its name holds control characters';
  const { policy_name: _name, ...settings } = fields;
  const outside = outsideTables(POLICY, settings, []);
  return outside.length === 0 ? undefined : `it holds what the documents do not list: ${outside.join(', ')}`;
}

function outsideTables(part: FieldShape, value: Json, path: Path): readonly string[] {
  const { enum: allowed, minimum, properties = {}, items } = resolved(part);
  const isOutside = (allowed && !allowed.some((each) => equal(each, value))) || (minimum !== undefined && Number(value) < minimum);
  if (isOutside) return [`${pointer(path)} = ${stableJson(value)}`];
  return Object.entries(fieldsOf(value)).flatMap(([member, inner]) => {
    const here = [...path, member];
    const isTrackOutside = items !== undefined && !TRACKS.includes(member);
    return isTrackOutside ? [pointer(here)] : outsideTables(items ?? properties[member] ?? {}, inner, here);
  });
}

function declarationOf(fields: JsonObject): JsonObject {
  const { content_key_specs: specs, policy_overrides: overrides } = fieldsOf(fields.widevine);
  const widevine = {
    ...(equal(specs, DEFAULT_SPECS) ? {} : { content_key_specs: specList(fieldsOf(specs)) }),
    ...overridesOf(fieldsOf(overrides)),
  };
  return filled({
    fairplay: without(fieldsOf(fields.fairplay), fieldsOf(DEFAULTS.fairplay)),
    widevine,
    playready: without(fieldsOf(fields.playready), fieldsOf(DEFAULTS.playready)),
  });
}

/** A declaration of overrides must say `can_play`, also at its default (drm-api-v3 section 2.3). */
function overridesOf(overrides: JsonObject): JsonObject {
  const rest = without(overrides, fieldsOf(fieldsOf(DEFAULTS.widevine).policy_overrides));
  return filled({ policy_overrides: Object.keys(rest).length === 0 ? {} : { can_play: overrides.can_play ?? true, ...rest } });
}

/** Elements by track as a declaration lists them: in the order of the table, without defaults. */
export function specList(specs: JsonObject): readonly JsonObject[] {
  const byTable = Object.entries(specs).sort(([a], [b]) => TRACKS.indexOf(a) - TRACKS.indexOf(b));
  return byTable.map(([track, spec]) => ({ track_type: track, ...specOf(fieldsOf(spec)) }));
}

/** A declaration of levels 3 to 5 must say `hdcp`, also at its default (drm-api-v3 section 2.3). */
function specOf(spec: JsonObject): JsonObject {
  const rest = without(spec, fieldsOf(fieldsOf(DEFAULT_SPECS).ALL));
  if (Number(spec.security_level) < 3) return rest;
  const { hdcp = null } = fieldsOf(spec.required_output_protection);
  return { ...rest, required_output_protection: { hdcp, ...fieldsOf(rest.required_output_protection) } };
}

/** The members that differ from their defaults, at every level. */
function without(value: JsonObject, defaults: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([member, inner]) => !equal(inner, defaults[member]));
  return Object.fromEntries(
    kept.map(([member, inner]) => {
      const rest = without(fieldsOf(inner), fieldsOf(defaults[member]));
      return [member, Object.keys(rest).length === 0 ? inner : rest];
    }),
  );
}

/** Without the members that would be empty objects. */
function filled(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => !equal(inner, {})));
}
