/** Builds the view of a document, shared by text, Markdown and HTML. The small views are here. */

import type { AccountExportReport } from '../../core/model/account-export.ts';
import { groupBy } from '../../core/model/collections.ts';
import type { Hold } from '../../core/model/decision.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import { formatSecond } from '../../core/model/instant.ts';
import type { ErrorReport, Validation } from '../../core/model/plan.ts';
import { type ProbeAnswer, type ProbeReport, type ProbeState, STEP_FLAGS, settingsYaml } from '../../probe/probe-report.ts';
import type { Document, Options, TargetEntry } from '../document.ts';
import type { Acceptance } from '../documents/acceptance.ts';
import type { Check, CheckState, Diagnosis } from '../documents/diagnosis.ts';
import type { TestReport } from '../documents/tests.ts';
import type { Style } from '../text/colors.ts';
import { diffLines } from '../text/text-diff.ts';
import { impactReportView } from './device-impact.ts';
import { addressView, fieldView } from './explanation.ts';
import { acceptedLines, findingSections, isLoweredSafeguard, loweredHeadlines, loweredSection } from './findings.ts';
import { historyView } from './history.ts';
import { holdText } from './holds.ts';
import { count, EFFECTS, quotedName, validationSummary } from './labels.ts';
import { type Line, MAX_UNFOLDED, noDetail, type View, type ViewItem, type ViewSection } from './model.ts';
import { INCIDENTS } from './next.ts';
import { outcomeView } from './outcome.ts';
import { planView } from './plan.ts';

/** Builds the view of a document. */
export function viewOf(document: Document, options: Options): View {
  switch (document.type) {
    case 'plan':
    case 'drift':
      return planView(document.type, document.plan, options);
    case 'outcome':
      return outcomeView(document.outcome, document.plan, options);
    case 'validation':
      return validationView(document.validation);
    case 'failure':
      return failureView(document.failure);
    case 'impact':
      return impactReportView(document.impact, options);
    case 'diagnosis':
      return diagnosisView(document.diagnosis);
    case 'probe':
      return probeView(document.probe);
    case 'acceptance':
      return acceptanceView(document.acceptance);
    case 'tests':
      return testsView(document.tests);
    case 'export':
      return exportView(document.accountExport);
    case 'field':
      return fieldView(document.field);
    case 'address':
      return addressView(document.address, options);
    case 'history':
      return historyView(document.history);
    case 'targets':
      return targetsView(document.targets);
  }
}

function validationView(validation: Validation): View {
  const [headline] = loweredHeadlines(validation.findings);
  const findings = validation.findings.filter((finding) => !isLoweredSafeguard(finding));
  return {
    ...(headline === undefined ? {} : { verdict: { style: 'alarm', headline, lines: [] } }),
    title: `Validation of ${validation.target}`,
    opening: [],
    sections: [loweredSection(validation.findings), ...findingSections(findings)],
    closing: [...acceptedLines(validation), { style: validation.valid ? 'good' : 'alarm', text: validationSummary(validation) }],
  };
}

function failureView(report: ErrorReport): View {
  const { target, error, findings } = report;
  return {
    title: target === null ? 'Failed' : `Failed: ${target}`,
    opening: [
      { style: 'alarm', text: `error: ${error.summary}` },
      ...(error.hint === '' ? [] : [{ style: 'plain', text: `hint: ${error.hint}`, verbatim: true } as const]),
    ],
    sections: findingSections(findings),
    closing: [
      ...acceptedLines(report),
      ...(isIncident(report) ? [INCIDENTS] : []),
      { style: 'quiet', text: `Exit code ${error.exit}, ${error.code}.` },
    ],
  };
}

/** Exit codes of runs after which something may have to be done at once. */
const INCIDENT_EXITS: readonly number[] = [EXIT_CODES.failed, EXIT_CODES.locked, EXIT_CODES.incomplete];

