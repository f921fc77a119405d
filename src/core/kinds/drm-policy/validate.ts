/** Validates what the schema of a policy cannot express (drm-api-v3 sections 2.2 to 2.4; api-notes section 6). */
import { type Json, type JsonObject, type Path, stableJson } from '../../model/json.ts';
import { errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { asFields, type FieldShape, listOf, POLICY, resolveRef } from './model.ts';
import { validateTracks } from './validate-tracks.ts';

/** Returns all errors and warnings about a policy that the schema accepts; `path` is the path of its settings. */
export function validatePolicy(settings: JsonObject, path: Path, address: string): readonly UnlocatedFinding[] {
  const widevine = asFields(settings.widevine);
  return [
    ...validateFairplay(asFields(settings.fairplay), [...path, 'fairplay']),
    ...(widevine.content_key_specs ? validateTracks(listOf(widevine.content_key_specs), [...path, 'widevine', 'content_key_specs']) : []),
    ...(widevine.policy_overrides ? validateOverrides(asFields(widevine.policy_overrides), [...path, 'widevine', 'policy_overrides']) : []),
    ...validatePlayready(asFields(settings.playready), [...path, 'playready']),
    ...remarkWarnings(POLICY, settings, path),
  ].map((finding) => ({ ...finding, address }));
}

type FindingBuilder = typeof errorFinding;

function validateFairplay(fairplay: JsonObject, path: Path): readonly UnlocatedFinding[] {
  const needs = (duration: string, flag: string, buildFinding: FindingBuilder, code: string): readonly UnlocatedFinding[] =>
    isAboveZero(fairplay[duration]) && fairplay[flag] !== true
      ? [buildFinding(code, [...path, duration], `${duration} needs ${flag}: true`, `write ${flag}: true beside it, or leave it out`)]
      : [];
  return [
    ...needs('lease_duration_seconds', 'persistence', errorFinding, 'duration-without-persistence'),
    ...needs('playback_duration_seconds', 'persistence', errorFinding, 'duration-without-persistence'),
    ...needs('lease_duration_seconds', 'lease', warningFinding, 'lease-duration-without-lease'),
    ...needs('persistence_duration_seconds', 'persistence', warningFinding, 'duration-without-switch'),
  ];
}

function validateOverrides(overrides: JsonObject, path: Path): readonly UnlocatedFinding[] {
  const findings: UnlocatedFinding[] = [];
  if (isAboveZero(overrides.rental_duration_seconds) && overrides.can_persist !== true) {
    const summary = 'rental_duration_seconds works offline only, and can_persist is not true';
    const hint = 'write can_persist: true beside it, or leave it out';
    findings.push(warningFinding('offline-duration-without-can-persist', [...path, 'rental_duration_seconds'], summary, hint));
  }
  if (overrides.can_play === undefined) {
    const hint = 'write can_play: true to allow playback, or can_play: false to forbid it';
    findings.push(errorFinding('overrides-without-can-play', path, 'policy_overrides needs can_play', hint));
  }
  return findings;
}

function validatePlayready(playready: JsonObject, path: Path): readonly UnlocatedFinding[] {
  const withoutEffect = ['sd', 'hd', 'uhd1', 'uhd2'].filter((resolution) => {
    const { require_hdcp_type_1: isRequired, digital_video_protection_level: level = 0 } = asFields(playready[resolution]);
    return isRequired === true && Number(level) < 250;
  });
  const summary = 'require_hdcp_type_1 has no effect below digital_video_protection_level 250';
  const hint = 'write digital_video_protection_level: 250 or higher beside it';
  return withoutEffect.map((resolution) =>
    warningFinding('hdcp-type-1-without-effect', [...path, resolution, 'require_hdcp_type_1'], summary, hint),
  );
}

/** Warns about declared settings that the API documents call reserved, and about values meant for testing only. */
function remarkWarnings(part: FieldShape, value: Json, path: Path): readonly UnlocatedFinding[] {
  const shape = resolveRef(part);
  const members = Object.entries(asFields(value)).flatMap(([member, inner]) =>
    remarkWarnings(shape.properties?.[member] ?? {}, inner, [...path, member]),
  );
  const items = listOf(value).flatMap((item, index) => remarkWarnings(shape.items ?? {}, item, [...path, index]));
  return [...remarkWarning(shape, value, path), ...members, ...items];
}

function remarkWarning(shape: FieldShape, value: Json, path: Path): readonly UnlocatedFinding[] {
  if (shape.$comment === undefined) return [];
  const name = String(path.at(-1));
  if (shape.$comment === 'reserved')
    return [warningFinding('reserved-field', path, `${name} is reserved by the service for later use`, 'leave it out')];
  if (shape.$comment !== `testing only: ${stableJson(value)}`) return [];
  const others = (shape.enum ?? [false]).filter((allowed) => allowed !== value).map((allowed) => stableJson(allowed));
  return [warningFinding('testing-only', path, `${name}: ${stableJson(value)} is meant for testing only`, `write ${others.join(' or ')}`)];
}

function isAboveZero(value: Json | undefined): boolean {
  return typeof value === 'number' && value > 0;
}
