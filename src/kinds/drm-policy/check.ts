/** Mistakes and doubts in one policy that the schema cannot see (drm-api-v3 sections 2.2 to 2.4; facts.md section 6). */
import { type Fields, type Json, type Path, stableJson } from '../../model/json.ts';
import { error, type Problem, warning } from '../kind.ts';
import { fieldsOf, listOf, POLICY, resolved, type Shape } from './canonical.ts';
import { checkTracks } from './tracks.ts';

/** All problems of a policy that the schema accepts; `path` is where its settings stand. */
export function check(settings: Fields, path: Path, address: string): readonly Problem[] {
  const widevine = fieldsOf(settings.widevine);
  return [
    ...checkFairplay(fieldsOf(settings.fairplay), [...path, 'fairplay']),
    ...(widevine.content_key_specs ? checkTracks(listOf(widevine.content_key_specs), [...path, 'widevine', 'content_key_specs']) : []),
    ...(widevine.policy_overrides ? checkOverrides(fieldsOf(widevine.policy_overrides), [...path, 'widevine', 'policy_overrides']) : []),
    ...checkPlayready(fieldsOf(settings.playready), [...path, 'playready']),
    ...remarks(POLICY, settings, path),
  ].map((problem) => ({ ...problem, address }));
}

type Judgement = typeof error;

function checkFairplay(fairplay: Fields, path: Path): readonly Problem[] {
  const needs = (duration: string, flag: string, judge: Judgement, code: string): readonly Problem[] =>
    isAboveZero(fairplay[duration]) && fairplay[flag] !== true
      ? [judge(code, [...path, duration], `${duration} needs ${flag}: true`, `write ${flag}: true beside it, or leave it out`)]
      : [];
  return [
    ...needs('lease_duration_seconds', 'persistence', error, 'duration-without-persistence'),
    ...needs('playback_duration_seconds', 'persistence', error, 'duration-without-persistence'),
    ...needs('lease_duration_seconds', 'lease', warning, 'lease-duration-without-lease'),
    ...needs('rental_duration_seconds', 'rental', warning, 'duration-without-switch'),
    ...needs('persistence_duration_seconds', 'persistence', warning, 'duration-without-switch'),
  ];
}

function checkOverrides(overrides: Fields, path: Path): readonly Problem[] {
  const problems = [...checkOffline(overrides, ['playback_duration_seconds', 'rental_duration_seconds'], path)];
  if (overrides.can_play === undefined) {
    const hint = 'write can_play: true to allow playback, or can_play: false to forbid it';
    problems.push(error('overrides-without-can-play', path, 'policy_overrides needs can_play', hint));
  }
  if (overrides.license_duration_seconds === undefined) {
    const summary = 'policy_overrides limits playback by license only with license_duration_seconds';
    problems.push(warning('overrides-without-license-duration', path, summary, 'write it, in seconds; the default is 86400'));
  }
  return problems;
}

function checkPlayready(playready: Fields, path: Path): readonly Problem[] {
  const idle = ['sd', 'hd', 'uhd1', 'uhd2'].filter((resolution) => {
    const { require_hdcp_type_1: isRequired, digital_video_protection_level: level = 0 } = fieldsOf(playready[resolution]);
    return isRequired === true && Number(level) < 250;
  });
  const summary = 'require_hdcp_type_1 has no effect below digital_video_protection_level 250';
  const hint = 'write digital_video_protection_level: 250 or higher beside it';
  return [
    ...checkOffline(playready, ['playback_duration_seconds'], path),
    ...idle.map((resolution) => warning('hdcp-type-1-without-effect', [...path, resolution, 'require_hdcp_type_1'], summary, hint)),
  ];
}

function checkOffline(settings: Fields, durations: readonly string[], path: Path): readonly Problem[] {
  const idle = settings.can_persist === true ? [] : durations.filter((duration) => isAboveZero(settings[duration]));
  const hint = 'write can_persist: true beside it, or leave it out';
  return idle.map((duration) =>
    warning(
      'offline-duration-without-can-persist',
      [...path, duration],
      `${duration} works offline only, and can_persist is not true`,
      hint,
    ),
  );
}

/** What the tables remark about settings that were written: reserved ones, and values meant for testing only. */
function remarks(part: Shape, value: Json, path: Path): readonly Problem[] {
  const shape = resolved(part);
  const members = Object.entries(fieldsOf(value)).flatMap(([member, inner]) =>
    remarks(shape.properties?.[member] ?? {}, inner, [...path, member]),
  );
  const items = listOf(value).flatMap((item, index) => remarks(shape.items ?? {}, item, [...path, index]));
  return [...remarkOn(shape, value, path), ...members, ...items];
}

function remarkOn(shape: Shape, value: Json, path: Path): readonly Problem[] {
  if (shape.$comment === undefined) return [];
  const name = String(path.at(-1));
  if (shape.$comment === 'reserved')
    return [warning('reserved-field', path, `${name} is reserved by the service for later use`, 'leave it out')];
  if (shape.$comment !== `testing only: ${stableJson(value)}`) return [];
  const others = (shape.enum ?? [false]).filter((allowed) => allowed !== value).map((allowed) => stableJson(allowed));
  return [warning('testing-only', path, `${name}: ${stableJson(value)} is meant for testing only`, `write ${others.join(' or ')}`)];
}

function isAboveZero(value: Json | undefined): boolean {
  return typeof value === 'number' && value > 0;
}
