/** What is known of an asset that a playlist plays: from the service, and from the `assets` section of the configuration. */

import { formatInstant, parseInstant } from './instant.ts';
import { asInteger, asList, asString } from './json-readers.ts';

/** Facts about one asset. An absent member is unknown. */
export interface AssetFacts {
  /** Its name in the `assets` section, else its description in the service. */
  readonly name?: string;
  /** Its ID in the user's own systems. */
  readonly externalId?: string;
  readonly durationSeconds?: number;
  /** The state in the words of the service. */
  readonly state?: string;
  /** When the service made it: ISO 8601, UTC. */
  readonly created?: string;
  /** How many hours the service retains it. */
  readonly retentionHours?: number;
  /** Whether it must be under studio-approved DRM. */
  readonly requiresStudioDrm?: boolean;
  /** Where ad breaks are defined within it, seconds from its start. */
  readonly breakOffsets?: readonly number[];
  /** The first instant at which it may be played: ISO 8601, UTC. */
  readonly availableFrom?: string;
  /** The first instant at which it may no longer be played: ISO 8601, UTC. */
  readonly availableUntil?: string;
  /** When it is gone, as far as that is known: the end of its window or of its retention, whichever comes first. ISO 8601, UTC. */
  readonly expires?: string;
}

/** Facts about assets by their ID. */
export type AssetsById = { readonly [assetId: string]: AssetFacts };

/** The asset that is gone first among those that playlists on air play. */
export interface FirstExpiry {
  readonly asset: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const HOUR = 3_600_000;

/** Maximum length of a state, characters: a longer text is none. */
const MAX_STATE_LENGTH = 100;

/** The largest instant that a `Date` can hold, Unix milliseconds. */
const LAST_INSTANT = 8_640_000_000_000_000;

/** Unix times below this are seconds, all others milliseconds: as milliseconds it lies in 1973, as seconds in the year 5138. */
const LEAST_MILLISECONDS = 100_000_000_000;

/** Reads what a response says of an asset (api-notes section 7). What is missing or does not have its documented form is unknown. */
export function readAssetFacts(item: { readonly [member: string]: unknown }): AssetFacts {
  const durationSeconds = asSeconds(item.duration);
  const state = asString(item.state);
  const created = readCreated(item.created);
  const retentionHours = asInteger(item.autoexpire) ?? 0;
  const requiresStudioDrm = asSwitch(item.require_studio_drm);
  const breakOffsets = readOffsets(item.break_offsets);
  return {
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(state === undefined || state === '' || state.length > MAX_STATE_LENGTH ? {} : { state }),
    ...(created === undefined ? {} : { created }),
    ...(retentionHours > 0 ? { retentionHours } : {}),
    ...(requiresStudioDrm === undefined ? {} : { requiresStudioDrm }),
    ...(breakOffsets === undefined ? {} : { breakOffsets }),
  };
}

/** Returns when the retention of an asset that counts from its creation ends, Unix milliseconds; undefined where that is unknown. */
export function endOfRetention({ created, retentionHours }: AssetFacts): number | undefined {
  if (created === undefined || retentionHours === undefined) return undefined;
  const end = Date.parse(created) + retentionHours * HOUR;
  return end <= LAST_INSTANT ? end : undefined;
}

function asSeconds(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function asSwitch(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const number = asInteger(value);
  return number === 0 || number === 1 ? number === 1 : undefined;
}

/** Reads a Unix time in seconds or milliseconds, or an instant. */
function readCreated(value: unknown): string | undefined {
  const number = asInteger(value);
  const unixTime = number !== undefined && number < LEAST_MILLISECONDS ? number * 1000 : number;
  const time = unixTime ?? (typeof value === 'string' ? parseInstant(value) : undefined);
  return time !== undefined && time > 0 && time <= LAST_INSTANT ? formatInstant(time) : undefined;
}

function readOffsets(value: unknown): readonly number[] | undefined {
  const list = asList(value);
  const offsets = list?.flatMap((offset) => asSeconds(offset) ?? []);
  return offsets?.length === list?.length ? offsets : undefined;
}
