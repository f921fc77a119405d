import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Finding } from '../../model/finding.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../../model/plan.ts';
import type { Document, Renderer, Site } from '../document.ts';
import { finish, xmlText } from '../escape.ts';
import { count, quotedName } from '../view/labels.ts';
import { messageOf, nameOf } from './diagnostics.ts';

/** The result of one test; `error` = it could not be determined. */
type Verdict = 'passed' | 'failure' | 'error' | 'skipped';

/** One line of a suite. Texts are data as they came. */
interface Case {
  /** The group that it is shown in. */
  readonly of: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** The reason if it did not pass, else an optional remark. */
  readonly text?: string;
  readonly hint?: string | null;
  readonly tookMs?: number;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** Renders JUnit XML, in the form that Jenkins, GitLab and others read: one suite per document, failures first. */
export const renderJunit: Renderer = (documents, { site }) => {
  const suites = documents.map((document) => suiteOf(document, site)).filter(({ cases }) => cases.length > 0);
  const all = suites.flatMap(({ cases }) => cases);
  return finish([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="upkeep" ${counts(all)}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ]);
};

function suiteLines({ name, cases }: Suite): readonly string[] {
  const isPassed = ({ verdict }: Case) => verdict === 'passed';
  const inOrder = [...cases.filter((each) => !isPassed(each)), ...cases.filter(isPassed)];
  const skipped = cases.filter(({ verdict }) => verdict === 'skipped').length;
  return [
    `  <testsuite name="${attribute(name)}" ${counts(cases)} skipped="${skipped}" time="${seconds(cases)}">`,
    ...inOrder.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines(each: Case): readonly string[] {
  const { of, name, verdict, text = '', hint = null } = each;
  const head = `    <testcase classname="${attribute(`upkeep.${of}`)}" name="${attribute(name)}" time="${seconds([each])}"`;
  const message = xmlText(messageOf({ text, hint }));
  if (verdict === 'passed')
    return text === '' ? [`${head}/>`] : [`${head}>`, `      <system-out>${message}</system-out>`, '    </testcase>'];
  return [`${head}>`, `      <${verdict} message="${message}">${message}</${verdict}>`, '    </testcase>'];
}

function attribute(text: string): string {
  return xmlText(nameOf(text));
}

function counts(cases: readonly Case[]): string {
  const of = (verdict: Verdict) => cases.filter((each) => each.verdict === verdict).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}"`;
}

function seconds(cases: readonly Case[]): string {
  return (cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0) / 1000).toFixed(3);
}

function suiteOf(document: Document, site: Site): Suite {
  switch (document.type) {
    case 'plan':
      return { name: `plan ${document.plan.target}`, cases: [...planCases(document.plan), ...findingCases(document.plan.findings, site)] };
    case 'drift':
      return {
        name: `drift ${document.plan.target}`,
        cases: [...driftCases(document.plan), ...findingCases(document.plan.findings, site)],
      };
    case 'outcome':
      return { name: `apply ${document.outcome.target}`, cases: outcomeCases(document.outcome) };
    case 'validation':
      return { name: `validate ${document.validation.target}`, cases: validationCases(document.validation, site) };
    case 'failure':
      return {
        name: `${site.command} ${document.failure.target ?? ''}`.trim(),
        cases: failureCases(document.failure, document.plan, site),
      };
    case 'diagnosis':
      return { name: `doctor ${document.diagnosis.target}`, cases: diagnosisCases(document.diagnosis) };
    case 'acceptance':
    case 'history':
    case 'impact':
    case 'field':
    case 'address':
    case 'targets':
      return { name: document.type, cases: [] };
  }
}

/** Each kind that was looked at: whether all of it could be read. */
function kindCases({ observed }: Plan): readonly Case[] {
  return Object.entries(observed).flatMap(([kind, seen]): Case[] => {
    if (seen === 'unmanaged' || seen === 'skipped') return [];
    const name = 'is read completely';
    return [seen === 'complete' ? { of: kind, name, verdict: 'passed' } : { of: kind, name, verdict: 'error', text: `${kind} was not` }];
  });
}

function planCases(plan: Plan): readonly Case[] {
  const changes = plan.changes.map(({ address, kind, name, action, blocked }): Case => {
    const about = { of: kind, name: `${action} ${address}${called(address, name)}` };
    if (blocked === null) return { ...about, verdict: 'passed' };
    return {
      ...about,
      verdict: 'failure',
      text: `blocked by safety check \`${blocked.check}\`: ${blocked.reason}`,
      hint: `Override: ${blocked.override}`,
    };
  });
  return [...kindCases(plan), ...changes];
}

function driftCases(plan: Plan): readonly Case[] {
  const drifted = plan.changes.map(({ address, kind, name, action, effect, fields }): Case => {
    const text = `${action === 'create' ? 'appeared' : action === 'delete' ? 'is gone' : count(fields.length, 'field')}`;
    const verdict = effect === 'loosens' ? `${text}, which loosens protection` : text;
    return { of: kind, name: `${address}${called(address, name)}`, verdict: 'failure', text: `drifted: ${verdict}` };
  });
  return [...kindCases(plan), ...drifted];
}

function called(address: string, name: string): string {
  const other = quotedName(address, name);
  return other === null ? '' : ` ${other}`;
}

function outcomeCases({ outcomes, verified }: Outcome): readonly Case[] {
  const cases = outcomes.map(({ address, result, error, because, tookMs }): Case => {
    const about = { of: address.split('/')[0] ?? '', name: address, tookMs };
    if (result === 'failed') return { ...about, verdict: 'failure', text: error ?? '' };
    return result === 'skipped' ? { ...about, verdict: 'skipped', text: because ?? '' } : { ...about, verdict: 'passed', text: result };
  });
  const name = 'all that was written reads back as desired';
  return [...cases, { of: 'verification', name, ...(verified ? { verdict: 'passed' } : { verdict: 'failure', text: 'it does not' }) }];
}

function validationCases({ findings, resources }: Validation, site: Site): readonly Case[] {
  const declared = Object.entries(resources).filter(([, number]) => number > 0);
  const sound = declared.map(([kind, number]): Case => ({ of: kind, name: `${number} declared`, verdict: 'passed' }));
  return [...findingCases(findings, site), ...sound];
}

/** Converts findings to test cases; a warning passes. */
function diagnosisCases({ checks }: Diagnosis): readonly Case[] {
  const verdicts = { ok: 'passed', warning: 'passed', failed: 'failure', skipped: 'skipped' } as const;
  return checks.map(({ check, state, summary, remedy = null }): Case => {
    return { of: 'setup', name: check, verdict: verdicts[state], text: summary, hint: remedy };
  });
}

/** Why it stopped, and what it would have done. */
function failureCases({ error, findings }: ErrorReport, plan: Plan | undefined, site: Site): readonly Case[] {
  const stop: Case = { of: 'run', name: error.code, verdict: 'error', text: error.summary, hint: error.hint };
  const held = plan ? planCases(plan).filter(({ verdict }) => verdict !== 'passed') : [];
  return [stop, ...held, ...findingCases([...findings, ...(plan?.findings ?? [])], site)];
}

/** Converts findings to test cases; a warning passes. */
function findingCases(findings: readonly Finding[], { folder }: Site): readonly Case[] {
  return findings.map(({ severity, code, summary, hint, file, line, column }): Case => {
    const name = `${code} ${folder}${file}:${line}:${column}`;
    return { of: 'configuration', name, verdict: severity === 'error' ? 'failure' : 'passed', text: summary, hint: hint ?? null };
  });
}
