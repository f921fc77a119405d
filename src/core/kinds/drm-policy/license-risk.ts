/** Assesses how a change affects the license as a whole: its switches and durations (drm-api-v3 sections 2.2 to 2.4). */
import { valueAt } from '../../device-impact/track-requirements.ts';
import { type JsonObject, type Path, pointer } from '../../model/json.ts';
import { strengthens, weakens } from '../kind.ts';
import type { LocatedReason } from './located-reasons.ts';

const OVERRIDES: Path = ['widevine', 'policy_overrides'];
const LEASE: Path = ['fairplay', 'lease'];

/** A boolean setting. When it equals `allowsWhen`, `what` is allowed. */
interface Switch {
  readonly path: Path;
  readonly allowsWhen: boolean;
  readonly what: string;
}

const SWITCHES: readonly Switch[] = [
  { path: ['fairplay', 'persistence'], allowsWhen: true, what: 'offline playback' },
  { path: ['fairplay', 'rental'], allowsWhen: true, what: 'offline rental' },
  // A lease both allows (a client may renew it) and restricts (playback only while it is valid).
  { path: LEASE, allowsWhen: true, what: 'renewal of a lease' },
  { path: LEASE, allowsWhen: false, what: 'playback without a valid lease' },
  { path: [...OVERRIDES, 'can_play'], allowsWhen: true, what: 'playback' },
  { path: [...OVERRIDES, 'can_persist'], allowsWhen: true, what: 'offline playback' },
  { path: ['playready', 'can_play'], allowsWhen: true, what: 'playback' },
  { path: ['playready', 'can_persist'], allowsWhen: true, what: 'offline playback' },
  { path: ['playready', 'realtime_expiration'], allowsWhen: false, what: 'sessions beyond the expiry of the license' },
];

/** A duration, which weakens when it gets longer. */
interface Duration {
  readonly path: Path;
  readonly what: string;
  /**
   * What 0 means. No limit in three cases (drm-api-v3 2.5): the documents say so; 0 is the default, and the default policy allows the
   * playback that the duration limits; or 0 could never be meant as a limit.
   */
  readonly zero: 'no limit' | 'undocumented';
  /** The switch that must be on for the duration to apply; absent = it always applies. */
  readonly needs?: Path;
  /**
   * Whether the duration, once its switch is on, also limits playback that was possible before (a lease limits online playback, too). To
   * turn the switch on then adds a limit, which strengthens. `true` = always; a path = only while that other switch is on.
   */
  readonly alsoLimitsOtherPlayback?: true | Path;
  /** The switch while which playback has an end that only this duration says: the API documents do not explain its absence then. */
  readonly isNeededBy?: Path;
}

const PERSISTENCE: Path = ['fairplay', 'persistence'];

const DURATIONS: readonly Duration[] = [
  { path: ['fairplay', 'key_duration_seconds'], what: 'validity of the content key', zero: 'no limit' },
  // "Requires persistence = True". With `lease`, "playback is allowed only while the lease is valid".
  {
    path: ['fairplay', 'lease_duration_seconds'],
    what: 'playback from the moment a client gets the key',
    zero: 'no limit',
    needs: PERSISTENCE,
    alsoLimitsOtherPlayback: true,
    isNeededBy: LEASE,
  },
  // "Seconds during which offline playback is allowed", which the default policy does not allow.
  { path: ['fairplay', 'persistence_duration_seconds'], what: 'offline playback', zero: 'undocumented', needs: PERSISTENCE },
  // "Requires persistence = True"; "for offline playback or lease renewal only"; "0 or unspecified = the license does not expire".
  {
    path: ['fairplay', 'playback_duration_seconds'],
    what: 'playback from its first start',
    zero: 'no limit',
    needs: PERSISTENCE,
    alsoLimitsOtherPlayback: LEASE,
  },
  // "Unspecified = the key does not expire", and an unspecified setting has its default, 0.
  { path: ['fairplay', 'rental_duration_seconds'], what: 'time to begin playback', zero: 'no limit' },
  { path: [...OVERRIDES, 'license_duration_seconds'], what: 'playback from the issue of the license', zero: 'undocumented' },
  // "Only for offline or renewal scenarios": the only switch of renewal is reserved, so there is none in `needs`.
  { path: [...OVERRIDES, 'playback_duration_seconds'], what: 'playback from its first start', zero: 'no limit' },
  // "Offline scenarios only". A license that is valid for 0 seconds before its first use could never be used.
  {
    path: [...OVERRIDES, 'rental_duration_seconds'],
    what: 'time to begin playback',
    zero: 'no limit',
    needs: [...OVERRIDES, 'can_persist'],
  },
  { path: ['playready', 'license_duration_seconds'], what: 'playback from the creation of the license', zero: 'undocumented' },
  // "Unspecified = unlimited", and an unspecified setting has its default, 0.
  { path: ['playready', 'playback_duration_seconds'], what: 'playback from its first start', zero: 'no limit' },
  // api-notes section 6: 0 = any time before the request. An earlier begin weakens: it also admits devices whose clocks are behind.
  { path: ['playready', 'license_begin_seconds'], what: 'validity before the request', zero: 'no limit' },
];

