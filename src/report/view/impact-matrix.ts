/** Devices by resolutions as grids, of which a format with colours makes heat maps. */
import { type PlanImpact, type PlanMatrixRow, type PlaybackLevel, RESOLUTIONS } from '../../model/impact.ts';
import type { Style } from '../text/colors.ts';
import { type Cell, type Grid, noDetail, type ViewItem, type ViewSection, type Word } from './model.ts';

/** Matrices of a plan that are drawn. */
const MOST_MATRICES = 40;

const STYLES: { readonly [playback in PlaybackLevel]: Style } = {
  refused: 'removed',
  unknown: 'warning',
  restricted: 'changed',
  plays: 'added',
};

/** What a device does at one resolution. */
export function playbackWord(playback: PlaybackLevel): Word {
  return { style: STYLES[playback], text: playback };
}

/** Both sides at one resolution; an asterisk says that something else than the word is another, which means nothing to a refused device. */
export function comparedCell(before: PlaybackLevel, after: PlaybackLevel, differs: boolean): Cell {
  const word = playbackWord(after);
  if (before !== after) return { ...word, before: playbackWord(before) };
  return differs && after !== 'refused' ? { ...word, text: `${after}*` } : { ...word, isUnchanged: true };
}

/** Builds one grid for all policies with the same matrix. */
export function matrixItem([first = '', ...others]: readonly string[], rows: Grid['rows']): ViewItem {
  return {
    style: 'plain',
    sign: '*',
    word: 'policy',
    subject: first,
    remarks: [],
    notes: others.length === 0 ? [] : [{ style: 'quiet', text: `the same under ${others.join(', ')}` }],
    detail: noDetail,
    grid: { rowTitle: 'Device', columns: RESOLUTIONS, rows },
  };
}

/** Builds the playback matrices of a plan, shown beside the summaries. */
export function matrixSection(impact: PlanImpact | undefined): ViewSection {
  const matrices = impact?.matrices ?? [];
  const more = matrices.length - MOST_MATRICES;
  const about = [
    'As if everything were applied, including blocked changes. Where playback changes, both are shown, the present first; an asterisk marks other limits.',
    'Unaffected devices are omitted.',
    ...(more > 0 ? [`The first ${MOST_MATRICES} of ${matrices.length}; the JSON document has all.`] : []),
  ];
  return {
    title: 'Playback before and after',
    description: about.join(' '),
    columns: ['', 'Policy', 'The same under'],
    items: matrices.slice(0, MOST_MATRICES).map(({ policies, devices }) => matrixItem(policies, devices.map(rowOf))),
    htmlOnly: true,
  };
}

function rowOf({ name, before, after, noticed }: PlanMatrixRow): Grid['rows'][number] {
  const cells = RESOLUTIONS.map((resolution) => comparedCell(before[resolution], after[resolution], noticed.includes(resolution)));
  return { name, cells };
}
