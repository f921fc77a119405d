/** What the sources have to say so that a policy is declared as it is live (`drift accept`). */
import { equal, isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import type { ConfigEdit, DesiredResource, LiveResource, Sections } from '../kind.ts';
import { SECTION } from './declare.ts';
import { fieldsOf, listOf, trackOf } from './model.ts';
import { refusal, specList } from './to-config.ts';

/** Statements about the settings that differ. A text says why nothing can declare it. */
export function configEdits(
  { path, name, fields }: DesiredResource,
  live: LiveResource,
  sections: Sections,
): readonly ConfigEdit[] | string {
  if (live.label !== name)
    return `it is named ${JSON.stringify(live.label)} now, and the name is its key here: rename the key, with \`moved\``;
  const written = fieldsOf(fieldsOf(sections[SECTION])[name]);
  return refusal(live) ?? differing(fields, live.fields, written, path);
}

/** Statements about the members in which the canonical sides differ, at every level. */
function differing(desired: JsonObject, live: JsonObject, written: JsonObject, path: Path): readonly ConfigEdit[] {
  const found = Object.entries(live).flatMap(([member, value]): readonly ConfigEdit[] => {
    const here = [...path, member];
    const [before, said] = [desired[member], written[member]];
    if (equal(before, value)) return [];
    if (member === 'content_key_specs') return [{ path: here, value: specs(listOf(said), fieldsOf(before), fieldsOf(value)) }];
    return isJsonObject(value) ? differing(fieldsOf(before), value, fieldsOf(said), here) : [{ path: here, value }];
  });
  return path.at(-1) === 'policy_overrides' ? withCanPlay(found, live, written, path) : found;
}

/** A declaration of overrides must say `can_play`, also at its default (drm-api-v3 section 2.3). */
function withCanPlay(found: readonly ConfigEdit[], live: JsonObject, { can_play }: JsonObject, path: Path): readonly ConfigEdit[] {
  const isSaid = can_play !== undefined || found.some((statement) => statement.path.at(-1) === 'can_play');
  return found.length === 0 || isSaid ? found : [{ path: [...path, 'can_play'], value: live.can_play }, ...found];
}

/** The elements that stay, in their order and with only what differs in them changed, then those that are new. */
function specs(written: readonly Json[], desired: JsonObject, live: JsonObject): readonly Json[] {
  const said = written.map(fieldsOf);
  const staying = said.filter((spec) => live[trackOf(spec)] !== undefined);
  const known = new Set(staying.map(trackOf));
  const added = Object.fromEntries(Object.entries(live).filter(([track]) => !known.has(track)));
  return [...staying.map((spec) => element(spec, fieldsOf(desired[trackOf(spec)]), fieldsOf(live[trackOf(spec)]))), ...specList(added)];
}

/** An element of levels 3 to 5 must say `hdcp`, also at its default (drm-api-v3 section 2.3). */
function element(written: JsonObject, desired: JsonObject, live: JsonObject): JsonObject {
  const stated = stating(written, desired, live);
  const { hdcp = null } = fieldsOf(live.required_output_protection);
  const protection = fieldsOf(stated.required_output_protection);
  if (Number(live.security_level) < 3 || protection.hdcp !== undefined) return stated;
  return { ...stated, required_output_protection: { ...protection, hdcp } };
}

/** What is written, with the live value of each member that differs. */
function stating(written: JsonObject, desired: JsonObject, live: JsonObject): JsonObject {
  const changed = Object.entries(live).flatMap(([member, value]): readonly [string, Json][] => {
    if (equal(desired[member], value)) return [];
    return [[member, isJsonObject(value) ? stating(fieldsOf(written[member]), fieldsOf(desired[member]), value) : value]];
  });
  return { ...written, ...Object.fromEntries(changed) };
}
