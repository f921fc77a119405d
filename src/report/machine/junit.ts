import { liftsText } from '../../core/model/change.ts';
import { listOf } from '../../core/model/collections.ts';
import type { Status } from '../../core/model/decision.ts';
import type { Finding } from '../../core/model/finding.ts';
import type { ChangeOutcome, Outcome } from '../../core/model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../core/model/plan.ts';
import type { ProbeReport } from '../../probe/probe-report.ts';
import type { Document, Renderer, ReportOrigin } from '../document.ts';
import type { Diagnosis } from '../documents/diagnosis.ts';
import type { TestReport } from '../documents/tests.ts';
import { finish, xmlText } from '../escape.ts';
import { MIN_EQUAL } from '../view/change.ts';
import { groupOutcomes } from '../view/equal-outcomes.ts';
import { count, quotedName, riskLabels, unverifiedText } from '../view/labels.ts';
import { verdictView } from '../view/verdict.ts';
import { driftRisk, formatMessage, formatName } from './diagnostics.ts';

/** The result of one test; `error` means that it could not be determined. */
type TestResult = 'passed' | 'failure' | 'error' | 'skipped';

/** One test. Its texts are unescaped data. */
interface TestCase {
  /** The group in which it is shown. */
  readonly group: string;
  readonly name: string;
  readonly result: TestResult;
  /** The reason if it did not pass, else a remark. */
  readonly text?: string;
  readonly hint?: string | null;
  readonly tookMs?: number;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** Renders JUnit XML, in the form that Jenkins, GitLab and others read: one suite per document, failures first. */
export const renderJunit: Renderer = (documents, { origin }) => {
  const suites = documents.map((document) => suiteOf(document, origin)).filter(({ cases }) => cases.length > 0);
  const all = suites.flatMap(({ cases }) => cases);
  return finish([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="upkeep" ${counts(all)}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ]);
};

function suiteLines({ name, cases }: Suite): readonly string[] {
  const isPassed = ({ result }: TestCase) => result === 'passed';
  const inOrder = [...cases.filter((each) => !isPassed(each)), ...cases.filter(isPassed)];
  const skipped = cases.filter(({ result }) => result === 'skipped').length;
  return [
    `  <testsuite name="${attribute(name)}" ${counts(cases)} skipped="${skipped}" time="${seconds(cases)}">`,
    ...inOrder.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines(each: TestCase): readonly string[] {
  const { group, name, result, text = '', hint = null } = each;
  const head = `    <testcase classname="${attribute(`upkeep.${group}`)}" name="${attribute(name)}" time="${seconds([each])}"`;
  const message = xmlText(formatMessage({ text, hint }));
  if (result === 'passed')
    return text === '' ? [`${head}/>`] : [`${head}>`, `      <system-out>${message}</system-out>`, '    </testcase>'];
  return [`${head}>`, `      <${result} message="${message}">${message}</${result}>`, '    </testcase>'];
}

function attribute(text: string): string {
  return xmlText(formatName(text));
}

function counts(cases: readonly TestCase[]): string {
  const numberOf = (result: TestResult) => cases.filter((each) => each.result === result).length;
  return `tests="${cases.length}" failures="${numberOf('failure')}" errors="${numberOf('error')}"`;
}

function seconds(cases: readonly TestCase[]): string {
  return (cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0) / 1000).toFixed(3);
}

function suiteOf(document: Document, origin: ReportOrigin): Suite {
  switch (document.type) {
    case 'plan':
      return {
        name: `plan ${document.plan.target}`,
        cases: [...planCases(document.plan), ...findingCases(document.plan.findings, origin)],
      };
    case 'drift':
      return {
        name: `drift ${document.plan.target}`,
        cases: [...driftCases(document.plan), ...findingCases(document.plan.findings, origin)],
      };
    case 'outcome':
      return { name: `apply ${document.outcome.target}`, cases: outcomeCases(document.outcome) };
    case 'validation':
      return { name: `validate ${document.validation.target}`, cases: validationCases(document.validation, origin) };
    case 'failure':
      return {
        name: `${origin.command} ${document.failure.target ?? ''}`.trim(),
        cases: failureCases(document.failure, document.plan, origin),
      };
    case 'diagnosis':
      return { name: `doctor ${document.diagnosis.target}`, cases: diagnosisCases(document.diagnosis) };
    case 'probe':
      return { name: `probe ${document.probe.target}`, cases: probeCases(document.probe) };
    case 'tests':
      return { name: 'test', cases: testCases(document.tests) };
    case 'acceptance':
    case 'export':
    case 'history':
    case 'impact':
    case 'field':
    case 'address':
    case 'targets':
      return { name: document.type, cases: [] };
  }
}

function testCases({ cases }: TestReport): readonly TestCase[] {
  return cases.map(({ file, name, result, tookMs, reasons = [], errors = [] }) => ({
    group: file,
    name,
    result: result === 'passed' ? 'passed' : 'failure',
    text: [...reasons, ...errors].join('; '),
    tookMs,
  }));
}

/** Returns a test for each kind that was read: whether it could be read completely. */
function kindCases({ readStatus, unread = [] }: Plan): readonly TestCase[] {
  const reasons = new Map(unread.map(({ kind, reason }) => [kind, `: ${reason}`]));
  return Object.entries(readStatus).flatMap(([kind, status]): TestCase[] => {
    if (status === 'unmanaged' || status === 'skipped') return [];
    const name = 'is read completely';
    return [
      status === 'complete'
        ? { group: kind, name, result: 'passed' }
        : { group: kind, name, result: 'error', text: `${kind} was not${reasons.get(kind) ?? ''}` },
    ];
  });
}

function planCases(plan: Plan): readonly TestCase[] {
  const changes = plan.changes.map((change): TestCase => {
    const { address, kind, name, action, blocked } = change;
    const risks = riskLabels(change).join(', ');
    const about = { group: kind, name: `${action} ${address}${nameSuffix(address, name)}` };
    if (blocked === null) return { ...about, result: 'passed', text: risks };
    return {
      ...about,
      result: 'failure',
      text: `${risks === '' ? '' : `${risks}; `}blocked by safety check \`${blocked.check}\`: ${blocked.reason}`,
      hint: `To lift it: ${liftsText(blocked)}`,
    };
  });
  return [...kindCases(plan), ...decisionCases(plan), ...changes];
}

/** The result of the test whether a run may write now, by its status. What waits is no failure. */
const RESULTS: { readonly [status in Status]: TestResult } = {
  unknown: 'error',
  refused: 'failure',
  blocked: 'failure',
  behind: 'failure',
  waits: 'skipped',
  ready: 'passed',
  nothing: 'passed',
};

/** Returns a test whether an apply may write now; none of a plan that nobody applies. */
function decisionCases(plan: Plan): readonly TestCase[] {
  if (plan.decision === undefined || plan.base !== undefined) return [];
  const { status, next } = plan.decision;
  const hint = next.flatMap(({ command, adds, say }) => (command === undefined && adds === undefined ? [say] : []));
  const text = verdictView('plan', plan).headline;
  return [
    { group: 'decision', name: 'may be applied now', result: RESULTS[status], text, hint: hint.length === 0 ? null : hint.join('; ') },
  ];
}

function driftCases(plan: Plan): readonly TestCase[] {
  const drifted = plan.changes.map(({ address, kind, name, action, fields, ...risk }): TestCase => {
    const text = `${action === 'create' ? 'appeared' : action === 'delete' ? 'is gone' : count(fields.length, 'field')}`;
    return { group: kind, name: `${address}${nameSuffix(address, name)}`, result: 'failure', text: `drifted: ${text}${driftRisk(risk)}` };
  });
  return [...kindCases(plan), ...drifted];
}

function nameSuffix(address: string, name: string): string {
  const quoted = quotedName(address, name);
  return quoted === null ? '' : ` ${quoted}`;
}

function outcomeCases(outcome: Outcome): readonly TestCase[] {
  const cases = groupOutcomes(outcome.outcomes, MIN_EQUAL).flatMap(outcomeCase);
  const name = 'all that was written reads back as desired';
  return [
    ...cases,
    { group: 'verification', name, ...(outcome.verified ? { result: 'passed' } : { result: 'failure', text: unverifiedText(outcome) }) },
  ];
}

/** Returns one test for equal outcomes, with their number and addresses. */
function outcomeCase(group: readonly ChangeOutcome[]): readonly TestCase[] {
  const [first, ...others] = group;
  if (first === undefined) return [];
  const { address, result, error, because } = first;
  const reason = error ?? because ?? '';
  const addresses = group.map((each) => each.address);
  const about = {
    group: address.split('/')[0] ?? '',
    name: listOf(addresses, 1),
    tookMs: group.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0),
  };
  if (result !== 'failed' && result !== 'unseen' && result !== 'skipped') return [{ ...about, result: 'passed', text: result }];
  const text = others.length === 0 ? reason : `${count(group.length, 'change')}: ${reason}`;
  const hint = others.length === 0 ? null : addresses.join(', ');
  return [{ ...about, result: result === 'skipped' ? 'skipped' : 'failure', text, hint }];
}

function validationCases({ findings, resources }: Validation, origin: ReportOrigin): readonly TestCase[] {
  const declared = Object.entries(resources).filter(([, number]) => number > 0);
  const passed = declared.map(([kind, number]): TestCase => ({ group: kind, name: `${number} declared`, result: 'passed' }));
  return [...findingCases(findings, origin), ...passed];
}

/** Converts the checks of a diagnosis to tests; a warning passes. */
function diagnosisCases({ checks }: Diagnosis): readonly TestCase[] {
  const results = { ok: 'passed', warning: 'passed', failed: 'failure', skipped: 'skipped' } as const;
  return checks.map(({ check, state, summary, remedy = null }): TestCase => {
    return { group: 'setup', name: check, result: results[state], text: summary, hint: remedy };
  });
}

/** Converts the answers of a probe to tests: a contradicted assumption fails, what was not found out is skipped. */
function probeCases({ answers }: ProbeReport): readonly TestCase[] {
  return answers.map(({ id, state, question, found, detail, notFor = null }): TestCase => {
    const result = state === 'contradicted' ? 'failure' : state === 'not found out' ? 'skipped' : 'passed';
    return { group: 'service', name: id, result, text: `${question} ${found ?? detail ?? ''}`, hint: notFor };
  });
}

/** Returns the error, the blocked changes and unread kinds of the plan, and the findings. */
function failureCases({ error, findings }: ErrorReport, plan: Plan | undefined, origin: ReportOrigin): readonly TestCase[] {
  const failure: TestCase = { group: 'run', name: error.code, result: 'error', text: error.summary, hint: error.hint };
  const notPassed = plan ? planCases(plan).filter(({ result }) => result !== 'passed') : [];
  return [failure, ...notPassed, ...findingCases([...findings, ...(plan?.findings ?? [])], origin)];
}

/** Converts findings to tests; a warning passes. */
function findingCases(findings: readonly Finding[], { folder }: ReportOrigin): readonly TestCase[] {
  return findings.map(({ severity, code, summary, hint, file, line, column }): TestCase => {
    const name = `${code} ${folder}${file}:${line}:${column}`;
    return { group: 'configuration', name, result: severity === 'error' ? 'failure' : 'passed', text: summary, hint: hint ?? null };
  });
}
