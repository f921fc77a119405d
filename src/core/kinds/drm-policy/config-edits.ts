/** Edits of the sources that declare a policy as it is live (`drift accept`). */
import { equal, isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import type { ConfigEdit, DesiredResource, LiveObject, NotDeclarable, Sections } from '../kind.ts';
import { inTrackOrder, remoteNameOf, SECTION } from './declare.ts';
import { asFields, listOf, trackOf } from './model.ts';
import { specList, whyNotDeclarable } from './to-config.ts';

/** Returns an edit for each setting that differs, or the reason where no declaration is possible. */
export function configEdits(desired: DesiredResource, live: LiveObject, sections: Sections): readonly ConfigEdit[] | NotDeclarable {
  const name = remoteNameOf(desired);
  if (live.remoteName !== name)
    return { reason: `it is named ${JSON.stringify(live.remoteName)} now, and the name is its key here: rename the key, with \`moved\`` };
  const written = asFields(asFields(sections[SECTION])[name]);
  const reason = whyNotDeclarable(live);
  return reason === undefined ? editsBetween(desired.fields, live.fields, written, desired.path) : { reason };
}

/**
 * Returns edits for the members that differ between the canonical fields, at every level. `written` is the object as the sources write it.
 */
function editsBetween(desired: JsonObject, live: JsonObject, written: JsonObject, path: Path): readonly ConfigEdit[] {
  const edits = Object.entries(live).flatMap(([member, value]): readonly ConfigEdit[] => {
    const memberPath = [...path, member];
    const [before, writtenValue] = [desired[member], written[member]];
    if (equal(before, value)) return [];
    if (member === 'content_key_specs')
      return [{ path: memberPath, value: mergeSpecs(listOf(writtenValue), asFields(before), asFields(value)) }];
    return isJsonObject(value) ? editsBetween(asFields(before), value, asFields(writtenValue), memberPath) : [{ path: memberPath, value }];
  });
  return path.at(-1) === 'policy_overrides' ? withCanPlay(edits, live, written, path) : edits;
}

/** Adds an edit for `can_play`, which a declaration of overrides must contain even at its default (drm-api-v3 section 2.3). */
function withCanPlay(edits: readonly ConfigEdit[], live: JsonObject, { can_play }: JsonObject, path: Path): readonly ConfigEdit[] {
  const isDeclared = can_play !== undefined || edits.some((edit) => edit.path.at(-1) === 'can_play');
  return edits.length === 0 || isDeclared ? edits : [{ path: [...path, 'can_play'], value: live.can_play }, ...edits];
}

/** Returns the written elements that still exist, in their order and with only their differences changed, followed by the new elements. */
function mergeSpecs(written: readonly Json[], desired: JsonObject, live: JsonObject): readonly Json[] {
  const writtenSpecs = written.map(asFields);
  const remaining = writtenSpecs.filter((spec) => live[trackOf(spec)] !== undefined);
  const known = new Set(remaining.map(trackOf));
  const added = Object.fromEntries(Object.entries(live).filter(([track]) => !known.has(track)));
  const merge = (spec: JsonObject): Json => {
    const value = live[trackOf(spec)] ?? null;
    return isJsonObject(value) ? mergeSpec(spec, asFields(desired[trackOf(spec)]), value) : value;
  };
  return [...remaining.map(merge), ...specList(added)];
}

/** Merges the live element into the written one. Levels 3 to 5 must declare `hdcp`, even at its default (drm-api-v3 section 2.3). */
function mergeSpec(written: JsonObject, desired: JsonObject, live: JsonObject): JsonObject {
  const merged = mergeDifferences(written, desired, live);
  const { hdcp = null } = asFields(live.required_output_protection);
  const protection = asFields(merged.required_output_protection);
  if (!(Number(live.security_level) >= 3) || protection.hdcp !== undefined) return merged;
  return { ...merged, required_output_protection: { ...protection, hdcp } };
}

/** Returns the written object, with the live value of each member that differs. */
function mergeDifferences(written: JsonObject, desired: JsonObject, live: JsonObject): JsonObject {
  const changed = Object.entries(live).flatMap(([member, value]): readonly [string, Json][] => {
    if (equal(desired[member], value)) return [];
    return [[member, isJsonObject(value) ? mergeDifferences(asFields(written[member]), asFields(desired[member]), value) : value]];
  });
  return { ...written, ...Object.fromEntries(changed) };
}

/** Returns the settings to send: the declared ones, each replaced whose value in `fields` differs from the desired one. */
export function changeDeclaredFields(desired: DesiredResource, { policy_name: _name, ...fields }: JsonObject): JsonObject {
  return inTrackOrder(settingsWith(desired.declaredFields, desired.fields, fields));
}

function settingsWith(declared: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).flatMap(([member, value]): readonly [string, Json][] => {
    const own = before[member];
    if (equal(own, value)) return [];
    if (!isJsonObject(value)) return [[member, value]];
    if (member === 'content_key_specs') return [[member, mergeSpecs(listOf(declared[member]), asFields(own), value)]];
    const settings = settingsWith(asFields(declared[member]), asFields(own), value);
    // A declaration of overrides must contain `can_play`, even at its default (drm-api-v3 section 2.3).
    return [[member, member === 'policy_overrides' ? { can_play: value.can_play ?? null, ...settings } : settings]];
  });
  return { ...declared, ...Object.fromEntries(changed) };
}
