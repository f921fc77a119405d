import type { History } from '../../model/history.ts';
import type { ChangeOutcome, Outcome, Result } from '../../model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../model/plan.ts';
import type { Document, Options, TargetEntry } from '../document.ts';
import type { Style } from '../text/colors.ts';
import { acceptanceView } from './acceptance.ts';
import { diagnosisView } from './diagnosis.ts';
import { addressView, fieldView } from './explanation.ts';
import { findingSections } from './findings.ts';
import { impactReportView } from './impact-report.ts';
import { otherName, outcomeSummary, validationSummary } from './labels.ts';
import { type Line, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { patchedBy, planView, RUNNING_SESSIONS } from './plan.ts';

/** Builds the view of a document, shared by all human-readable formats. */
export function viewOf(document: Document, options: Options): View {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planView(document.type, document.plan, options);
    case 'outcome':
      return outcomePage(document.outcome, document.plan);
    case 'validation':
      return validationPage(document.validation);
    case 'failure':
      return failurePage(document.failure);
    case 'impact':
      return impactReportView(document.impact, options);
    case 'diagnosis':
      return diagnosisView(document.diagnosis);
    case 'acceptance':
      return acceptanceView(document.acceptance);
    case 'field':
      return fieldView(document.field);
    case 'address':
      return addressView(document.address, options);
    case 'history':
      return historyPage(document.history);
    case 'targets':
      return targetsPage(document.targets);
  }
}

/** Builds the view of an outcome: failed and skipped changes first, then the others. */
function outcomePage(outcome: Outcome, plan: Plan | undefined): View {
  const patched = plan ? patchedBy(plan) : new Set<string>();
  const names = new Map(plan?.changes.map((change) => [change.address, change.name]));
  const section = (title: string, belongs: (result: Result) => boolean): ViewSection => ({
    title,
    columns: ['Result', 'Address', 'Remarks'],
    items: outcome.outcomes.filter(({ result }) => belongs(result)).map((each) => outcomeItem(each, names.get(each.address), patched)),
  });
  return {
    title: `Apply to ${outcome.target}`,
    opening: [],
    sections: [
      section('Failed', (result) => result === 'failed'),
      section('Skipped', (result) => result === 'skipped'),
      section('Done', (result) => result !== 'failed' && result !== 'skipped'),
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
};

function outcomeItem(outcome: ChangeOutcome, name: string | undefined, patched: ReadonlySet<string>): ViewItem {
  const { address, result, error, because, tookMs } = outcome;
  const marks = [
    otherName(address, name ?? ''),
    tookMs > 0 ? duration(tookMs) : null,
    result === 'updated' && patched.has(address) ? 'new sessions only' : null,
  ];
  const notes = [error === undefined ? null : `error: ${error}`, because === undefined ? null : `because: ${because}`];
  return {
    style: RESULT_STYLES[result],
    sign: result,
    subject: address,
    remarks: marks.filter((mark) => mark !== null),
    notes: notes.filter((note) => note !== null).map((text): Line => ({ style: 'plain', text })),
    detail: noDetail,
  };
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function outcomeClosing(outcome: Outcome, patched: ReadonlySet<string>): readonly Line[] {
  const { created, updated, deleted } = outcome.summary;
  const late = outcome.outcomes.some(({ address, result }) => result === 'updated' && patched.has(address));
  return [
    ...(late ? [RUNNING_SESSIONS] : []),
    { style: 'title', text: outcomeSummary(outcome) },
    ...(created + updated + deleted > 0 || !outcome.verified ? [verdict(outcome.verified)] : []),
    { style: 'quiet', text: `Fingerprint: ${outcome.fingerprint}`, verbatim: true },
  ];
}

function verdict(verified: boolean): Line {
  return verified
    ? { style: 'good', text: 'Verified: all that was written reads back as desired.' }
    : { style: 'alarm', text: 'Not verified: not all that was to be written reads back as desired.' };
}

function validationPage(validation: Validation): View {
  return {
    title: `Validation of ${validation.target}`,
    opening: [],
    sections: findingSections(validation.findings),
    closing: [{ style: validation.valid ? 'good' : 'alarm', text: validationSummary(validation) }],
  };
}

function failurePage({ target, error, findings }: ErrorReport): View {
  return {
    title: target === null ? 'Failed' : `Failed: ${target}`,
    opening: [
      { style: 'alarm', text: `error: ${error.summary}` },
      ...(error.hint === '' ? [] : [{ style: 'plain', text: `hint: ${error.hint}`, verbatim: true } as const]),
    ],
    sections: findingSections(findings),
    closing: [{ style: 'quiet', text: `Exit code ${error.exit}, ${error.code}.` }],
  };
}

/** Builds the view of the applies of a target, newest first. */
function historyPage({ target, entries }: History): View {
  const items = entries.map(
    (entry): ViewItem => ({
      style: entry.verified ? 'plain' : 'warning',
      sign: '*',
      word: 'apply',
      subject: entry.id.slice(0, 12),
      remarks: [entry.at, `by ${entry.by}`, resultsOf(entry.summary), ...(entry.verified ? [] : ['not verified'])],
      notes: [
        {
          style: 'quiet',
          text: `${entry.commit === null ? 'uncommitted' : `commit ${entry.commit.slice(0, 12)}`}, ${entry.where}, upkeep ${entry.tool}`,
        },
      ],
      detail: noDetail,
    }),
  );
  const opening: readonly Line[] = items.length > 0 ? [] : [{ style: 'plain', text: 'Nothing was applied yet.' }];
  return {
    title: `History of ${target}`,
    opening,
    sections: [{ title: 'Applies, newest first', columns: ['', 'Entry', 'Remarks'], items }],
    closing: [],
  };
}

function resultsOf(summary: Outcome['summary']): string {
  const counts = Object.entries(summary).flatMap(([result, count]) => (count > 0 ? [`${count} ${result}`] : []));
  return counts.length > 0 ? counts.join(', ') : 'nothing changed';
}

function targetsPage(targets: readonly TargetEntry[]): View {
  const items = targets.map(
    ({ name, baseUrl, ownership, ledger }): ViewItem => ({
      style: 'plain',
      sign: '*',
      word: 'target',
      subject: name,
      remarks: [baseUrl, ownership, `ledger ${ledger}`],
      notes: [],
      detail: noDetail,
    }),
  );
  return {
    title: 'Targets',
    opening: [],
    sections: [{ title: 'In upkeep.yaml', columns: ['', 'Target', 'Settings'], items }],
    closing: [],
  };
}
