import type { History } from '../model/history.ts';
import type { ChangeOutcome, Outcome, Result } from '../model/outcome.ts';
import type { Failure, Plan, Validation } from '../model/plan.ts';
import { acceptancePage } from './acceptance-page.ts';
import { diagnosisPage } from './diagnosis-page.ts';
import type { Document, Options, TargetEntry } from './document.ts';
import { addressPage, fieldPage } from './explanation-pages.ts';
import { findingSections } from './findings.ts';
import { impactPage } from './impact-page.ts';
import { type Item, noDetail, type Page, type Section, type Statement } from './page.ts';
import { patchedBy, planPage, RUNNING_SESSIONS } from './plan-page.ts';
import type { Tone } from './style.ts';
import { otherName, outcomeSummary, validationSummary } from './words.ts';

/** The page of a document: the same for every format that people read. */
export function pageOf(document: Document, options: Options): Page {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planPage(document.type, document.plan, options);
    case 'outcome':
      return outcomePage(document.outcome, document.plan);
    case 'validation':
      return validationPage(document.validation);
    case 'failure':
      return failurePage(document.failure);
    case 'impact':
      return impactPage(document.impact, options);
    case 'diagnosis':
      return diagnosisPage(document.diagnosis);
    case 'acceptance':
      return acceptancePage(document.acceptance);
    case 'field':
      return fieldPage(document.field);
    case 'address':
      return addressPage(document.address);
    case 'history':
      return historyPage(document.history);
    case 'targets':
      return targetsPage(document.targets);
  }
}

/** What failed and what was left out first, then what was done. */
function outcomePage(outcome: Outcome, plan: Plan | undefined): Page {
  const patched = plan ? patchedBy(plan) : new Set<string>();
  const names = new Map(plan?.changes.map((change) => [change.address, change.name]));
  const section = (title: string, belongs: (result: Result) => boolean): Section => ({
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

const RESULT_TONES: { readonly [result in Result]: Tone } = {
  created: 'added',
  updated: 'changed',
  deleted: 'removed',
  adopted: 'quiet',
  moved: 'quiet',
  forgotten: 'quiet',
  failed: 'alarm',
  skipped: 'warning',
};

function outcomeItem(outcome: ChangeOutcome, name: string | undefined, patched: ReadonlySet<string>): Item {
  const { address, result, error, because, tookMs } = outcome;
  const marks = [
    otherName(address, name ?? ''),
    tookMs > 0 ? duration(tookMs) : null,
    result === 'updated' && patched.has(address) ? 'new sessions only' : null,
  ];
  const notes = [error === undefined ? null : `error: ${error}`, because === undefined ? null : `because: ${because}`];
  return {
    tone: RESULT_TONES[result],
    sign: result,
    subject: address,
    remarks: marks.filter((mark) => mark !== null),
    notes: notes.filter((note) => note !== null).map((text): Statement => ({ tone: 'plain', text })),
    detail: noDetail,
  };
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function outcomeClosing(outcome: Outcome, patched: ReadonlySet<string>): readonly Statement[] {
  const { created, updated, deleted } = outcome.summary;
  const late = outcome.outcomes.some(({ address, result }) => result === 'updated' && patched.has(address));
  return [
    ...(late ? [RUNNING_SESSIONS] : []),
    { tone: 'title', text: outcomeSummary(outcome) },
    ...(created + updated + deleted > 0 || !outcome.verified ? [verdict(outcome.verified)] : []),
    { tone: 'quiet', text: `Fingerprint: ${outcome.fingerprint}`, whole: true },
  ];
}

function verdict(verified: boolean): Statement {
  return verified
    ? { tone: 'good', text: 'Verified: all that was written reads back as desired.' }
    : { tone: 'alarm', text: 'Not verified: not all that was to be written reads back as desired.' };
}

function validationPage(validation: Validation): Page {
  return {
    title: `Validation of ${validation.target}`,
    opening: [],
    sections: findingSections(validation.findings),
    closing: [{ tone: validation.valid ? 'good' : 'alarm', text: validationSummary(validation) }],
  };
}

function failurePage({ target, error, findings }: Failure): Page {
  return {
    title: target === null ? 'Stopped' : `Stopped at ${target}`,
    opening: [
      { tone: 'alarm', text: `error: ${error.summary}` },
      ...(error.hint === '' ? [] : [{ tone: 'plain', text: `hint: ${error.hint}`, whole: true } as const]),
    ],
    sections: findingSections(findings),
    closing: [{ tone: 'quiet', text: `Exit code ${error.exit}, ${error.code}.` }],
  };
}

/** The applies of a target, newest first. */
function historyPage({ target, entries }: History): Page {
  const items = entries.map(
    (entry): Item => ({
      tone: entry.verified ? 'plain' : 'warning',
      sign: '*',
      word: 'apply',
      subject: entry.id.slice(0, 12),
      remarks: [entry.at, `by ${entry.by}`, resultsOf(entry.summary), ...(entry.verified ? [] : ['not verified'])],
      notes: [
        {
          tone: 'quiet',
          text: `${entry.commit === null ? 'uncommitted' : `commit ${entry.commit.slice(0, 12)}`}, ${entry.where}, upkeep ${entry.tool}`,
        },
      ],
      detail: noDetail,
    }),
  );
  const opening: readonly Statement[] = items.length > 0 ? [] : [{ tone: 'plain', text: 'Nothing was applied yet.' }];
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

function targetsPage(targets: readonly TargetEntry[]): Page {
  const items = targets.map(
    ({ name, baseUrl, ownership, ledger }): Item => ({
      tone: 'plain',
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
