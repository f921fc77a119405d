/** Builds the view of an outcome. */
import type { ChangeOutcome, Outcome, Result } from '../../core/model/outcome.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, fieldName } from '../text/field-diff.ts';
import { MIN_EQUAL } from './change.ts';
import { groupOutcomes } from './equal-outcomes.ts';
import { count, outcomeSummary, quotedName, resultWords, unverifiedText } from './labels.ts';
import { type Line, MAX_UNFOLDED, type Member, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { overrideLines, patchedAddresses, RUNNING_SESSIONS } from './plan.ts';

/** Builds the view of an outcome: failed and skipped changes first, then the others. */
export function outcomeView(outcome: Outcome, plan: Plan | undefined): View {
  const patched = plan ? patchedAddresses(plan) : new Set<string>();
  const names = new Map(plan?.changes.map((change) => [change.address, change.name]));
  const section = (title: string, includes: (result: Result) => boolean): ViewSection => ({
    title,
    columns: ['Result', 'Address', 'Remarks'],
    items: groupOutcomes(
      outcome.outcomes.filter(({ result }) => includes(result)),
      MIN_EQUAL,
    ).map((group) => outcomesItem(group, names, patched)),
  });
  return {
    title: `Apply to ${outcome.target}`,
    opening: overrideLines(outcome),
    sections: [
      section('Failed', (result) => result === 'failed'),
      section('Not seen yet', (result) => result === 'unseen'),
      section('Skipped', (result) => result === 'skipped'),
      section('Done', (result) => result === 'created' || result === 'updated' || result === 'deleted'),
      {
        ...section('For the ledger only', (result) => result === 'adopted' || result === 'moved' || result === 'forgotten'),
        unfolded: MAX_UNFOLDED,
      },
    ],
    closing: outcomeClosing(outcome, patched),
  };
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
};

/** Builds the item of one outcome, or of several equal ones. */
function outcomesItem(group: readonly ChangeOutcome[], names: ReadonlyMap<string, string>, patched: ReadonlySet<string>): ViewItem {
  const [first, ...others] = group;
  if (first === undefined) throw new Error('a group of outcomes is empty');
  const item = outcomeItem(first, names.get(first.address), patched);
  if (others.length === 0) return item;
  const members = group.map(({ address }): Member => ({ address, name: names.get(address) ?? address, detail: noDetail }));
  return { ...item, subject: count(group.length, 'change'), isPhrase: true, members, remarks: [], detail: noDetail };
}

/** Builds the item of one outcome. `patched` are the addresses whose update counts for new sessions only. */
export function outcomeItem(outcome: ChangeOutcome, name: string | undefined, patched: ReadonlySet<string>): ViewItem {
  const { address, result, error, because, tookMs, fields, paths = null, overridden = [] } = outcome;
  const remarks = [
    quotedName(address, name ?? ''),
    tookMs > 0 ? formatDuration(tookMs) : null,
    result === 'updated' && patched.has(address) ? 'new sessions only' : null,
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

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function outcomeClosing(outcome: Outcome, patched: ReadonlySet<string>): readonly Line[] {
  const { created, updated, deleted } = outcome.summary;
  const hasPatched = outcome.outcomes.some(({ address, result }) => result === 'updated' && patched.has(address));
  return [
    ...(hasPatched ? [RUNNING_SESSIONS] : []),
    { style: 'title', text: outcomeSummary(outcome) },
    ...(created + updated + deleted > 0 || !outcome.verified ? [verificationLine(outcome)] : []),
    { style: 'quiet', text: `Fingerprint: ${outcome.fingerprint}`, verbatim: true },
    ...commitsLine(outcome),
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
