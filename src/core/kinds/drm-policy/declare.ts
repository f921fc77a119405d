/** Builds the desired policies from the section `drm_policies`. */
import { isList, type Json, type JsonObject } from '../../model/json.ts';
import { type DeclareServices, type DesiredResource, nameWarnings, type Sections, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { addressOf } from './address.ts';
import { asFields, canonical, TRACKS, trackOf } from './model.ts';
import { validatePolicy } from './validate.ts';

/** The top-level key of the source files: policies by `policy_name`. */
export const SECTION = 'drm_policies';

/** Returns the desired policies, and the findings that the schema cannot express. */
export function declare(
  sections: Sections,
  { findingList }: DeclareServices,
): {
  readonly resources: readonly DesiredResource[];
  readonly findings: readonly UnlocatedFinding[];
} {
  const policies = Object.entries(asFields(sections[SECTION])).map(([name, settings]) => ({ name, settings: asFields(settings) }));
  const findings = findingList();
  for (const { name, settings } of policies) {
    findings.add(controlCharacters(name));
    findings.add(nameWarnings('the policy name', name, [SECTION, name]).map((finding) => ({ ...finding, address: addressOf(name) })));
    findings.add(validatePolicy(settings, [SECTION, name], addressOf(name)));
  }
  return { resources: policies.map(({ name, settings }) => desiredPolicy(name, settings)), findings: findings.all() };
}

/** Warns about control characters in a name: two such names can look the same. */
function controlCharacters(name: string): readonly UnlocatedFinding[] {
  if (!/\p{Cc}/u.test(name)) return [];
  const hint = 'write the name in one line, without tabs and other control characters';
  return [
    { ...warningFinding('control-character', [SECTION, name], 'the policy name holds control characters', hint), address: addressOf(name) },
  ];
}

/** Returns the canonical fields of settings that the schema accepts, without a name. @throws TypeError where a value has another type */
export function canonicalFieldsOf(settings: JsonObject): JsonObject {
  const { fields, wrongType } = canonical(settings);
  if (wrongType[0]) throw new TypeError(`the schema accepted settings, but ${wrongType[0].path} has another type than documented`);
  return fields;
}

function desiredPolicy(name: string, settings: JsonObject): DesiredResource {
  return {
    address: addressOf(name),
    displayName: name,
    fields: { policy_name: name, ...canonicalFieldsOf(settings) },
    declaredFields: inTrackOrder(settings),
    remoteName: name,
    matchKeys: [{ remoteName: name }],
    mayMatchByBinding: true,
    path: [SECTION, name],
  };
}

/**
 * Returns the name of a desired policy as the service stores it, which `declare` sets for every policy.
 * @throws TypeError where it is absent
 */
export function remoteNameOf({ address, remoteName }: DesiredResource): string {
  if (remoteName === undefined) throw new TypeError(`${address} has no name`);
  return remoteName;
}

/** Returns settings with their tracks in the order of the API document (drm-api-v3 section 2.3). */
export function inTrackOrder(settings: JsonObject): JsonObject {
  const widevine = asFields(settings.widevine);
  if (!isList(widevine.content_key_specs)) return settings;
  const content_key_specs = widevine.content_key_specs.toSorted((a, b) => trackOrder(a) - trackOrder(b));
  return { ...settings, widevine: { ...widevine, content_key_specs } };
}

/** Returns the fields of a policy that declares every track. */
export function allFields(): JsonObject {
  return { policy_name: '', ...canonicalFieldsOf({ widevine: { content_key_specs: TRACKS.map((track_type) => ({ track_type })) } }) };
}

function trackOrder(spec: Json): number {
  return TRACKS.indexOf(trackOf(asFields(spec)));
}
