/** Converts live policies to declarations without defaults (`export`). */
import { compareStrings } from '../../model/finding.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path, pointer, stableJson } from '../../model/json.ts';
import type { ConfigEntry, LiveObject, NotDeclarableObject } from '../kind.ts';
import { addressOf } from './address.ts';
import { canonicalFieldsOf, SECTION } from './declare.ts';
import { asFields, type FieldShape, POLICY, resolveRef, TRACKS, type WrongTypeField, wrongTypeFields } from './model.ts';

const DEFAULTS = canonicalFieldsOf({});
const { content_key_specs: DEFAULT_SPECS } = asFields(DEFAULTS.widevine);

/** Returns the policies as declarations, sorted by name. Of several with one name, only the first by ID is declared, with `adopt`. */
export function toConfig(objects: readonly LiveObject[]): {
  readonly entries: readonly ConfigEntry[];
  readonly notDeclarable: readonly NotDeclarableObject[];
} {
  const entries: ConfigEntry[] = [];
  const notDeclarable: NotDeclarableObject[] = [];
  const declared = new Map<string, string>();
  const sorted = objects.toSorted((a, b) => compareStrings(a.remoteName, b.remoteName) || compareStrings(a.id, b.id));
  for (const [index, object] of sorted.entries()) {
    const declaredId = declared.get(object.remoteName);
    const reason =
      declaredId === undefined
        ? whyNotDeclarable(object)
        : `policy ${declaredId} has the same name, and only one of the two can be declared`;
    if (reason === undefined) {
      const isShared = [sorted[index - 1], sorted[index + 1]].some((neighbor) => neighbor?.remoteName === object.remoteName);
      entries.push(toEntry(object, isShared));
      declared.set(object.remoteName, object.id);
    } else notDeclarable.push({ object, reason });
  }
  return { entries, notDeclarable };
}

function toEntry(object: LiveObject, isShared: boolean): ConfigEntry {
  const adopt = isShared ? { [addressOf(object.remoteName)]: object.id } : {};
  return { section: SECTION, key: object.remoteName, value: toDeclaration(object.fields), adopt, objects: [object] };
}

/** Returns why a live policy cannot be declared; undefined where it can. */
export function whyNotDeclarable({ remoteName, fields }: LiveObject): string | undefined {
  if (remoteName === '') return 'it has no name';
  if (/\p{Surrogate}/u.test(remoteName)) return 'its name is not Unicode text';
  const { policy_name: _name, ...settings } = fields;
  const wrongType = wrongTypeFields(settings);
  if (wrongType.length > 0) return `it holds values of another type than documented: ${wrongType.map(describeSetting).join(', ')}`;
  const invalid = valuesOutsideSchema(POLICY, settings, []);
  return invalid.length === 0 ? undefined : `it holds what the API documents do not list: ${invalid.join(', ')}`;
}

function describeSetting({ path, value }: WrongTypeField): string {
  return `${pointer(path)} = ${stableJson(value)}`;
}

function valuesOutsideSchema(part: FieldShape, value: Json, path: Path): readonly string[] {
  const { enum: allowed, minimum, properties = {}, items } = resolveRef(part);
  const isInvalid = (allowed && !allowed.some((each) => equal(each, value))) || (minimum !== undefined && Number(value) < minimum);
  if (isInvalid) return [describeSetting({ path, value })];
  return Object.entries(asFields(value)).flatMap(([member, inner]) => {
    const memberPath = [...path, member];
    const isUnknownTrack = items !== undefined && !TRACKS.includes(member);
    return isUnknownTrack ? [pointer(memberPath)] : valuesOutsideSchema(items ?? properties[member] ?? {}, inner, memberPath);
  });
}

function toDeclaration(fields: JsonObject): JsonObject {
  const { content_key_specs: specs, policy_overrides: overrides } = asFields(fields.widevine);
  const widevine = {
    ...(equal(specs, DEFAULT_SPECS) ? {} : { content_key_specs: specList(asFields(specs)) }),
    ...overridesOf(asFields(overrides)),
  };
  return withoutEmptyObjects({
    fairplay: withoutDefaults(asFields(fields.fairplay), asFields(DEFAULTS.fairplay)),
    widevine,
    playready: withoutDefaults(asFields(fields.playready), asFields(DEFAULTS.playready)),
  });
}

/** Converts overrides, always with `can_play`, which a declaration must contain even at its default (drm-api-v3 section 2.3). */
function overridesOf(overrides: JsonObject): JsonObject {
  const rest = withoutDefaults(overrides, asFields(asFields(DEFAULTS.widevine).policy_overrides));
  return withoutEmptyObjects({ policy_overrides: Object.keys(rest).length === 0 ? {} : { can_play: overrides.can_play ?? true, ...rest } });
}

/**
 * Converts elements by track type to a list, in the order of the table of the API documents and without defaults. An element that
 * is not an object (a placeholder for an ignored one) stays as it is.
 */
export function specList(specs: JsonObject): readonly Json[] {
  const byTable = Object.entries(specs).sort(([a], [b]) => TRACKS.indexOf(a) - TRACKS.indexOf(b));
  return byTable.map(([track, spec]) => (isJsonObject(spec) ? { track_type: track, ...specOf(spec) } : spec));
}

/** Converts an element. Levels 3 to 5 must declare `hdcp`, even at its default (drm-api-v3 section 2.3). */
function specOf(spec: JsonObject): JsonObject {
  const rest = withoutDefaults(spec, asFields(asFields(DEFAULT_SPECS).ALL));
  if (!(Number(spec.security_level) >= 3)) return rest;
  const { hdcp = null } = asFields(spec.required_output_protection);
  return { ...rest, required_output_protection: { hdcp, ...asFields(rest.required_output_protection) } };
}

function withoutDefaults(value: JsonObject, defaults: JsonObject): JsonObject {
  const differing = Object.entries(value).filter(([member, inner]) => !equal(inner, defaults[member]));
  return Object.fromEntries(
    differing.map(([member, inner]) => {
      const rest = withoutDefaults(asFields(inner), asFields(defaults[member]));
      return [member, Object.keys(rest).length === 0 ? inner : rest];
    }),
  );
}

/** Removes members that are empty objects. */
function withoutEmptyObjects(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => !equal(inner, {})));
}
