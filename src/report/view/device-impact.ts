/** Views of the playback impact: the impact of a plan on devices, and the report of `impact`. */
import { type Change, PLAYBACKS, type Playback, type PlaybackReason } from '../../core/model/change.ts';
import { groupBy, listOf } from '../../core/model/collections.ts';
import {
  type ImpactOutcome,
  type ImpactReport,
  type ImpactSummary,
  type Judgement,
  type Matrix,
  type MatrixRow,
  type Output,
  type PlanImpact,
  type PlanMatrixRow,
  type PlaybackLevel,
  RESOLUTIONS,
  type Resolution,
  type Rule,
} from '../../core/model/impact.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Options } from '../document.ts';
import { visible } from '../escape.ts';
import type { PaintText, Style } from '../text/colors.ts';
import { nameInAddress } from './address-name.ts';
import { count, countOfKind, policyWords } from './labels.ts';
import { type Cell, type Grid, type Line, noDetail, type View, type ViewItem, type ViewSection, type Word } from './model.ts';
import { isCertainNow, tracksDo } from './outcome-words.ts';

/** Maximum number of summaries shown; the others are counted. */
const MAX_SUMMARIES = 60;
/** Maximum number of policies named per summary. */
const MAX_POLICIES = 6;
/** Maximum number of matrices of a plan shown. */
const MAX_MATRICES = 40;

const MARKS: { readonly [outcome in ImpactOutcome]: { readonly sign: string; readonly style: Style } } = {
  lost: { sign: '-', style: 'removed' },
  uncertain: { sign: '?', style: 'warning' },
  gained: { sign: '+', style: 'added' },
  restricted: { sign: '~', style: 'changed' },
  unrestricted: { sign: '~', style: 'changed' },
  changed: { sign: '~', style: 'changed' },
};

/** The outcomes that a plan has other words for, because nothing is written yet. */
const PLANNED: { readonly [outcome in ImpactOutcome]?: string } = { lost: 'would lose', gained: 'would gain' };

/**
 * Builds the section of what viewers notice: what goes off air, one item for all devices and policies with the same impact, and what else
 * changes give as reasons. Of a plan it says what would happen, because nothing is written yet.
 */
export function viewersSection(type: 'plan' | 'drift', { impact, changes }: Pick<Plan, 'impact' | 'changes'>): ViewSection {
  const isPlan = type === 'plan';
  const summaries = impact?.summaries ?? [];
  const blocked = new Set(changes.filter((change) => change.blocked !== null).map(({ address }) => address));
  const weakening = weakeningAddresses(changes);
  const shared = sharedPolicies(summaries);
  const sentences = [
    ...impactTotals(summaries),
    ...(shared === null ? [] : [`Under ${policyWords(shared, MAX_POLICIES)}.`]),
    ...(summaries.length > MAX_SUMMARIES ? [`The first ${MAX_SUMMARIES} of ${summaries.length}; the JSON document has all.`] : []),
  ];
  return {
    title: 'What viewers notice',
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
    columns: ['Outcome', 'Where', 'What changes'],
    items: [
      ...offAirItems(isPlan, changes),
      ...summaries.slice(0, MAX_SUMMARIES).map((summary) => summaryItem(summary, isPlan, shared === null, { blocked, weakening })),
      ...otherReasonItems(isPlan, summaries, changes),
    ],
  };
}

/** Returns the addresses of the changes that weaken protection: what plays more because of them is no good news. */
function weakeningAddresses(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(changes.filter(({ effect }) => effect === 'weakens').map(({ address }) => address));
}

/** Decides whether devices play more because protection is weakened. */
function isGainByWeakening({ outcome, changes }: ImpactSummary, weakening: ReadonlySet<string>): boolean {
  return (outcome === 'gained' || outcome === 'unrestricted') && changes.some((address) => weakening.has(address));
}

/** Maximum number of resources named for one reason. */
const MAX_NAMES = 10;
/** The same, in the title of an item. */
const MAX_SUBJECT_NAMES = 3;

/** Builds an item for each kind of which something goes off air. */
function offAirItems(isPlan: boolean, changes: readonly Change[]): readonly ViewItem[] {
  const offAir = changes.filter(({ playbackReasons = [] }) => playbackReasons.some((reason) => reason.offAir));
  return [...groupBy(offAir, ({ kind }) => kind)].map(([kind, all]) => {
    const verb = isPlan ? 'would go' : all.length === 1 ? 'goes' : 'go';
    return viewerItem(markOf('stops', isPlan), countOfKind(all.length, kind), all, `${verb} off air`, true);
  });
}

