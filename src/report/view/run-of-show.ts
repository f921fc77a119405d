/** The words of a run of show: its totals, and its entries as a table of text. */
import type { RunsOfShow } from '../../core/model/explanation.ts';
import { clockText, isAtLeast, type RunOfShow, type RunOfShowEntry } from '../../core/model/run-of-show.ts';
import { type FoldedRows, foldMiddle, hasKnownAsset, type RunOfShowLayout, type RunRow, runOfShowLayout } from '../diagrams/run-of-show.ts';
import { visible } from '../escape.ts';
import type { PaintText, Style } from '../text/colors.ts';
import { columns, cut, pad } from '../text/layout.ts';
import { count } from './labels.ts';
import { type Line, noDetail, type ViewItem, type ViewSection } from './model.ts';

/** Maximum number of entries in text before the middle is left out. */
const MAX_TEXT_ROWS = 40;

const DESCRIPTION =
  'Offsets count from the first asset, with which playback begins; how long ad breaks are at playback is not known beforehand.';

/** Builds the section of a run of show: an item for each of the two lists, the last one with the entries of both. */
export function runOfShowSection({ live, declared, at, unread }: RunsOfShow): ViewSection {
  const layout = runOfShowLayout(live, declared);
  const { strips } = layout;
  const items = strips.map(({ name, run }, index): ViewItem => {
    const isLast = index === strips.length - 1;
    const [subject, ...remarks] = totalTexts(run);
    return {
      style: name === 'now' ? 'plain' : 'changed',
      sign: name,
      subject,
      remarks,
      notes: [
        ...dateLines(run, at),
        ...(isLast ? unread.map((text): Line => ({ style: 'warning', text })) : []),
        ...(isLast && !strips.some((strip) => hasKnownAsset(strip.run)) ? [UNKNOWN_DURATIONS] : []),
      ],
      detail: isLast ? (paint, width) => tableOf(layout, paint, width) : noDetail,
      ...(isLast ? { diagram: { layout, reasons: [], detail: noDetail } } : {}),
    };
  });
  return {
    title: 'Run of show',
    description: DESCRIPTION + (strips.length > 1 ? ' A removed entry (-) has the offset that it had.' : ''),
    columns: ['', 'Length', 'Ads'],
    items,
  };
}

const UNKNOWN_DURATIONS: Line = {
  style: 'quiet',
  text: 'No duration of its assets is known. `assets` in the configuration may say them (`duration`), and `check.assets: true` asks the service.',
};

/** Returns the totals of a run: the length of the whole, planned ads, and how often it repeats. */
export function totalTexts(run: RunOfShow): readonly [length: string, ...rest: string[]] {
  const { entries, seconds, unknown, hasUnknownBreaks, repeat } = run;
  const number = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
  if (entries.length === 0) return [number];
  const repeats = repeat === 0 ? [] : [repeat < 0 ? 'repeats for ever' : `repeats ${count(repeat, 'time')}`];
  if (!hasKnownAsset(run)) return [`${number}, length unknown`, ...adTexts(run), ...repeats];
  return [
    `${number}, ${isAtLeast(run) ? 'at least ' : ''}${clockText(seconds)}`,
    ...(unknown === 0 ? [] : [`${count(unknown, 'length')} unknown`]),
    ...(hasUnknownBreaks ? ['ad breaks within assets are not known'] : []),
    ...adTexts(run),
    ...repeats,
  ];
}

/** Returns the planned ads; their share only where it can be told, or a limit of it. */
function adTexts(run: RunOfShow): readonly string[] {
  const { entries, seconds, unknown, adSeconds, hasUnknownBreaks } = run;
  if (adSeconds === 0) return entries.length > 1 && !hasUnknownBreaks ? ['no ads'] : [];
  const ads = `ads ${hasUnknownBreaks ? 'at least ' : ''}${clockText(adSeconds)} planned`;
  if (hasUnknownBreaks || !hasKnownAsset(run)) return [ads];
  const share = adSeconds / seconds;
  return [`${ads}, ${unknown > 0 ? 'at most ' : ''}${(share * 60).toFixed(1)} min per hour (${(share * 100).toFixed(1)} %)`];
}

