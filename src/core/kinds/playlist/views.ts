/** What reports draw of playlists: the list before and after a change, what plays, and all playlists (playlist-api-v4 section 2.1). */
import type { KindOverview, OverviewMark } from '../../model/account-overview.ts';
import type { Change } from '../../model/change.ts';
import type { PlaylistDiagram, PlaylistEntry } from '../../model/diagram.ts';
import { equal, isList, type Json } from '../../model/json.ts';
import type { ListEntry, PlaylistContent } from '../../model/run-of-show.ts';
import type { KindViews } from '../views.ts';
import { type LivePlaylist, type PlaylistFields, readEntry } from './model.ts';
import { isOnAir } from './playback.ts';

/** The views of playlists. */
export const playlistViews = { diagram, contentOf, overview } satisfies KindViews<PlaylistFields>;

/** Returns the diagram of the list; null if the change does not touch it, or its value is no list of canonical entries. */
function diagram({ fields }: Change): PlaylistDiagram | null {
  const field = fields.find(({ path }) => path === '/playlist');
  if (!field) return null;
  const before = diagramEntries(field.before ?? []);
  const after = diagramEntries(field.after ?? []);
  return before && after && before.length + after.length > 0 ? { type: 'playlist', field, before, after } : null;
}

/** Reads a list of entries; undefined if the value is something else. */
function diagramEntries(value: Json): readonly PlaylistEntry[] | undefined {
  const entries = isList(value) ? value.map(diagramEntry) : [undefined];
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function diagramEntry(value: Json): PlaylistEntry | undefined {
  const entry = readEntry(value);
  if (!entry || !equal(entry, value)) return undefined;
  return 'beam' in entry ? { type: 'beam', label: entry.beam.id } : { type: 'ad', label: `${entry.ad.dur} s`, seconds: entry.ad.dur };
}

/** Returns what plays. A setting of a live playlist that is no integer counts as its default, because what it means is unknown. */
function contentOf({ playlist, beam_break_duration: breakSeconds, repeat }: PlaylistFields): PlaylistContent {
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

function overview(objects: readonly LivePlaylist[]): KindOverview {
  return {
    type: 'playlists',
    playlists: objects.map(({ id, remoteName, fields }) => ({
      id,
      name: remoteName,
      content: contentOf(fields),
      isOnAir: isOnAir(fields),
      requiresDrm: fields.studio_drm_required === 1 ? true : fields.studio_drm_required === 0 ? false : null,
      marks: marksOf(fields),
    })),
  };
}

function marksOf(fields: PlaylistFields): readonly OverviewMark[] {
  const { beam_break_duration: breakSeconds } = fields;
  return [
    ...switchMark('active', fields.active, { style: 'quiet', text: 'off air' }, null),
    ...switchMark(
      'studio_drm_required',
      fields.studio_drm_required,
      { style: 'quiet', text: 'no DRM required' },
      { style: 'good', text: 'DRM required' },
    ),
    ...switchMark('skip_drm', fields.skip_drm, null, { style: 'alarm', text: 'plays without a signature' }),
    ...switchMark('ad_slate_fill', fields.ad_slate_fill, null, { style: 'quiet', text: 'fills ad breaks with slate' }),
    ...(breakSeconds === 0 ? [] : [{ style: 'quiet', text: `ad breaks within assets: ${JSON.stringify(breakSeconds)} s each` } as const]),
  ];
}

/** Returns the mark of a setting that is 0 or 1; any other value has no documented meaning. */
function switchMark(name: string, value: unknown, off: OverviewMark | null, on: OverviewMark | null): readonly OverviewMark[] {
  if (value !== 0 && value !== 1) return [{ style: 'warning', text: `${name} is ${JSON.stringify(value)}` }];
  const mark = value === 1 ? on : off;
  return mark ? [mark] : [];
}
