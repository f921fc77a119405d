/** What of a playlist decides what plays: its list, the length of breaks within assets, and how often it is repeated. */
import type { ListEntry, PlaylistContent } from '../../model/run-of-show.ts';
import type { PlaylistFields } from './model.ts';

/** Returns what plays. A setting of a live playlist that is no integer counts as its default, because what it means is unknown. */
export function contentOf({ playlist, beam_break_duration: breakSeconds, repeat }: PlaylistFields): PlaylistContent {
  return {
    entries: playlist.map(entryOf),
    breakSeconds: typeof breakSeconds === 'number' ? Math.max(0, breakSeconds) : 0,
    repeat: typeof repeat === 'number' ? repeat : 0,
  };
}

function entryOf(entry: PlaylistFields['playlist'][number]): ListEntry {
  if ('beam' in entry) return { type: 'beam', id: entry.beam.id };
  return 'ad' in entry ? { type: 'ad', seconds: Math.max(0, entry.ad.dur) } : { type: 'odd', text: JSON.stringify(entry.odd) };
}