/** Builds an item for the reasons that no summary covers, and that the same changes give. */
function otherReasonItems(isPlan: boolean, summaries: readonly ImpactSummary[], changes: readonly Change[]): readonly ViewItem[] {
  const covered = new Set(summaries.flatMap((summary) => summary.changes));
  const reasons = changes
    .filter(({ address }) => !covered.has(address))
    .flatMap((change) =>
      (change.playbackReasons ?? []).filter(({ offAir }) => !offAir).map(({ playback, text }) => ({ playback, text, change })),
    );
  const byText = [...groupBy(reasons, ({ playback, text }) => JSON.stringify([playback, text])).values()];
  const groups = [...groupBy(byText, sameChangesKey).values()].map((all) => all.flat());
  const sorted = groups.toSorted(([a], [b]) => PLAYBACKS.indexOf(a?.playback ?? 'neutral') - PLAYBACKS.indexOf(b?.playback ?? 'neutral'));
  const items = sorted.slice(0, MAX_SUMMARIES).flatMap((group) => {
    const [first] = group;
    const concerned = [...new Set(group.map(({ change }) => change))];
    const texts = [...new Set(group.map(({ text }) => text))];
    return first
      ? [viewerItem(reasonMark(first.playback, isPlan, concerned), joinNames(concerned, MAX_SUBJECT_NAMES), concerned, texts.join('; '))]
      : [];
  });
  const more = sorted.length - items.length;
  return more > 0 ? [...items, viewerItem(markOf('unknown', isPlan), `${count(more, 'more reason')}, at the changes`, [], null)] : items;
}

/** A reason of a change that says what viewers notice. */
type ViewerReason = Pick<PlaybackReason, 'playback' | 'text'> & { readonly change: Change };

/** Returns a text that reasons have in common which the same changes give. */
function sameChangesKey(reasons: readonly ViewerReason[]): string {
  return JSON.stringify([reasons[0]?.playback, reasons.map(({ change }) => change.address)]);
}

/** How playback is marked, in a plan by `planned`. */
interface ReasonMark {
  readonly sign: string;
  readonly style: Style;
  readonly word: string;
  readonly planned: string;
}

const REASON_MARKS: { readonly [playback in Exclude<Playback, 'neutral'>]: ReasonMark } = {
  stops: { sign: '-', style: 'removed', word: 'stops', planned: 'would stop' },
  reduces: { sign: '~', style: 'changed', word: 'reduces', planned: 'would reduce' },
  unknown: { sign: '?', style: 'warning', word: 'may affect', planned: 'may affect' },
  gains: { sign: '+', style: 'added', word: 'gains', planned: 'would gain' },
};

type Mark = Pick<ViewItem, 'sign' | 'style' | 'word'>;

function markOf(playback: Exclude<Playback, 'neutral'>, isPlan: boolean): Mark {
  const { planned, ...mark } = REASON_MARKS[playback];
  return isPlan ? { ...mark, word: planned } : mark;
}

/** Returns the mark of a reason; a gain by a change that weakens protection looks like a risk. */
function reasonMark(playback: Exclude<Playback, 'neutral'>, isPlan: boolean, changes: readonly Change[]): Mark {
  const mark = markOf(playback, isPlan);
  return playback === 'gains' && changes.some(({ effect }) => effect === 'weakens') ? { ...mark, style: 'alarm' } : mark;
}

/** Builds an item about the resources of changes, which it names if its subject does not. */
function viewerItem(mark: Mark, subject: string, changes: readonly Change[], text: string | null, isNaming = false): ViewItem {
  const numberBlocked = changes.filter((change) => change.blocked !== null).length;
  const blocked = numberBlocked === 0 ? [] : [numberBlocked === changes.length ? 'blocked' : 'partly blocked'];
  return {
    ...mark,
    subject,
    isPhrase: true,
    remarks: text === null ? blocked : [text, ...blocked],
    notes: isNaming ? [{ style: 'quiet', text: joinNames(changes, MAX_NAMES) }] : [],
    detail: noDetail,
  };
}

function joinNames(changes: readonly Change[], most: number): string {
  const names = changes.map(({ address, name }) => (name === '' ? address : name));
  return listOf(names, most);
}