/** A switch that a change turns. */
interface SwitchChange extends Pick<Switch, 'path' | 'what'> {
  /** Whether it allows `what` from now on. */
  readonly isAllowed: boolean;
}

/** A duration that differs before and after a change, in seconds; Infinity without a limit, NaN for a limit of which nobody knows how long it is. */
interface DurationChange extends Pick<Duration, 'path' | 'what' | 'needs'> {
  readonly before: number;
  readonly after: number;
}

/** Returns the reasons that switches and durations give, for a change from the policy `before` to the policy `after`. */
export function assessLicense(before: JsonObject, after: JsonObject): readonly LocatedReason[] {
  return [
    ...switchChanges(before, after).map(({ path, what, isAllowed }): LocatedReason => {
      const reason = isAllowed ? weakens(`${what} will be allowed`) : strengthens(`${what} will no longer be allowed`);
      return { reason, settings: [pointer(path)] };
    }),
    ...durationChanges(before, after).map((change): LocatedReason => {
      const { path, needs } = change;
      return { reason: reasonFor(change), settings: [path, ...(needs ? [needs] : [])].map(pointer) };
    }),
  ];
}

/** Returns what the switches allow or no longer allow after a change from the policy `before` to the policy `after`. */
export function switchChanges(before: JsonObject, after: JsonObject): readonly SwitchChange[] {
  return SWITCHES.flatMap(({ path, allowsWhen, what }) => {
    const [allowedBefore, isAllowed = false] = [before, after].map((policy) => valueAt(policy, path) === allowsWhen);
    return allowedBefore === isAllowed ? [] : [{ path, what, isAllowed }];
  });
}

/**
 * Returns the durations that a change from the policy `before` to the policy `after` affects. Where a duration applies only before or only
 * after the change, its switch already says what changes, unless the duration also limits other playback. So it does where a limit of unknown
 * length replaces none.
 */
export function durationChanges(before: JsonObject, after: JsonObject): readonly DurationChange[] {
  return DURATIONS.flatMap((duration): readonly DurationChange[] => {
    const applicable = [before, after].filter((policy) => isApplicable(duration, policy));
    if (applicable.length === 0 || (applicable.length === 1 && !applicable.some((policy) => limitsOtherPlayback(duration, policy))))
      return [];
    const [secondsBefore = 0, secondsAfter = 0] = [before, after].map((policy) => secondsOf(duration, policy));
    const isSaidBySwitch = [secondsBefore, secondsAfter].includes(Number.POSITIVE_INFINITY) && Number.isNaN(secondsBefore + secondsAfter);
    const isEqual = Object.is(secondsBefore, secondsAfter);
    return isEqual || isSaidBySwitch ? [] : [{ ...duration, before: secondsBefore, after: secondsAfter }];
  });
}

/** Returns the seconds that apply; Infinity without a limit, NaN where another setting limits and the duration does not say how long. */
function secondsOf(duration: Duration, policy: JsonObject): number {
  const seconds = Number(valueAt(policy, duration.path));
  const isUnlimited = !isOn(duration.needs, policy) || (seconds === 0 && duration.zero === 'no limit');
  if (!isUnlimited) return seconds;
  return isNeeded(duration, policy) ? Number.NaN : Number.POSITIVE_INFINITY;
}

function isApplicable(duration: Duration, policy: JsonObject): boolean {
  return isOn(duration.needs, policy) || isNeeded(duration, policy);
}

function isOn(setting: Path | undefined, policy: JsonObject): boolean {
  return setting === undefined || valueAt(policy, setting) === true;
}

function isNeeded({ isNeededBy }: Duration, policy: JsonObject): boolean {
  return isNeededBy !== undefined && isOn(isNeededBy, policy);
}

function limitsOtherPlayback({ alsoLimitsOtherPlayback }: Duration, policy: JsonObject): boolean {
  return alsoLimitsOtherPlayback === true || (alsoLimitsOtherPlayback !== undefined && valueAt(policy, alsoLimitsOtherPlayback) === true);
}

function reasonFor(durationChange: DurationChange) {
  const { path, what, before, after } = durationChange;
  const name = `\`${path.at(-1)}\``;
  const change = `${formatSeconds(after)} instead of ${formatSeconds(before)}`;
  const undocumented = undocumentedDuration(durationChange);
  if (undocumented !== undefined) return weakens(`${undocumented}, so that ${change} may allow more`);
  const text = `${what}: ${change} (${name})`;
  return after > before ? weakens(text) : strengthens(text);
}

/** Says what the API documents do not say about a changed duration; undefined where both sides are explained. */
export function undocumentedDuration({ path, before, after }: DurationChange): string | undefined {
  const undocumented = [before, after].find((seconds) => !(seconds > 0));
  if (undocumented === undefined) return undefined;
  const name = `\`${path.at(-1)}\``;
  return Number.isNaN(undocumented)
    ? `the API documents do not say how long a lease is valid without ${name}`
    : `the API documents do not say what a ${name} of ${undocumented} means`;
}

/** Formats a duration in seconds. */
export function formatSeconds(seconds: number): string {
  if (Number.isNaN(seconds)) return 'an unknown time';
  return Number.isFinite(seconds) ? `${seconds} s` : 'no limit';
}
