/** Builds the view of an outcome. */
import type { Change } from '../../core/model/change.ts';
import type { ChangeOutcome, Outcome, Result } from '../../core/model/outcome.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Options } from '../document.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, fieldName } from '../text/field-diff.ts';
import { folds, MIN_EQUAL } from './change.ts';
import { groupOutcomes, outcomeKey } from './equal-outcomes.ts';
import { count, countOfKind, formatDuration, outcomeSummary, quotedName, resultWords, unverifiedText } from './labels.ts';
import {
  foldedLines,
  type Line,
  MAX_UNFOLDED_MEMBERS,
  type Member,
  noDetail,
  type View,
  type ViewItem,
  type ViewSection,
} from './model.ts';
import { INCIDENTS } from './next.ts';
import { overrideLines, patchedAddresses, RUNNING_SESSIONS } from './plan.ts';

/** Builds the view of an outcome: failed and skipped changes first, then the others. After its plan it lists only what that does not say. */
export function outcomeView(outcome: Outcome, plan: Plan | undefined, { full, afterPlan }: Pick<Options, 'full' | 'afterPlan'>): View {
  const patched = plan ? patchedAddresses(plan) : new Set<string>();
  const planned = new Map(plan?.changes.map((change) => [change.address, change]));
  const keyOf = (each: ChangeOutcome) => outcomeKey(each) ?? doneKey(each, planned.get(each.address), patched);
  const section = (title: string, includes: (result: Result) => boolean): ViewSection => ({
    title,
    columns: ['Result', 'Address', 'Remarks'],
    items: groupOutcomes(
      outcome.outcomes.filter(({ result }) => includes(result)),
      full ? Number.POSITIVE_INFINITY : MIN_EQUAL,
      keyOf,
    ).map((group) => outcomesItem(group, planned, patched)),
  });
  const isBrief = afterPlan && !full;
  const sections = [
    section('Failed', (result) => result === 'failed'),
    section('Not seen yet', (result) => result === 'unseen'),
    section('Skipped', (result) => result === 'skipped'),
    section('As desired already', (result) => result === 'unchanged'),
    ...(isBrief
      ? []
      : [
          section('Done', (result) => result === 'created' || result === 'updated' || result === 'deleted'),
          section('For the ledger only', (result) => result === 'adopted' || result === 'moved' || result === 'forgotten'),
        ]),
  ];
  return {
    title: `Apply to ${outcome.target}`,
    opening: isBrief ? [] : overrideLines(outcome),
    sections,
    closing: isBrief ? resultLines(outcome) : [...foldedLines(sections), ...outcomeClosing(outcome, patched)],
  };
}

/** Returns a text that outcomes have in common of which nothing is to be said but that they are done; undefined for any other. */
function doneKey(
  { address, result, error, because, fields, paths, overridden }: ChangeOutcome,
  change: Change | undefined,
  patched: ReadonlySet<string>,
): string | undefined {
  const [reason, values] = [error ?? because, fields ?? paths ?? overridden];
  if (reason !== undefined || values !== undefined || !change || !folds(change)) return undefined;
  return JSON.stringify([result, change.kind, patched.has(address)]);
}

const RESULT_STYLES: { readonly [result in Result]: Style } = {
  created: 'added',
  updated: 'changed',
  deleted: 'removed',
  adopted: 'quiet',
  moved: 'quiet',
  forgotten: 'quiet',
  failed: 'alarm',
  skipped: 'warning',
  unseen: 'warning',
  unchanged: 'quiet',
};

/** Builds the item of one outcome, or of several equal ones. */
function outcomesItem(group: readonly ChangeOutcome[], planned: ReadonlyMap<string, Change>, patched: ReadonlySet<string>): ViewItem {
  const [first, ...others] = group;
  if (first === undefined) throw new Error('a group of outcomes is empty');
  const change = planned.get(first.address);
  const item = outcomeItem(first, change?.name, patched);
  if (others.length === 0) return item;
  const members = group.map(({ address }): Member => ({ address, name: planned.get(address)?.name ?? address, detail: noDetail }));
  const several = { ...item, isPhrase: true, members, detail: noDetail } as const;
  if (!change || doneKey(first, change, patched) === undefined) return { ...several, subject: count(group.length, 'change'), remarks: [] };
  const remarks = first.result === 'updated' && patched.has(first.address) ? [NEW_SESSIONS] : [];
  const unfolded = group.length > MAX_UNFOLDED_MEMBERS + 1 ? { unfolded: MAX_UNFOLDED_MEMBERS } : {};
  return { ...several, subject: countOfKind(group.length, change.kind), remarks, ...unfolded };
}

const NEW_SESSIONS = 'new sessions only';

/** Builds the item of one outcome. `patched` are the addresses whose update counts for new sessions only. */
export function outcomeItem(outcome: ChangeOutcome, name: string | undefined, patched: ReadonlySet<string>): ViewItem {
  const { address, result, error, because, tookMs, fields, paths = null, overridden = [] } = outcome;
  const remarks = [
    quotedName(address, name ?? ''),
    tookMs > 0 ? formatDuration(tookMs) : null,
    result === 'updated' && patched.has(address) ? NEW_SESSIONS : null,
  ];
  const action = result === 'created' ? 'create' : result === 'deleted' ? 'delete' : 'update';
  const notes = [
    error === undefined ? null : `error: ${error}`,
    because === undefined ? null : `because: ${because}`,
    overridden.length === 0 ? null : `overridden: ${overridden.join(', ')}`,
    paths && `changed: ${paths.map(fieldName).join(', ')}`,
  ];
  return {
    style: RESULT_STYLES[result],
    sign: resultWords(result),
    subject: address,
    remarks: remarks.filter((remark) => remark !== null),
    notes: notes.filter((note) => note !== null).map((text): Line => ({ style: 'plain', text })),
    detail: fields ? (paint, width) => fieldLines({ fields, action, origin: 'both' }, null, paint, width) : noDetail,
  };
}

function outcomeClosing(outcome: Outcome, patched: ReadonlySet<string>): readonly Line[] {
  const hasPatched = outcome.outcomes.some(({ address, result }) => result === 'updated' && patched.has(address));
  return [
    ...(hasPatched ? [RUNNING_SESSIONS] : []),
    ...resultLines(outcome),
    ...(outcome.fingerprint === undefined
      ? []
      : [{ style: 'quiet', text: `Fingerprint: ${outcome.fingerprint}`, verbatim: true } as const]),
    ...commitsLine(outcome),
    // That of an entry is no run of today.
    ...(outcome.verified || outcome.run === undefined ? [] : [INCIDENTS]),
  ];
}

/** Returns the lines that say what was done, and whether it was verified. */
function resultLines(outcome: Outcome): readonly Line[] {
  const { created, updated, deleted } = outcome.summary;
  return [
    { style: 'title', text: outcomeSummary(outcome) },
    ...(created + updated + deleted > 0 || !outcome.verified ? [verificationLine(outcome)] : []),
  ];
}

function commitsLine({ commits }: Outcome): readonly Line[] {
  if (!commits) return [];
  const [planned, applied] = [commits.planned, commits.applied].map((commit) => (commit === null ? 'no commit' : commit.slice(0, 12)));
  return [{ style: 'quiet', text: `Planned at ${planned}, applied at ${applied}.` }];
}

function verificationLine(outcome: Outcome): Line {
  return outcome.verified
    ? { style: 'good', text: 'Verified: all that was written reads back as desired.' }
    : { style: 'alarm', text: `Not verified: ${unverifiedText(outcome)}.` };
}