/** Returns the notes on the impact. */
export function impactLines(impact: PlanImpact | undefined): readonly Line[] {
  return (impact?.notes ?? []).map((text): Line => ({ style: 'quiet', text }));
}

/** Counts the classes of devices that lose or gain playback; empty if there are none. */
function impactTotals(summaries: readonly ImpactSummary[]): readonly string[] {
  const affected = (...outcomes: readonly ImpactOutcome[]): number =>
    new Set(summaries.filter(({ outcome }) => outcomes.includes(outcome)).flatMap(({ devices }) => devices.map(({ device }) => device)))
      .size;
  const [lose, gain, others] = [affected('lost'), affected('gained'), affected('uncertain', 'restricted', 'unrestricted', 'changed')];
  const parts = [
    ...(lose > 0 ? [`${lose} ${lose === 1 ? 'loses' : 'lose'} playback`] : []),
    ...(gain > 0 ? [`${gain} ${gain === 1 ? 'gains' : 'gain'} playback`] : []),
    ...(others > 0 ? [`${others} with other or uncertain limits`] : []),
  ];
  return parts.length === 0 ? [] : [`Classes of devices: ${parts.join(', ')}.`];
}

/** Returns the policies if all summaries concern the same ones, else null. */
function sharedPolicies(summaries: readonly ImpactSummary[]): readonly string[] | null {
  const [first] = summaries;
  if (!first) return null;
  return summaries.every(({ policies }) => policies.join(' ') === first.policies.join(' ')) ? first.policies : null;
}

/** The addresses of the changes that are blocked, and of those that weaken protection. */
interface Addresses {
  readonly blocked: ReadonlySet<string>;
  readonly weakening: ReadonlySet<string>;
}

function summaryItem(summary: ImpactSummary, isPlan: boolean, namesPolicies: boolean, { blocked, weakening }: Addresses): ViewItem {
  const isWeakening = isGainByWeakening(summary, weakening);
  const [first, ...others] = summary.devices.map(({ name }) => name);
  const isBlocked = blockedRemark(summary, blocked);
  const notes = [
    ...(others.length > 0 ? [`the same on ${others.join('; ')}`] : []),
    ...(namesPolicies ? [`under ${policyWords(summary.policies, MAX_POLICIES)}`] : []),
  ];
  return {
    ...MARKS[summary.outcome],
    ...(isWeakening ? { style: 'alarm' } : {}),
    word: (isPlan ? PLANNED[summary.outcome] : undefined) ?? (isCertainNow(summary) ? 'certain' : summary.outcome),
    subject: first ?? '',
    isPhrase: true,
    remarks: [
      `${describeOutcome(summary, isPlan)}${formatRules(summary)}`,
      ...(isWeakening ? ['by weaker protection'] : []),
      ...(notes.length === 0 ? isBlocked : []),
    ],
    notes: (notes.length === 0 ? [] : [...notes, ...isBlocked]).map((text): Line => ({ style: 'quiet', text })),
    detail: noDetail,
  };
}

function blockedRemark({ changes }: ImpactSummary, blocked: ReadonlySet<string>): readonly string[] {
  if (!changes.some((address) => blocked.has(address))) return [];
  return [changes.every((address) => blocked.has(address)) ? 'blocked' : 'partly blocked'];
}

function describeOutcome(summary: ImpactSummary, isConditional: boolean): string {
  return tracksDo(summary, summary.resolutions.join(', '), { isOne: summary.resolutions.length === 1, isConditional });
}

/** Formats the rules of a summary in parentheses, those that no longer apply as "before". */
function formatRules(summary: ImpactSummary): string {
  const texts = [...new Set(summary.rules.map(ruleText))];
  if (texts.length === 0) return '';
  return ` (${summary.side === 'before' ? 'before: ' : ''}${texts.join('; ')})`;
}

const OUTPUTS: { readonly [output in Output]: string } = {
  internal: 'built-in display',
  digital: 'digital output',
  repeater: 'behind the repeater',
  analog: 'analog output',
  airplay: 'over AirPlay',
  av_adapter: 'through the AV adapter',
  offline: 'offline',
};

/** Formats a rule with the output that it concerns. */
function ruleText({ text, output }: Rule): string {
  return output === undefined ? text : `${OUTPUTS[output]}: ${text}`;
}

const PLAYBACK_STYLES: { readonly [playback in PlaybackLevel]: Style } = {
  refused: 'removed',
  unknown: 'warning',
  restricted: 'changed',
  plays: 'added',
};

