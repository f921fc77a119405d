/** The matrices of `impact`: devices by resolutions, before and after, as a grid that any format can draw. */
import {
  type ImpactReport,
  type Judgement,
  type Matrix,
  type MatrixRow,
  RESOLUTIONS,
  type Resolution,
  type Rule,
} from '../../model/impact.ts';
import type { Options } from '../document.ts';
import { visible } from '../escape.ts';
import type { PaintText } from '../text/colors.ts';
import { ruleText } from './device-impact.ts';
import { comparedCell, matrixItem, playbackWord } from './impact-matrix.ts';
import type { Cell, Line, View, ViewItem, ViewSection } from './model.ts';

const TITLES = { desired: 'desired', live: 'live', difference: 'live and desired' } as const;

/** Builds the view of an impact report: one grid for all policies with the same matrix, and with `--why` the rules. */
export function impactReportView(report: ImpactReport, { why }: Options): View {
  const { target, of, matrices, unchanged, notes } = report;
  const isSame = of === 'desired' && unchanged.length > 0;
  const same = of === 'difference' && unchanged.length > 0 ? [`No device sees a difference under ${unchanged.join(', ')}.`] : [];
  return {
    title: `What devices play under the policies of ${target}: ${TITLES[of]}`,
    opening: [
      ...(isSame ? [{ style: 'good', text: 'No device sees a difference between live and desired.' } as const] : []),
      ...(matrices.length === 0 ? [{ style: 'plain', text: 'There is no policy to show.' } as const] : []),
    ],
    sections: [
      {
        title: 'Policies',
        ...(of === 'difference'
          ? { description: 'Where live and desired differ, both are shown, live first. An asterisk marks other limits or conditions.' }
          : {}),
        columns: ['', 'Policy', 'The same under'],
        items: matrices.map(matrixOf),
      },
      ...(why ? [whySection(matrices)] : []),
    ],
    closing: [...same, ...notes].map((text): Line => ({ style: 'quiet', text })),
  };
}

function matrixOf({ policies, devices }: Matrix): ViewItem {
  const rows = devices.map((row) => ({ name: row.name, cells: RESOLUTIONS.map((resolution) => cellAt(row, resolution)) }));
  return matrixItem(policies, rows);
}

function cellAt({ before, after }: MatrixRow, resolution: Resolution): Cell {
  const [was, is] = [before?.[resolution], after?.[resolution]];
  if (was && is) return comparedCell(was.playback, is.playback, wordsOf(was) !== wordsOf(is));
  return playbackWord((is ?? was)?.playback ?? 'unknown');
}

/** The conditions of a judgement, whichever settings they come from. */
function wordsOf({ rules }: Judgement): string {
  return JSON.stringify([...new Set(rules.map((rule) => `${rule.outcome} ${ruleText(rule)}`))].sort());
}

/** Device by device, the rules at each resolution; where two sides are shown, what is new (+) and what is gone (-). */
function whySection(matrices: readonly Matrix[]): ViewSection {
  return {
    title: 'Why',
    columns: ['', 'Device', 'Policy'],
    items: matrices.flatMap(({ policies, devices }) =>
      devices.map((row): ViewItem => {
        const [first = '', ...others] = policies;
        const under = `under ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
        return {
          style: 'plain',
          sign: '*',
          word: 'device',
          subject: row.name,
          remarks: [under],
          notes: [],
          detail: (paint) => ruleLines(row, paint),
        };
      }),
    ),
  };
}

interface RuleLine {
  readonly mark: ' ' | '+' | '-';
  readonly rule: Rule;
  readonly resolutions: Resolution[];
}

/** Lists each rule once, with the resolutions to which it applies. */
function ruleLines({ before, after }: MatrixRow, paint: PaintText): readonly string[] {
  const lines = new Map<string, RuleLine>();
  for (const resolution of RESOLUTIONS) {
    for (const { mark, rule } of rulesAt(before?.[resolution], after?.[resolution])) {
      const key = `${mark} ${JSON.stringify(rule)}`;
      const found = lines.get(key);
      if (found) found.resolutions.push(resolution);
      else lines.set(key, { mark, rule, resolutions: [resolution] });
    }
  }
  if (lines.size === 0) return ['  no rule applies'];
  return [...lines.values()].map(({ mark, rule, resolutions }) => {
    const words = `${resolutions.join(', ')} ${rule.outcome}: ${ruleText(rule)} (${rule.field}, ${rule.section})`;
    return paint(mark === '+' ? 'added' : mark === '-' ? 'removed' : 'plain', `${mark} ${visible(words)}`);
  });
}

function rulesAt(before: Judgement | undefined, after: Judgement | undefined): readonly Omit<RuleLine, 'resolutions'>[] {
  if (!before || !after) return (before ?? after)?.rules.map((rule) => ({ mark: ' ' as const, rule })) ?? [];
  const key = (rule: Rule) => JSON.stringify(rule);
  const [was, is] = [new Set(before.rules.map(key)), new Set(after.rules.map(key))];
  return [
    ...before.rules.filter((rule) => !is.has(key(rule))).map((rule) => ({ mark: '-' as const, rule })),
    ...after.rules.map((rule) => ({ mark: was.has(key(rule)) ? (' ' as const) : ('+' as const), rule })),
  ];
}
