/** Describes the playback impact of a plan: losses first, then gains, then limits. */
import type { ImpactOutcome, ImpactSummary, Output, PlanImpact, Rule } from '../../model/impact.ts';
import type { Plan } from '../../model/plan.ts';
import type { Style } from '../text/colors.ts';
import { type Line, noDetail, type ViewItem, type ViewSection } from './model.ts';

/** Maximum number of summaries shown; the others are counted. */
const MOST_SUMMARIES = 60;
/** Maximum number of policies named per summary. */
const MOST_POLICIES = 6;

const MARKS: { readonly [outcome in ImpactOutcome]: { readonly sign: string; readonly style: Style } } = {
  lost: { sign: '-', style: 'removed' },
  uncertain: { sign: '?', style: 'warning' },
  gained: { sign: '+', style: 'added' },
  restricted: { sign: '~', style: 'changed' },
  unrestricted: { sign: '~', style: 'changed' },
};

/** Builds the playback impact section: one line for all devices and policies with the same impact. */
export function playbackImpactSection({ impact, changes }: Pick<Plan, 'impact' | 'changes'>): ViewSection {
  const summaries = impact?.summaries ?? [];
  const held = new Set(changes.filter((change) => change.blocked !== null).map(({ address }) => address));
  const shared = sharedPolicies(summaries);
  const more = summaries.length - MOST_SUMMARIES;
  const about = [
    shared === null ? '' : `Under ${listed(shared)}.`,
    more > 0 ? `The first ${MOST_SUMMARIES} of ${summaries.length}; the JSON document has all.` : '',
  ];
  return {
    title: 'Playback impact',
    ...(about.some((sentence) => sentence !== '') ? { description: about.filter((sentence) => sentence !== '').join(' ') } : {}),
    columns: ['', 'Device', 'What changes'],
    items: summaries.slice(0, MOST_SUMMARIES).map((summary) => summaryItem(summary, shared === null, held)),
  };
}

/** Returns the impact totals: how many device classes lose or gain playback, and notes. */
export function impactStatements(impact: PlanImpact | undefined): readonly Line[] {
  if (!impact) return [];
  return [{ style: 'plain', text: summary(impact) }, ...impact.notes.map((text): Line => ({ style: 'quiet', text }))];
}

function summary({ summaries }: PlanImpact): string {
  const affected = (...outcomes: readonly ImpactOutcome[]): number =>
    new Set(summaries.filter(({ outcome }) => outcomes.includes(outcome)).flatMap(({ devices }) => devices.map(({ device }) => device)))
      .size;
  const [lose, gain, others] = [affected('lost'), affected('gained'), affected('uncertain', 'restricted', 'unrestricted')];
  if (lose + gain + others === 0) return 'Devices: no class of them plays more or less than before.';
  return `Devices: classes that lose playback: ${lose}; that gain it: ${gain}; with other or uncertain limits: ${others}.`;
}

/** Returns the policies if all summaries concern the same ones, else null. */
function sharedPolicies(summaries: readonly ImpactSummary[]): readonly string[] | null {
  const [first] = summaries;
  if (!first) return null;
  return summaries.every(({ policies }) => policies.join(' ') === first.policies.join(' ')) ? first.policies : null;
}

function summaryItem(summary: ImpactSummary, isAlone: boolean, held: ReadonlySet<string>): ViewItem {
  const [first, ...others] = summary.devices.map(({ name }) => name);
  const notes = [others.length > 0 ? `the same on ${others.join('; ')}` : '', isAlone ? `under ${listed(summary.policies)}` : ''];
  return {
    ...MARKS[summary.outcome],
    word: summary.outcome,
    subject: first ?? '',
    remarks: [`${whatOf(summary)}${reasonsOf(summary)}`, ...holding(summary, held)],
    notes: notes.filter((text) => text !== '').map((text): Line => ({ style: 'quiet', text })),
    detail: noDetail,
  };
}

function holding({ changes }: ImpactSummary, held: ReadonlySet<string>): readonly string[] {
  if (!changes.some((address) => held.has(address))) return [];
  return [changes.every((address) => held.has(address)) ? 'blocked' : 'partly blocked'];
}

function whatOf({ outcome, resolutions, uncertain }: ImpactSummary): string {
  const what = resolutions.join(', ');
  const plays = resolutions.length === 1 ? 'plays' : 'play';
  const words: { readonly [outcome in ImpactOutcome]: string } = {
    lost: uncertain ? `${what}, which may have played, no longer ${plays}` : `${what} no longer ${plays}`,
    uncertain: `it depends whether ${what} still ${plays}`,
    gained: uncertain ? `${what} may play now` : `${what} ${plays} now`,
    restricted: `${what} ${plays} with a new limit`,
    unrestricted: `${what} ${plays} ${uncertain ? 'for certain' : 'with fewer limits'}`,
  };
  return words[outcome];
}

/** The rules in brackets; those that are gone say so. */
function reasonsOf({ outcome, rules }: ImpactSummary): string {
  const texts = [...new Set(rules.map(ruleText))];
  if (texts.length === 0) return '';
  return ` (${outcome === 'gained' || outcome === 'unrestricted' ? 'before: ' : ''}${texts.join('; ')})`;
}

const OUTPUTS: { readonly [output in Output]: string } = {
  internal: 'built-in display',
  digital: 'digital output',
  repeater: 'behind the repeater',
  analog: 'analog output',
  airplay: 'over AirPlay',
  av_adapter: 'through the AV adapter',
};

/** A rule in words, with the output that it concerns. */
export function ruleText({ text, output }: Rule): string {
  return output === undefined ? text : `${OUTPUTS[output]}: ${text}`;
}

function listed(addresses: readonly string[]): string {
  const more = addresses.length - MOST_POLICIES;
  return `${addresses.slice(0, MOST_POLICIES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
