/** What the repository says about policies: `drm_policies` becomes resources. */
import type { Json, JsonObject } from '../../model/json.ts';
import { type DesiredResource, errorFinding, type Sections, type UnlocatedFinding } from '../kind.ts';
import { canonical, fieldsOf, listOf, TRACKS, trackOf } from './model.ts';
import { validatePolicy } from './validate.ts';

/** The top-level key of the source files, by `policy_name`. */
export const SECTION = 'drm_policies';

/** Desired policies, and what the schema alone cannot see. */
export function declare(sections: Sections): {
  readonly resources: readonly DesiredResource[];
  readonly problems: readonly UnlocatedFinding[];
} {
  const policies = Object.entries(fieldsOf(sections[SECTION])).map(([name, settings]) => ({ name, settings: fieldsOf(settings) }));
  return {
    resources: policies.map(({ name, settings }) => desired(name, settings)),
    problems: policies.flatMap(({ name, settings }) => [...checkName(name), ...validatePolicy(settings, [SECTION, name], addressOf(name))]),
  };
}

/** Whether a name holds control characters: it could not be told from another one on any page that shows it. */
export function isUnreadable(name: string): boolean {
  return /\p{Cc}/u.test(name);
}

function checkName(name: string): readonly UnlocatedFinding[] {
  if (!isUnreadable(name)) return [];
  const hint = 'write the name in one line, without tabs and other control characters';
  return [
    { ...errorFinding('invalid-key', [SECTION, name], 'a policy name cannot hold control characters', hint), address: addressOf(name) },
  ];
}

/** `drm-policy/` and the name, percent-encoded so that it has no character that means something in a path or a glob. */
export function addressOf(name: string): string {
  return `drm-policy/${percentEncoded(name)}`;
}

/** Every character but letters, digits, `.`, `_` and `-` as the bytes of its UTF-8; never fails, unlike encodeURIComponent. */
export function percentEncoded(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Canonical fields of settings that the schema accepts, without a name. */
export function settingsOf(settings: Json | undefined): JsonObject {
  return canonical(settings ?? {}, (what) => new TypeError(`the schema let through that ${what}`)).fields;
}

function desired(name: string, settings: JsonObject): DesiredResource {
  return {
    address: addressOf(name),
    name,
    fields: { policy_name: name, ...settingsOf(settings) },
    declared: declaredOf(settings),
    label: name,
    matchKeys: [{ name }],
    adoptable: true,
    path: [SECTION, name],
  };
}

/** What is sent: the settings as written, tracks in the order of the table, and the `can_play` that the service demands beside any override. */
function declaredOf(settings: JsonObject): JsonObject {
  const widevine = { ...fieldsOf(settings.widevine) };
  if (widevine.content_key_specs) widevine.content_key_specs = listOf(widevine.content_key_specs).toSorted((a, b) => rank(a) - rank(b));
  if (widevine.policy_overrides) widevine.policy_overrides = { can_play: true, ...fieldsOf(widevine.policy_overrides) };
  return settings.widevine ? { ...settings, widevine } : settings;
}

function rank(spec: Json): number {
  return TRACKS.indexOf(trackOf(fieldsOf(spec)));
}