function playbackWord(playback: PlaybackLevel): Word {
  return { style: PLAYBACK_STYLES[playback], text: playback };
}

/** What marks a level of playback: with other limits or conditions, or gained by weaker protection. */
const [OTHER_LIMITS, BY_WEAKENING] = ['*', ' !'] as const;

/**
 * Builds the cell that compares a device at one resolution before and after. `conditionsDiffer` adds an asterisk where the level is the
 * same, except for `refused`, which has no conditions.
 */
function comparedCell(before: PlaybackLevel, after: PlaybackLevel, conditionsDiffer: boolean): Cell {
  const word = playbackWord(after);
  if (before !== after) return { ...word, before: playbackWord(before) };
  return conditionsDiffer && after !== 'refused' ? { ...word, text: `${after}${OTHER_LIMITS}` } : { ...word, isUnchanged: true };
}

function matrixItem([first = '', ...others]: readonly string[], rows: Grid['rows']): ViewItem {
  const name = nameInAddress(first);
  return {
    style: 'plain',
    sign: '*',
    word: 'policy',
    subject: first,
    ...(name === first ? {} : { name }),
    remarks: [],
    notes: others.length === 0 ? [] : [{ style: 'quiet', text: `the same under ${others.join(', ')}` }],
    detail: noDetail,
    grid: { rowTitle: 'Device', columns: RESOLUTIONS, rows },
  };
}

/** Builds the section of the playback matrices of a plan, for HTML. */
export function playbackMatrixSection({ impact, changes }: Pick<Plan, 'impact' | 'changes'>): ViewSection {
  const matrices = impact?.matrices ?? [];
  const weakening = weakeningAddresses(changes);
  const gains = (impact?.summaries ?? []).filter((summary) => isGainByWeakening(summary, weakening));
  const items = matrices.slice(0, MAX_MATRICES).map(({ policies, devices }) =>
    matrixItem(
      policies,
      devices.map((row) => planMatrixRow(row, gains.filter(isUnder(policies)))),
    ),
  );
  const sentences = [
    'As if everything were applied, including blocked changes. Where playback changes, both are shown, the present first.',
    ...(hasCell(items, BY_WEAKENING) ? ['An exclamation mark: plays more by weaker protection.'] : []),
    ...(hasCell(items, OTHER_LIMITS) ? ['An asterisk: plays with other limits.'] : []),
    'Unaffected devices are omitted.',
    ...(matrices.length > MAX_MATRICES ? [`The first ${MAX_MATRICES} of ${matrices.length}; the JSON document has all.`] : []),
  ];
  return {
    title: 'Playback before and after',
    description: sentences.join(' '),
    columns: ['', 'Policy', 'The same under'],
    items,
    htmlOnly: true,
  };
}

function hasCell(items: readonly ViewItem[], mark: string): boolean {
  return items.some(({ grid }) => grid?.rows.some(({ cells }) => cells.some(({ text }) => text.endsWith(mark))));
}

function isUnder(policies: readonly string[]): (summary: ImpactSummary) => boolean {
  return (summary) => summary.policies.some((policy) => policies.includes(policy));
}

/** Builds the row of a device; what it plays more by weaker protection, of `gains`, looks like a risk. */
function planMatrixRow({ device, name, before, after, noticed }: PlanMatrixRow, gains: readonly ImpactSummary[]): Grid['rows'][number] {
  const ofDevice = gains.filter(({ devices }) => devices.some((each) => each.device === device));
  const cells = RESOLUTIONS.map((resolution): Cell => {
    const cell = comparedCell(before[resolution], after[resolution], noticed.includes(resolution));
    const isWeakening = cell.before !== undefined && ofDevice.some(({ resolutions }) => resolutions.includes(resolution));
    return isWeakening ? { ...cell, style: 'changed', text: `${cell.text}${BY_WEAKENING}` } : cell;
  });
  return { name, cells };
}

const REPORT_TITLES: { readonly [of in ImpactReport['of']]: string } = {
  desired: 'desired',
  live: 'live',
  difference: 'live and desired',
};

