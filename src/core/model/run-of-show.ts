/**
 * The run of show of a playlist: what plays, in order, with offsets from its start. A playlist has no clock time, because playback begins
 * with its first asset (api-notes section 8).
 */
import type { AssetFacts } from './asset.ts';

/** One entry of a playlist's list: an asset, an ad break after the asset before it, or what has neither form. */
export type ListEntry =
  | { readonly type: 'beam'; readonly id: string }
  | { readonly type: 'ad'; readonly seconds: number }
  | { readonly type: 'odd'; readonly text: string };

/** What of a playlist decides what plays. */
export interface PlaylistContent {
  readonly entries: readonly ListEntry[];
  /** Seconds of each ad break that is defined within an asset; 0 = these are ignored (playlist-api-v4 section 2.1). */
  readonly breakSeconds: number;
  /** How often it is repeated; -1 = indefinitely (playlist-api-v4 section 2.1). */
  readonly repeat: number;
}

/** What is known of an asset. An absent member is unknown. */
export interface AssetTimes {
  readonly name?: string;
  readonly seconds?: number;
  /** Number of ad breaks that are defined within it. */
  readonly breaks?: number;
  /** When it can be played, in Unix milliseconds: from `from` on, and no longer at `until`. */
  readonly from?: number;
  readonly until?: number;
  /** Its state, where it cannot be played in it. */
  readonly notReady?: string;
}

/** Returns what decides when an asset plays. `readyStates` are in lower case; null = every state counts as ready. */
export function assetTimes(facts: AssetFacts, readyStates: ReadonlySet<string> | null): AssetTimes {
  const { name, durationSeconds, breakOffsets, availableFrom, availableUntil, expires = availableUntil, state } = facts;
  return {
    ...(name === undefined ? {} : { name }),
    ...(durationSeconds === undefined ? {} : { seconds: durationSeconds }),
    ...(breakOffsets === undefined ? {} : { breaks: breakOffsets.length }),
    ...(availableFrom === undefined ? {} : { from: Date.parse(availableFrom) }),
    ...(expires === undefined ? {} : { until: Date.parse(expires) }),
    ...(state === undefined || !readyStates || readyStates.has(state.toLowerCase()) ? {} : { notReady: state }),
  };
}

/** A date that the user asked about. */
export interface AskedDate {
  /** As the user wrote it. */
  readonly text: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** Whether an asset can be played at a date. */
export type Availability = 'available' | 'not-yet' | 'gone' | 'unknown';

/** An entry with its place in time. */
export interface RunOfShowEntry {
  readonly type: ListEntry['type'];
  /** The ID of the asset, or what the service shows where it is neither an asset nor an ad break; empty for an ad break. */
  readonly id: string;
  /** The name of the asset, where it is known. */
  readonly name?: string;
  /** Seconds from the start of the playlist: at least so many where an entry before it has an unknown length. */
  readonly offset: number;
  /** Seconds; null = unknown. That of an asset includes the ad breaks within it. */
  readonly seconds: number | null;
  /** The state of an asset that cannot be played in it. */
  readonly notReady?: string;
  /** Only of an asset, and only where a date was asked for. */
  readonly availability?: Availability;
}

/** The entries of a playlist in time, with their totals. */
export interface RunOfShow {
  readonly entries: readonly RunOfShowEntry[];
  /** Seconds of all entries whose length is known. */
  readonly seconds: number;
  /** Number of entries whose length is unknown; above 0, the whole takes at least `seconds`. */
  readonly unknown: number;
  /** Planned seconds of ads; how long ad breaks are at playback is not known beforehand (api-notes section 8). */
  readonly adSeconds: number;
  /** Whether assets may hold more ad breaks: these are honored, and not known of every asset. */
  readonly hasUnknownBreaks: boolean;
  readonly repeat: number;
}

/** Returns the IDs of the assets in some lists, each once. */
export function assetIds(contents: readonly PlaylistContent[]): readonly string[] {
  return [...new Set(contents.flatMap(({ entries }) => entries.flatMap((entry) => (entry.type === 'beam' ? entry.id : []))))];
}

/** Whether an asset cannot be played, as far as is known. */
export function isLost({ availability, notReady }: Pick<RunOfShowEntry, 'availability' | 'notReady'>): boolean {
  return availability === 'gone' || availability === 'not-yet' || notReady !== undefined;
}

/** Places the entries of a playlist in time. `at`, in Unix milliseconds, is the date for which `availability` is asked; null = none. */
export function runOfShow(
  { entries, breakSeconds, repeat }: PlaylistContent,
  assets: ReadonlyMap<string, AssetTimes>,
  at: number | null,
): RunOfShow {
  let [offset, unknown, adSeconds] = [0, 0, 0];
  let hasUnknownBreaks = false;
  const placed = entries.map((entry): RunOfShowEntry => {
    const start = offset;
    const asset = entry.type === 'beam' ? (assets.get(entry.id) ?? {}) : {};
    const seconds = secondsOf(entry, asset, breakSeconds);
    if (seconds === null) unknown += 1;
    offset += seconds ?? 0;
    adSeconds += entry.type === 'ad' ? entry.seconds : (asset.breaks ?? 0) * breakSeconds;
    hasUnknownBreaks ||= entry.type === 'beam' && breakSeconds > 0 && asset.breaks === undefined;
    const { name, notReady } = asset;
    return {
      type: entry.type,
      id: entry.type === 'beam' ? entry.id : entry.type === 'odd' ? entry.text : '',
      ...(name === undefined ? {} : { name }),
      offset: start,
      seconds,
      ...(notReady === undefined ? {} : { notReady }),
      ...(entry.type === 'beam' && at !== null ? { availability: availabilityAt(asset, at) } : {}),
    };
  });
  return { entries: placed, seconds: offset, unknown, adSeconds, hasUnknownBreaks, repeat };
}

function secondsOf(entry: ListEntry, { seconds, breaks }: AssetTimes, breakSeconds: number): number | null {
  if (entry.type === 'ad') return entry.seconds;
  if (entry.type === 'odd' || seconds === undefined) return null;
  return seconds + (breaks ?? 0) * breakSeconds;
}

/** Returns whether an asset can be played at a date, in Unix milliseconds. Later dates never make it available again once it is gone. */
export function availabilityAt({ from, until }: AssetTimes, at: number): Availability {
  if (until !== undefined && at >= until) return 'gone';
  if (from !== undefined && at < from) return 'not-yet';
  return until === undefined ? 'unknown' : 'available';
}

/** Whether the total of a run is only a lower limit. */
export function isAtLeast({ unknown, hasUnknownBreaks }: Pick<RunOfShow, 'unknown' | 'hasUnknownBreaks'>): boolean {
  return unknown > 0 || hasUnknownBreaks;
}

/** Formats seconds as `h:mm:ss`; parts of a second are dropped. */
export function clockText(seconds: number): string {
  const whole = Math.floor(seconds + 1e-6);
  const part = (value: number) => `${value}`.padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}
