/** What a change does to the license as a whole: its switches and durations (drm-api-v3 sections 2.2 to 2.4). */
import { valueAt } from '../../device-impact/track-requirements.ts';
import { type JsonObject, type Path, pointer } from '../../model/json.ts';
import { loosens, tightens } from '../kind.ts';
import type { RiskGround } from './risk-grounds.ts';

const OVERRIDES: Path = ['widevine', 'policy_overrides'];

/** A switch: what its value `allows` gives. */
interface Switch {
  readonly path: Path;
  readonly allows: boolean;
  readonly what: string;
}

const SWITCHES: readonly Switch[] = [
  { path: ['fairplay', 'persistence'], allows: true, what: 'offline playback' },
  { path: ['fairplay', 'rental'], allows: true, what: 'offline rental' },
  // A lease gives and takes: a client may renew it, and plays only while it is valid.
  { path: ['fairplay', 'lease'], allows: true, what: 'renewal of a lease' },
  { path: ['fairplay', 'lease'], allows: false, what: 'playback without a valid lease' },
  { path: [...OVERRIDES, 'can_play'], allows: true, what: 'playback' },
  { path: [...OVERRIDES, 'can_persist'], allows: true, what: 'offline playback' },
  { path: ['playready', 'can_play'], allows: true, what: 'playback' },
  { path: ['playready', 'can_persist'], allows: true, what: 'offline playback' },
  { path: ['playready', 'realtime_expiration'], allows: false, what: 'sessions beyond the expiry of the license' },
];

/** A duration: longer loosens. */
interface Duration {
  readonly path: Path;
  readonly what: string;
  /** What the documents say that 0 means: no limit, or nothing at all. */
  readonly zero: 'no limit' | 'open';
  /** The switch without which it has no meaning; absent = it always counts. */
  readonly needs?: Path;
  /** Whether it limits more than what its switch allows, as long as it has a meaning: always, or with this other switch. */
  readonly limitsMore?: true | Path;
}

const PERSISTENCE: Path = ['fairplay', 'persistence'];

const DURATIONS: readonly Duration[] = [
  { path: ['fairplay', 'key_duration_seconds'], what: 'validity of the content key', zero: 'open' },
  // "Requires persistence = True".
  {
    path: ['fairplay', 'lease_duration_seconds'],
    what: 'playback from the moment a client gets the key',
    zero: 'open',
    needs: PERSISTENCE,
    limitsMore: true,
  },
  // "Seconds during which offline playback is allowed".
  { path: ['fairplay', 'persistence_duration_seconds'], what: 'offline playback', zero: 'open', needs: PERSISTENCE },
  // "Requires persistence = True"; "for offline playback or lease renewal only"; "0 or unspecified = the license does not expire".
  {
    path: ['fairplay', 'playback_duration_seconds'],
    what: 'playback from its first start',
    zero: 'no limit',
    needs: PERSISTENCE,
    limitsMore: ['fairplay', 'lease'],
  },
  // "Unspecified = the key does not expire", and what is unspecified stands at its default, 0.
  { path: ['fairplay', 'rental_duration_seconds'], what: 'time to begin playback', zero: 'no limit' },
  { path: [...OVERRIDES, 'license_duration_seconds'], what: 'playback from the issue of the license', zero: 'open' },
  // "Only for offline or renewal scenarios": renewal has no switch that is not reserved, so that it always counts.
  { path: [...OVERRIDES, 'playback_duration_seconds'], what: 'playback from its first start', zero: 'open' },
  // "Offline scenarios only".
  { path: [...OVERRIDES, 'rental_duration_seconds'], what: 'time to begin playback', zero: 'open', needs: [...OVERRIDES, 'can_persist'] },
  { path: ['playready', 'license_duration_seconds'], what: 'playback from the creation of the license', zero: 'open' },
  // "Unspecified = unlimited", and what is unspecified stands at its default, 0.
  { path: ['playready', 'playback_duration_seconds'], what: 'playback from its first start', zero: 'no limit' },
  // api-notes section 6: 0 = any time before. A license that began earlier is good for clocks that are further behind.
  { path: ['playready', 'license_begin_seconds'], what: 'validity before the request', zero: 'no limit' },
];

/** The grounds in switches and durations. */
export function assessLicense(before: JsonObject, after: JsonObject): readonly RiskGround[] {
  return [
    ...SWITCHES.flatMap((each) => judgeSwitch(each, before, after)),
    ...DURATIONS.flatMap((each) => judgeDuration(each, before, after)),
  ];
}

function judgeSwitch({ path, allows, what }: Switch, before: JsonObject, after: JsonObject): readonly RiskGround[] {
  const [was, is] = [before, after].map((side) => valueAt(side, path) === allows);
  if (was === is) return [];
  const reason = is ? loosens(`${what} will be allowed`) : tightens(`${what} will no longer be allowed`);
  return [{ reason, at: [pointer(path)] }];
}

/** A duration that has a meaning on one side only is told by its switch, unless it limits more there; a 0 then limits nothing. */
function judgeDuration(duration: Duration, before: JsonObject, after: JsonObject): readonly RiskGround[] {
  const { path, needs } = duration;
  const inForce = [before, after].filter((side) => isInForce(duration, side));
  const isOneSided = inForce.length === 1;
  if (inForce.length === 0 || (isOneSided && !inForce.some((side) => limitsMore(duration, side)))) return [];
  const [was = 0, is = 0] = [before, after].map((side) => secondsOf(duration, side));
  const isIdle = isOneSided && Math.min(was, is) <= 0;
  return was === is || isIdle ? [] : [{ reason: reasonFor(duration, was, is), at: [path, ...(needs ? [needs] : [])].map(pointer) }];
}

/** The seconds that count; without a limit infinitely many. */
function secondsOf(duration: Duration, policy: JsonObject): number {
  const seconds = Number(valueAt(policy, duration.path));
  const isUnlimited = !isInForce(duration, policy) || (seconds === 0 && duration.zero === 'no limit');
  return isUnlimited ? Number.POSITIVE_INFINITY : seconds;
}

function isInForce({ needs }: Duration, policy: JsonObject): boolean {
  return needs === undefined || valueAt(policy, needs) === true;
}

function limitsMore({ limitsMore: more }: Duration, policy: JsonObject): boolean {
  return more === true || (more !== undefined && valueAt(policy, more) === true);
}

function reasonFor({ path, what }: Duration, was: number, is: number) {
  const name = `\`${path.at(-1)}\``;
  const change = `${inWords(is)} instead of ${inWords(was)}`;
  const open = [was, is].find((seconds) => seconds <= 0);
  if (open !== undefined) return loosens(`the documents do not say what a ${name} of ${open} means: ${change} may be longer`);
  const text = `${what}: ${change} (${name})`;
  return is > was ? loosens(text) : tightens(text);
}

function inWords(seconds: number): string {
  return Number.isFinite(seconds) ? `${seconds} s` : 'no limit';
}
