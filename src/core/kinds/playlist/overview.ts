/** Playlists on the page "The account at a glance" (`export --format html`; playlist-api-v4 section 2.1). */
import type { KindOverview, OverviewMark } from '../../model/account-overview.ts';
import { contentOf } from './content.ts';
import type { LivePlaylist, PlaylistFields } from './model.ts';
import { isOnAir } from './playback.ts';

/** Returns all playlists with their marks. */
export function overview(objects: readonly LivePlaylist[]): KindOverview {
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