/** Returns what a run says about the date that was asked for. */
function dateLines({ entries }: RunOfShow, at: string | null): readonly Line[] {
  if (at === null) return [];
  const numberOf = (availability: RunOfShowEntry['availability']) => {
    const ids = new Set(entries.flatMap((entry) => (entry.availability === availability ? [entry.id] : [])));
    return ids.size;
  };
  const [gone, notYet, unknown] = [numberOf('gone'), numberOf('not-yet'), numberOf('unknown')];
  const goneSeconds = entries.reduce((sum, entry) => sum + (entry.availability === 'gone' ? (entry.seconds ?? 0) : 0), 0);
  const left = entries.some(({ availability }) => availability === 'available' || availability === 'unknown');
  const parts = [
    ...(gone > 0 ? [`${count(gone, 'asset')} will be gone, with ${clockText(goneSeconds)} of what is planned`] : []),
    ...(notYet > 0 ? [`${count(notYet, 'asset')} will not be available yet`] : []),
    ...(gone + notYet === 0 ? ['no asset is known to be gone'] : left ? [] : ['no asset is left']),
    ...(unknown > 0 ? [`of ${count(unknown, 'asset')} the end is not known`] : []),
  ];
  return [{ style: gone + notYet > 0 ? 'alarm' : unknown > 0 ? 'quiet' : 'good', text: `At ${at}: ${parts.join('; ')}.` }];
}

/** Returns the length of an entry, as it is shown. */
export function lengthText({ seconds }: Pick<RunOfShowEntry, 'seconds'>): string {
  return seconds === null ? 'unknown' : clockText(seconds);
}

/** Returns where an entry begins, as it is shown. */
export function offsetText({ entry, isAtLeast: isLimit }: Pick<RunRow, 'entry' | 'isAtLeast'>): string {
  return `${isLimit ? '≥' : ''}${clockText(entry.offset)}`;
}

/** Returns why an asset cannot be played, as it is shown; empty where it can, as far as is known. */
export function lostText({ availability, notReady }: Pick<RunOfShowEntry, 'availability' | 'notReady'>): string {
  if (availability === 'gone') return 'gone';
  if (availability === 'not-yet') return 'not yet available';
  return notReady === undefined ? '' : `not ready: ${visible(notReady)}`;
}

/** Returns how rows that are left out are shown. */
export function foldText({ count: rows, from }: FoldedRows): string {
  return `${rows} more ${rows === 1 ? 'entry' : 'entries'} from ${offsetText(from)} on`;
}

const SIGNS: { readonly [change in RunRow['change']]: { readonly sign: string; readonly style: Style } } = {
  kept: { sign: ' ', style: 'plain' },
  added: { sign: '+', style: 'added' },
  removed: { sign: '-', style: 'removed' },
};

/** Renders the entries as a table: sign, offset, length, sort, name or ID. */
function tableOf({ rows }: RunOfShowLayout, paint: PaintText, width: number): readonly string[] {
  const shown = foldMiddle(rows, MAX_TEXT_ROWS);
  const entries = shown.flatMap((row) => ('type' in row ? [] : [row]));
  const widest = (texts: readonly string[]) => Math.max(...texts.map(columns));
  const offsetWidth = widest(['offset', ...entries.map(offsetText)]);
  const lengthWidth = widest(['length', ...entries.map(({ entry }) => lengthText(entry))]);
  const line = (sign: string, offset: string, length: string, sort: string, name: string) =>
    `${sign} ${offset.padStart(offsetWidth)}  ${length.padStart(lengthWidth)}  ${pad(sort, 4)}  ${name}`.trimEnd();
  const nameWidth = Math.max(10, width - offsetWidth - lengthWidth - 12);
  return [
    paint('quiet', line(' ', 'offset', 'length', '', 'asset')),
    ...shown.map((row) => {
      if ('type' in row) return paint('quiet', line(' ', '...', '', '', foldText(row)));
      const { entry, change } = row;
      const { sign, style } = SIGNS[change];
      const remark = cut(lostText(entry), 30);
      const name = cut(visible(entry.name ?? entry.id), nameWidth - (remark === '' ? 0 : remark.length + 2));
      const text = line(sign, offsetText(row), lengthText(entry), entry.type === 'odd' ? '?' : entry.type, name);
      return remark === '' ? paint(style, text) : `${paint(style, text)}  ${paint('alarm', remark)}`;
    }),
  ];
}
