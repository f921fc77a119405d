/** Lays out the playlists of an account: their runs of show on one scale, and what to look at. */
import type { AccountOverview, PlaylistOverview } from '../../core/model/account-overview.ts';
import { compareStrings } from '../../core/model/finding.ts';
import { type AssetTimes, isLost, type RunOfShow, runOfShow } from '../../core/model/run-of-show.ts';
import { blocksOf, hasKnownAsset, type StripBlock, scaleOf, type Tick, ticksOf } from './run-of-show.ts';

/** A playlist, ready to be drawn. */
export interface PlaylistItem {
  readonly playlist: PlaylistOverview;
  readonly run: RunOfShow;
  readonly blocks: readonly StripBlock[];
  /** What cannot be declared, or is unknown to upkeep. */
  readonly remarks: readonly string[];
  readonly attention: Attention;
  /** The end of availability that comes first; null where no end of an asset is known. */
  readonly firstEnd: { readonly id: string; readonly time: number } | null;
}

/** Why a playlist is to be looked at, the strongest reason only: an asset that cannot be played, one that ends soon, another remark. */
export type Attention = 'gone' | 'soon' | 'remark' | 'none';

/** All playlists, sorted by name. */
export interface PlaylistItems {
  readonly items: readonly PlaylistItem[];
  /** Marks of the scale that all playlists with known durations share. */
  readonly ticks: readonly Tick[];
}

/** How long before its end an asset counts as ending soon, milliseconds. */
export const SOON = 14 * 24 * 3_600_000;

/** Lays out playlists at the date that was asked for, or else when they were read. */
export function playlistItems(playlists: readonly PlaylistOverview[], { assets, remarks, at, readAt }: AccountOverview): PlaylistItems {
  const times = new Map(Object.entries(assets));
  const time = at?.time ?? readAt;
  const remarksById = new Map<string, string[]>();
  for (const { id, text } of remarks) if (id !== null) remarksById.set(id, [...(remarksById.get(id) ?? []), text]);
  const sorted = playlists.toSorted((a, b) => compareStrings(a.name, b.name) || compareStrings(a.id, b.id));
  const runs = sorted.map((playlist) => ({ playlist, run: runOfShow(playlist.content, times, time) }));
  const known = runs.map(({ run }) => run).filter(hasKnownAsset);
  // Ten entries at least, so that one entry does not look like a whole channel.
  const unknown = runs.map(({ run }) => run).filter((run) => !hasKnownAsset(run));
  const [scale, scaleByEntry] = [scaleOf(known), scaleOf([...unknown, TEN_ENTRIES])];
  return {
    items: runs.map(({ playlist, run }): PlaylistItem => {
      const own = remarksById.get(playlist.id) ?? [];
      const firstEnd = firstEndOf(run, times);
      const hasLost = run.entries.some(isLost);
      const isSoon = firstEnd !== null && firstEnd.time - time <= SOON;
      return {
        playlist,
        run,
        blocks: blocksOf(run, hasKnownAsset(run) ? scale : scaleByEntry),
        remarks: own,
        attention: hasLost ? 'gone' : isSoon ? 'soon' : own.length > 0 ? 'remark' : 'none',
        firstEnd,
      };
    }),
    ticks: ticksOf(known, scale),
  };
}

const TEN_ENTRIES = runOfShow(
  { entries: Array.from({ length: 10 }, () => ({ type: 'beam', id: '' })), breakSeconds: 0, repeat: 0 },
  new Map(),
  null,
);

function firstEndOf({ entries }: RunOfShow, times: ReadonlyMap<string, AssetTimes>): PlaylistItem['firstEnd'] {
  let first: PlaylistItem['firstEnd'] = null;
  for (const { type, id } of entries) {
    const end = type === 'beam' ? times.get(id)?.until : undefined;
    if (end !== undefined && (first === null || end < first.time)) first = { id, time: end };
  }
  return first;
}