function isIncident({ error, decision }: ErrorReport): boolean {
  const isLedgerLost = decision?.holds.some(({ rule }) => rule === 'first-apply') ?? false;
  return INCIDENT_EXITS.includes(error.exit) || error.code === 'ledger' || isLedgerLost;
}

function targetsView(targets: readonly TargetEntry[]): View {
  const items = targets.map(
    ({ name, baseUrl, ownership, ledger, commit, since, inPart = [], decision, windows }): ViewItem => ({
      style: 'plain',
      sign: '*',
      word: 'target',
      subject: name,
      remarks: [baseUrl, ownership, `ledger ${typeof ledger === 'string' ? ledger : `in ${ledger.git}`}`],
      notes: [
        ...(since === undefined ? [] : [{ style: 'plain', text: standingText(commit ?? null, since, inPart) } as const]),
        ...(windows === undefined ? [] : [{ style: 'plain', text: `Windows: ${windows}.` } as const]),
        ...(decision?.holds ?? []).map((hold): Line => ({ style: 'warning', text: `${waitingText(hold)}.` })),
      ],
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

function standingText(commit: string | null, since: string | null, inPart: readonly string[]): string {
  if (since === null) return 'Nothing was applied yet.';
  const what = commit === null ? 'At edits that were not committed' : `At commit ${commit.slice(0, 12)}`;
  return `${what} since ${formatSecond(Date.parse(since))}${inPart.length === 0 ? '' : `, in part: ${inPart.join(', ')}`}.`;
}

/** Says what waits: a stage holds back a commit, a window whatever is to be applied. */
function waitingText(hold: Hold): string {
  return `${hold.rule === 'promotion' ? 'The newest commit waits' : 'Waits'}: ${holdText(hold)}`;
}

const CHECK_STYLES: { readonly [state in CheckState]: Style } = { ok: 'good', warning: 'warning', failed: 'alarm', skipped: 'quiet' };

/** Builds the view of a diagnosis, in the order of the checks, because the first failure explains the later ones. */
function diagnosisView({ target, healthy, checks }: Diagnosis): View {
  const numberOf = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const [failed, warnings, skipped] = [numberOf('failed'), numberOf('warning'), numberOf('skipped')];
  const counts = [
    failed > 0 ? `${failed} failed` : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    `${numberOf('ok')} ok`,
    skipped > 0 ? `${skipped} skipped` : '',
  ];
  return {
    title: `Setup of ${target}`,
    opening: [],
    sections: [{ title: 'Checks', columns: ['State', 'Check', 'Found'], items: checks.map(checkItem) }],
    closing: [
      {
        style: healthy ? 'good' : 'alarm',
        text: `${healthy ? 'Ready' : 'Not ready'}: ${counts.filter((part) => part !== '').join(', ')}.`,
      },
      { style: 'quiet', text: 'Nothing was written. Write permission cannot be tested without writing.' },
      ...(failed + warnings > 0 ? [INCIDENTS] : []),
    ],
  };
}

function checkItem({ check, state, summary, remedy }: Check): ViewItem {
  return {
    style: CHECK_STYLES[state],
    sign: state,
    subject: check,
    remarks: [summary],
    notes: remedy === undefined ? [] : [{ style: 'plain', text: `remedy: ${remedy}` }],
    detail: noDetail,
  };
}

/** The states of the answers of a probe, the most serious first: the title of their section, their sign, and their style. */
const PROBE_SECTIONS: readonly (readonly [state: ProbeState, title: string, sign: string, style: Style])[] = [
  ['contradicted', 'Contradicted, and without a setting', 'error', 'alarm'],
  ['setting', 'Needs a setting', 'setting', 'warning'],
  ['assumed', 'As assumed', 'ok', 'good'],
  ['also works', 'Not as assumed, and upkeep works with it', 'ok', 'plain'],
  ['measured', 'Measured', 'figure', 'plain'],
  ['not found out', 'Not found out', 'open', 'quiet'],
];

/** Builds the view of a probe: what is assumed, and what was found. */
function probeView({ target, steps, requests, answers, settings, leftBehind }: ProbeReport): View {
  const numberOf = (state: ProbeState) => answers.filter((answer) => answer.state === state).length;
  const [contradicted, open] = [numberOf('contradicted'), numberOf('not found out')];
  const asked = answers.filter(({ step }) => steps.includes(step));
  const yaml = settingsYaml(settings);
  return {
    title: `Probe of ${target}`,
    opening: [],
    sections: PROBE_SECTIONS.map(([state, title, sign, style]) => ({
      title,
      columns: ['State', 'Question', 'Found'],
      items: [
        ...asked.filter((answer) => answer.state === state).map((answer) => probeItem(answer, sign, style)),
        ...(state === 'not found out' ? notAskedItems(answers, steps) : []),
      ],
    })),
    closing: [
      ...(yaml === '' ? [] : [{ style: 'title', text: `Write into the target ${target} of upkeep.yaml:` } as const]),
      ...(yaml === '' ? [] : yaml.split('\n').map((text): Line => ({ style: 'plain', text, verbatim: true }))),
      ...leftBehind.map(
        (name): Line => ({
          style: 'warning',
          text: `May be left in the account: ${name}. The next \`upkeep probe --write\` removes or restores it.`,
        }),
      ),
      {
        style: contradicted > 0 ? 'alarm' : 'good',
        text: `${count(answers.length, 'question')}, ${count(requests, 'request')}: ${contradicted} contradicted, ${count(settings.length, 'setting')}, ${open} not found out.`,
      },
      ...(steps.includes('write')
        ? []
        : [{ style: 'quiet', text: 'Nothing was written. `upkeep probe --write` asks the rest with objects of its own.' } as const]),
    ],
  };
}

/** Counts the questions of each step that was not taken; the JSON document lists them. */
function notAskedItems(answers: ProbeReport['answers'], steps: ProbeReport['steps']): readonly ViewItem[] {
  const notAsked = groupBy(
    answers.filter(({ step }) => !steps.includes(step)),
    ({ step }) => step,
  );
  return [...notAsked].map(([step, { length }]) => ({
    style: 'quiet',
    sign: 'open',
    subject: count(length, 'question'),
    remarks: [`asked only with \`${STEP_FLAGS[step]}\``],
    notes: [],
    detail: noDetail,
  }));
}

function probeItem({ state, question, assumed, found, detail, notFor }: ProbeAnswer, sign: string, style: Style): ViewItem {
  const notes = [
    ...(state === 'assumed' ? [] : [`assumed: ${assumed}`]),
    ...(notFor === undefined ? [] : [`do not use upkeep for ${notFor}`]),
  ];
  return {
    style,
    sign,
    subject: question,
    remarks: [found, detail].filter((text) => text !== null && text !== undefined),
    notes: notes.map((text): Line => ({ style: 'plain', text })),
    detail: noDetail,
  };
}

/** Number of left-out objects that are listed. */
const MAX_LISTED_OBJECTS = 100;

/** Builds the view of an export: what it left out, what validation warns about, and how many resources it wrote. */
function exportView(report: AccountExportReport): View {
  const { target, folder, files, written, leftOut, findings } = report;
  const counts = Object.entries(written).filter(([, number]) => number > 0);
  const total = counts.reduce((sum, [, number]) => sum + number, 0);
  const byKind = counts.map(([kind, number]) => `${number} ${kind}`).join(', ');
  const where = folder === null ? '' : ` in ${count(files.length, 'file')} in ${folder}`;
  const left = leftOut.slice(0, MAX_LISTED_OBJECTS).map(
    ({ address, name, reason, hint }): ViewItem => ({
      style: 'warning',
      sign: 'left out',
      subject: address,
      remarks: [quotedName(address, name)].filter((remark) => remark !== null),
      notes: [reason, ...(hint === undefined ? [] : [hint])].map((text) => ({ style: 'plain', text })),
      detail: noDetail,
    }),
  );
  return {
    title: `Export of ${target}`,
    opening: [],
    sections: [
      {
        title: 'Left out',
        columns: ['', 'Address', 'Reason'],
        items: left,
        ...(left.length === leftOut.length ? {} : { description: 'These are the first. Comments in the files name all of them.' }),
      },
      ...findingSections(findings),
    ],
    closing: [
      ...acceptedLines(report),
      {
        style: leftOut.length > 0 ? 'warning' : 'good',
        text: `Written: ${count(total, 'object')}${byKind === '' ? '' : ` (${byKind})`}${where}. Left out: ${leftOut.length}.`,
      },
    ],
  };
}

/** Builds the view of the results of tests: those that failed, with what was expected and what the plan says. */
function testsView({ passed, failed, cases }: TestReport): View {
  const item = ({ file, line, name, result, errors = [], diff }: TestReport['cases'][number]): ViewItem => ({
    style: result === 'passed' ? 'good' : 'alarm',
    sign: result,
    subject: `${file}:${line}`,
    remarks: [],
    notes: [{ style: 'title', text: name }, ...errors.map((text): Line => ({ style: 'plain', text }))],
    detail: diff === undefined ? noDetail : (paint) => diffLines(diff, paint),
  });
  const section = (title: string, which: 'passed' | 'failed'): ViewSection => ({
    title,
    columns: ['Result', 'Place', 'Case'],
    items: cases.filter(({ result }) => result === which).map(item),
  });
  const summary = failed === 0 ? `${count(passed, 'test')} passed.` : `${failed} of ${count(passed + failed, 'test')} failed.`;
  return {
    title: 'Tests',
    opening: [],
    sections: [section('Failed', 'failed'), { ...section('Passed', 'passed'), unfolded: MAX_UNFOLDED }],
    closing: [{ style: failed === 0 ? 'good' : 'alarm', text: summary }],
  };
}

/** Builds the view of the source edits that `drift accept` made, or would make. */
function acceptanceView({ target, written, accepted, pending, shared, files }: Acceptance): View {
  return {
    title: `Drift of ${target}, accepted`,
    opening: shared.length === 0 ? [] : [{ style: 'warning', text: `The edits also change the desired state of ${shared.join(', ')}.` }],
    sections: [
      {
        title: 'Accepted',
        columns: ['Result', 'Address', 'Fields'],
        items: accepted.map(({ address, result, effect, fields }) => {
          const remarks = [EFFECTS[effect], ...(result === 'removed' ? [] : fields)];
          return acceptanceItem(
            result,
            address,
            remarks.filter((remark) => remark !== null),
          );
        }),
      },
      {
        title: 'Left as the repository says',
        description: 'The repository has changed these since the last apply, and the account has not.',
        columns: ['State', 'Address', 'Fields'],
        items: pending.map(({ address, fields }) => acceptanceItem('pending', address, fields)),
      },
      { title: written ? 'Edited' : 'To be edited', columns: ['', 'File', 'Lines'], items: files.map(fileEditItem) },
    ],
    closing: [acceptanceClosing(written, files.length)],
  };
}

function acceptanceItem(sign: string, subject: string, remarks: readonly string[]): ViewItem {
  const style = sign === 'removed' ? 'removed' : sign === 'updated' ? 'changed' : 'quiet';
  return { style, sign, subject, remarks, notes: [], detail: noDetail };
}

function fileEditItem({ file, lines, diff }: Acceptance['files'][number]): ViewItem {
  const [line] = lines;
  return {
    style: 'plain',
    sign: '~',
    word: 'edited',
    subject: line === undefined ? '' : `${file}:${line}`,
    remarks: lines.length > 1 ? [`lines ${lines.join(', ')}`] : [],
    notes: [],
    detail: (paint) => diffLines(diff, paint),
  };
}

function acceptanceClosing(written: boolean, files: number): Line {
  if (written) return { style: 'good', text: 'Written. Review and commit it; the next apply records it, and it is no longer drift.' };
  if (files === 0) return { style: 'good', text: 'Nothing to accept: nobody has edited these by hand.' };
  return { style: 'quiet', text: 'Nothing was written.' };
}