/** Builds the view of an impact report: one grid for all policies with the same matrix, and with `--why` the rules. */
export function impactReportView(report: ImpactReport, { why }: Options): View {
  const { target, of, matrices, unchanged, notes } = report;
  const items = matrices.map(reportMatrixItem);
  const isDifferenceEmpty = of === 'desired' && unchanged.length > 0;
  const unchangedPolicies =
    of === 'difference' && unchanged.length > 0 ? [`No device class in this report sees a difference under ${unchanged.join(', ')}.`] : [];
  return {
    title: `What devices play under the policies of ${target}: ${REPORT_TITLES[of]}`,
    opening: [
      ...(isDifferenceEmpty
        ? [{ style: 'good', text: 'No device class in this report sees a difference between live and desired.' } as const]
        : []),
      ...(matrices.length === 0 ? [{ style: 'plain', text: 'There is no policy to show.' } as const] : []),
    ],
    sections: [
      {
        title: 'Policies',
        ...(of === 'difference'
          ? {
              description: `Where live and desired differ, both are shown, live first.${hasCell(items, OTHER_LIMITS) ? ' An asterisk marks other limits or conditions.' : ''}`,
            }
          : {}),
        columns: ['', 'Policy', 'The same under'],
        items,
      },
      ...(why ? [rulesSection(matrices)] : []),
    ],
    closing: [...unchangedPolicies, ...notes].map((text): Line => ({ style: 'quiet', text })),
  };
}

function reportMatrixItem({ policies, devices }: Matrix): ViewItem {
  const rows = devices.map((row) => ({ name: row.name, cells: RESOLUTIONS.map((resolution) => reportCell(row, resolution)) }));
  return matrixItem(policies, rows);
}

function reportCell(row: MatrixRow, resolution: Resolution): Cell {
  const [before, after] = [row.before?.[resolution], row.after?.[resolution]];
  if (before && after) return comparedCell(before.playback, after.playback, conditionsOf(before) !== conditionsOf(after));
  return playbackWord((after ?? before)?.playback ?? 'unknown');
}

/** Returns the conditions of a judgement as one text for comparison, whichever settings they come from. */
function conditionsOf({ rules }: Judgement): string {
  return JSON.stringify([...new Set(rules.map((rule) => `${rule.outcome} ${ruleText(rule)}`))].sort());
}

/** Builds the section of rules: for each device, the rules at each resolution; of two sides, added (+) and removed (-) rules are marked. */
function rulesSection(matrices: readonly Matrix[]): ViewSection {
  return {
    title: 'Why',
    columns: ['', 'Device', 'Policy'],
    items: matrices.flatMap(({ policies, devices }) =>
      devices.map(
        (row): ViewItem => ({
          style: 'plain',
          sign: '*',
          word: 'device',
          subject: row.name,
          remarks: [`under ${listOf(policies, 1)}`],
          notes: [],
          detail: (paint) => ruleLines(row, paint),
        }),
      ),
    ),
  };
}

interface MarkedRule {
  readonly mark: ' ' | '+' | '-';
  readonly rule: Rule;
}

/** Renders each rule once, with the resolutions to which it applies. */
function ruleLines({ before, after }: MatrixRow, paint: PaintText): readonly string[] {
  const lines = new Map<string, MarkedRule & { readonly resolutions: Resolution[] }>();
  for (const resolution of RESOLUTIONS) {
    for (const marked of compareRules(before?.[resolution], after?.[resolution])) {
      const key = JSON.stringify(marked);
      const line = lines.get(key);
      if (line) line.resolutions.push(resolution);
      else lines.set(key, { ...marked, resolutions: [resolution] });
    }
  }
  if (lines.size === 0) return ['  no rule applies'];
  return [...lines.values()].map(({ mark, rule, resolutions }) => {
    const words = `${resolutions.join(', ')} ${rule.outcome}: ${ruleText(rule)} (${rule.field}, ${rule.section})`;
    return paint(mark === '+' ? 'added' : mark === '-' ? 'removed' : 'plain', `${mark} ${visible(words)}`);
  });
}

function compareRules(before: Judgement | undefined, after: Judgement | undefined): readonly MarkedRule[] {
  if (!before || !after) return (before ?? after)?.rules.map((rule): MarkedRule => ({ mark: ' ', rule })) ?? [];
  const keyOf = (rule: Rule) => JSON.stringify(rule);
  const [keysBefore, keysAfter] = [new Set(before.rules.map(keyOf)), new Set(after.rules.map(keyOf))];
  return [
    ...before.rules.filter((rule) => !keysAfter.has(keyOf(rule))).map((rule): MarkedRule => ({ mark: '-', rule })),
    ...after.rules.map((rule): MarkedRule => ({ mark: keysBefore.has(keyOf(rule)) ? ' ' : '+', rule })),
  ];
}
