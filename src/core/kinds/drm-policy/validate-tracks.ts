/** Validates `content_key_specs` (drm-api-v3 section 2.3). */
import type { Json, JsonObject, Path } from '../../model/json.ts';
import { errorFinding, type UnlocatedFinding, warningFinding } from '../kind.ts';
import { asFields, trackOf } from './model.ts';

const VIDEO: readonly string[] = ['SD', 'HD', 'UHD1', 'UHD2'];

/** Track types that include several tracks, and these tracks. */
const COMBINED_TRACKS = new Map<string, readonly string[]>([
  ['ALL', [...VIDEO, 'AUDIO']],
  ['ALL_VIDEO', VIDEO],
]);

/** Returns errors and warnings about a declared list at `path`. */
export function validateTracks(list: readonly Json[], path: Path): readonly UnlocatedFinding[] {
  const specs = list.map(asFields);
  const tracks = specs.map(trackOf);
  return [
    ...validateCoverage(tracks, path),
    ...validateUniqueness(tracks, path),
    ...validateOverlaps(tracks, path),
    ...specs.flatMap((spec, index) => validateSpec(spec, [...path, index])),
  ];
}

function validateCoverage(tracks: readonly string[], path: Path): readonly UnlocatedFinding[] {
  const covered = new Set(tracks.flatMap(includedTracks));
  const missing = includedTracks('ALL').filter((track) => !covered.has(track));
  if (missing.length === 0) return [];
  const summary = `content_key_specs must cover all tracks, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const hint = 'cover them by ALL; or ALL_VIDEO and AUDIO; or SD, HD, UHD1, UHD2 and AUDIO';
  return [errorFinding('tracks-not-covered', path, summary, hint)];
}

function validateUniqueness(tracks: readonly string[], path: Path): readonly UnlocatedFinding[] {
  const first = new Map<string, number>();
  return tracks.flatMap((track, index): readonly UnlocatedFinding[] => {
    const earlier = first.get(track);
    if (earlier === undefined) {
      first.set(track, index);
      return [];
    }
    const summary = `track type ${track} is named twice: in elements ${earlier + 1} and ${index + 1}`;
    return [
      {
        ...errorFinding('track-twice', [...path, index, 'track_type'], summary, 'Keep one element for each track type.'),
        other: { path: [...path, earlier, 'track_type'] },
      },
    ];
  });
}

function validateOverlaps(tracks: readonly string[], path: Path): readonly UnlocatedFinding[] {
  const named = new Set(tracks);
  return [...named].flatMap((wide): readonly UnlocatedFinding[] => {
    const narrow = [...named].filter(
      (track) => track !== wide && includedTracks(track).every((each) => includedTracks(wide).includes(each)),
    );
    if (narrow.length === 0) return [];
    const summary = `track type ${wide} overlaps ${narrow.join(', ')}, and the API documents do not say which of them counts`;
    return [
      warningFinding('tracks-overlap', [...path, tracks.indexOf(wide), 'track_type'], summary, 'name every track by one element only'),
    ];
  });
}

function validateSpec(spec: JsonObject, path: Path): readonly UnlocatedFinding[] {
  const level = Number(spec.security_level ?? 1);
  const output = asFields(spec.required_output_protection);
  return [
    ...(level >= 3 ? validateHdcp(level, output.hdcp, path) : []),
    ...(output.cgms_flags === undefined ? [] : [cgmsOnDesktop([...path, 'required_output_protection', 'cgms_flags'])]),
  ];
}

function validateHdcp(level: number, hdcp: Json | undefined, path: Path): readonly UnlocatedFinding[] {
  if (hdcp === undefined) {
    const summary = `security_level ${level} needs hdcp to be written in required_output_protection`;
    return [
      errorFinding('level-without-hdcp', [...path, 'security_level'], summary, 'write it in the same element, for example hdcp: HDCP_V2_2'),
    ];
  }
  if (hdcp !== 'HDCP_NONE') return [];
  const summary = `security_level ${level} protects inside the device, and HDCP_NONE leaves its outputs open`;
  const hint = 'write the HDCP version that the content needs, for example HDCP_V2_2';
  return [warningFinding('level-with-hdcp-none', [...path, 'required_output_protection', 'hdcp'], summary, hint)];
}

function cgmsOnDesktop(path: Path): UnlocatedFinding {
  const hint = 'leave it out, unless no desktop browser plays content under this policy';
  return warningFinding('cgms-on-desktop', path, 'cgms_flags must not be set for desktop browsers', hint);
}

function includedTracks(track: string): readonly string[] {
  return COMBINED_TRACKS.get(track) ?? [track];
}
