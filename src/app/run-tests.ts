/** Runs tests: plans the two configurations of each case against each other, and compares what the plan says with what is expected. */
import { posix, relative, resolve, sep } from 'node:path';
import { limitConcurrency } from '../core/api-client/concurrency.ts';
import type { DesiredState } from '../core/config/desired-state.ts';
import { loadDesiredState } from '../core/config/load-desired-state.ts';
import type { Target } from '../core/config/project.ts';
import { kinds } from '../core/kinds/index.ts';
import { blockingChecks, type Change } from '../core/model/change.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { Finding } from '../core/model/finding.ts';
import { GENERAL_CODES } from '../core/model/finding-codes.ts';
import { matchesGlob } from '../core/model/glob.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../core/model/json.ts';
import type { ProjectFiles } from '../core/model/project-files.ts';
import type { TestReport, TestResult } from '../report/documents/tests.ts';
import { unifiedDiff } from '../report/text/text-diff.ts';
import { withVerdict } from '../report/view/verdict.ts';
import { planConfiguration } from './configuration-plan.ts';
import { CliError, interrupted } from './run/exit-codes.ts';
import type { ReportOptions } from './run/options.ts';
import { hasError, invalidConfiguration, type OpenProject, openProject } from './run/project.ts';
import { withReports } from './run/reports.ts';
import type { AppContext } from './run/runtime.ts';
import { sourceModel } from './run/source-model.ts';
import { type Expectation, findTestFiles, placeInTests, readTestFile, type TestCase, type TestSources } from './test-files.ts';

/** Options of `test`. */
export interface TestOptions extends ReportOptions {
  readonly project?: string | undefined;
}

/** Maximum number of cases that are planned at a time: each evaluates its guards in a thread of its own. */
const CONCURRENT_CASES = 4;

/** Runs the named files of tests, or all below the folder of upkeep.yaml. It asks no service. */
export function runTests(io: AppContext, names: readonly string[], options: TestOptions): Promise<ExitCode> {
  return withReports(io, options, async (reports) => {
    const session = openProject(io, options);
    reports.protectFiles(session.read);
    const cases = readCases(session, io, names);
    const limit = limitConcurrency(CONCURRENT_CASES);
    const results = await Promise.all(
      cases.map((each) =>
        limit(() => {
          if (io.signal.aborted) throw interrupted();
          return resultOf(session, each, io);
        }),
      ),
    );
    const failed = results.filter(({ result }) => result === 'failed').length;
    const tests: TestReport = { schemaVersion: 1, passed: results.length - failed, failed, cases: results };
    reports.add({ type: 'tests', tests });
    return failed === 0 ? [] : [EXIT_CODES.error];
  });
}

/** Reads the cases of all files. @throws CliError with the findings of all */
function readCases({ files, folder, project }: OpenProject, io: AppContext, names: readonly string[]): readonly TestCase[] {
  const paths = names.length > 0 ? names.map((name) => relative(folder, resolve(io.cwd, name)).split(sep).join('/')) : findTestFiles(files);
  if (paths.length === 0)
    throw new CliError(
      EXIT_CODES.invalid,
      'no-tests',
      `there is no *.test.yaml beside or below ${project.file}`,
      'write one, or name its path',
    );
  const read = paths.map((path) => readTestFile(files, path));
  const findings = read.flatMap((each) => ('findings' in each ? each.findings : []));
  if (findings.length > 0) throw invalidConfiguration(findings);
  return read.flatMap((each) => ('cases' in each ? each.cases : []));
}

/** The verdict on configurations that cannot be planned. */
const NOT_VALID = 'Not valid';

/** What is known of a plan, or of configurations that cannot be planned. */
interface Actual {
  readonly verdict: string;
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  /** The addresses that one of the two sides declares. */
  readonly declared: ReadonlySet<string>;
}

async function resultOf(session: OpenProject, test: TestCase, io: AppContext): Promise<TestResult> {
  const { file, line, name, expect } = test;
  const target = targetOf(session, test);
  const startedAt = io.elapsed();
  const actual = await planCase(session, target, test, io);
  const { expected, said } = compare(actual, expect);
  const about = { file, line, name, target: target.name, tookMs: Math.round(io.elapsed() - startedAt) };
  const mistakes = mistakesIn(actual, expect);
  if (equal(expected, said) && mistakes.length === 0) return { ...about, result: 'passed' };
  const invalid = actual.findings.filter(({ severity }) => severity === 'error');
  const errors = [...mistakes, ...invalid.map((each) => `${each.file}:${each.line}: ${each.code}: ${each.summary}`)];
  return {
    ...about,
    result: 'failed',
    ...(equal(expected, said)
      ? {}
      : { reasons: differencesIn(expected, said), diff: unifiedDiff(file, textOf(expected), textOf(said)).replace(HEADERS, NAMED_SIDES) }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

const HEADERS = /^--- .*\n\+\+\+ .*$/m;
const NAMED_SIDES = '--- expected\n+++ what the plan says';

/** The codes that findings can have. */
const CODES: ReadonlySet<string> = new Set(
  [GENERAL_CODES, ...kinds.map((kind) => kind.findingCodes)].flatMap((codes) => Object.keys(codes)),
);

/** Returns why an expectation says nothing although it holds: a name that nothing has, or a configuration that was never planned. */
function mistakesIn({ verdict, changes, findings, declared }: Actual, expect: Expectation): readonly string[] {
  const named = [...Object.keys(expect.changes ?? {}), ...Object.keys(expect.blocked ?? {})];
  const isKnown = (address: string) => declared.has(address) || changes.some((change) => change.address === address);
  const unknown = [...new Set(named)].filter((address) => verdict !== NOT_VALID && !isKnown(address));
  const codes = Object.keys(expect.findings ?? {}).filter((code) => !CODES.has(code));
  const isExpected =
    (expect.verdict !== undefined && matchesGlob(expect.verdict, NOT_VALID)) ||
    findings.some(({ severity, code }) => severity === 'error' && (expect.findings?.[code] ?? 0) > 0);
  return [
    ...unknown.map((address) => `neither side declares ${address}`),
    ...codes.map((code) => `no finding has the code ${code}`),
    ...(verdict === NOT_VALID && !isExpected ? ['the configuration is not valid, and the case does not expect that'] : []),
  ];
}

/** Names what differs: an expectation, or each of its members. */
function differencesIn(expected: JsonObject, said: JsonObject): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]): readonly string[] => {
    const other = said[name] ?? null;
    if (equal(value, other)) return [];
    if (!isJsonObject(value) || !isJsonObject(other)) return [differenceText(name, value, other)];
    const members = Object.entries(value).filter(([member, each]) => !equal(each, other[member] ?? null));
    return members.map(([member, each]) => differenceText(`${name} of ${member}`, each, other[member] ?? null));
  });
}

function differenceText(what: string, expected: Json, said: Json): string {
  return `${what}: expected ${JSON.stringify(expected)}, and it is ${JSON.stringify(said)}`;
}

/** Returns the target of a case. @throws CliError */
function targetOf({ project: { targets, file } }: OpenProject, test: TestCase): Target {
  const [only, other] = targets;
  const found = test.target === null && other === undefined ? only : targets.find(({ name }) => name === test.target);
  if (found !== undefined) return found;
  const which =
    test.target === null ? 'names no target, and there are several' : `names the target ${test.target}, which ${file} does not have`;
  throw new CliError(
    EXIT_CODES.invalid,
    'unknown-target',
    `${test.file}:${test.line}: the case ${which}`,
    `write target: ${targets.map(({ name }) => name).join(' or target: ')}`,
  );
}

async function planCase(session: OpenProject, target: Target, test: TestCase, io: AppContext): Promise<Actual> {
  const base = test.base === null ? NOTHING_DECLARED : load(session, target, test.base);
  const head = load(session, target, test.head);
  const findings = [...(test.base === null ? [] : base.findings), ...head.findings];
  const declared = new Set([...base.resources, ...head.resources].map(({ address }) => address));
  if (hasError(findings)) return { verdict: NOT_VALID, changes: [], findings, declared };
  const { command, ci, pull_request: pullRequest = '', actor = '', commit = '', message = '', branch = '' } = test.run;
  const { result } = await planConfiguration({
    project: session.project,
    target,
    base,
    head,
    config: null,
    run: { command: command === 'apply' ? 'apply' : 'plan', ci: ciOf(ci), pullRequest, actor, commit, message, branch },
    only: [],
    now: io.now(),
  });
  const { verdict, changes } = withVerdict('plan', result.plan);
  return { verdict, changes, findings: [...base.findings, ...result.plan.findings], declared };
}

const NOTHING_DECLARED = { resources: [], adopt: new Map<string, string>(), presentKeys: new Set<string>(), findings: [] };

function ciOf(name: string | undefined): 'github' | 'gitlab' | 'other' | '' {
  return name === 'github' || name === 'gitlab' || name === 'other' ? name : '';
}

/** Loads one side of a case. A finding about a source that stands in the case names the file of tests. */
function load({ files, project, parseCache }: OpenProject, target: Target, side: TestSources): DesiredState {
  const { paths, text } = side;
  const sources = paths.map((path) => ({ path: posix.normalize(path), defaults: {} }));
  const [path = ''] = paths;
  const all = text === null ? files : withFile(files, path, text);
  // What stands in a case is read once.
  const state = loadDesiredState(all, project, { ...target, sources }, sourceModel, text === null ? parseCache : new Map());
  return { ...state, findings: state.findings.map((finding) => ({ ...finding, ...placeInTests(finding, side) })) };
}

/** Returns the files with one more. */
function withFile(files: ProjectFiles, path: string, text: string): ProjectFiles {
  const bytes = Buffer.from(text);
  return {
    typeOf: (each) => (each === path ? 'file' : files.typeOf(each)),
    list: (folder) => files.list(folder),
    size: (each) => (each === path ? bytes.length : files.size(each)),
    read: (each) => (each === path ? bytes : files.read(each)),
    resolve: (each) => (each === path ? each : (files.resolve?.(each) ?? each)),
  };
}

/** What is expected, and what a plan says in the same form; without what is not named. */
interface Comparison {
  readonly expected: JsonObject;
  readonly said: JsonObject;
}

function compare({ verdict, changes, findings }: Actual, expect: Expectation): Comparison {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const countOf = (code: string) =>
    findings.reduce((sum, each) => (each.code === code && !each.accepted ? sum + (each.unlisted ?? 1) : sum), 0);
  const parts: (readonly [name: string, expected: Json, said: Json])[] = [];
  if (expect.verdict !== undefined)
    parts.push(['verdict', expect.verdict, matchesGlob(expect.verdict, verdict) ? expect.verdict : verdict]);
  if (expect.changes !== undefined)
    parts.push(['changes', expect.changes, membersOf(expect.changes, (address, expected) => changeSaid(byAddress.get(address), expected))]);
  if (expect.blocked !== undefined) {
    const sorted = membersOf(expect.blocked, (_address, checks) => checks.toSorted());
    parts.push(['blocked', sorted, membersOf(expect.blocked, (address) => checksSaid(byAddress.get(address)))]);
  }
  if (expect.findings !== undefined) parts.push(['findings', expect.findings, membersOf(expect.findings, countOf)]);
  return {
    expected: Object.fromEntries(parts.map(([name, expected]) => [name, expected])),
    said: Object.fromEntries(parts.map(([name, , said]) => [name, said])),
  };
}

function membersOf<Value>(named: { readonly [name: string]: Value }, memberOf: (name: string, value: Value) => Json): JsonObject {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, memberOf(name, value)]));
}

/** Returns of a change what is expected of it: all members where none is. */
function changeSaid(change: Change | undefined, expected: 'none' | JsonObject): Json {
  if (change === undefined) return 'none';
  const { action, effect, playback } = change;
  const all = { action, effect, playback };
  return expected === 'none' ? all : Object.fromEntries(Object.entries(all).filter(([member]) => Object.hasOwn(expected, member)));
}

/** Returns the names of the checks that block a change, sorted, with its guards in place of `guard`. */
function checksSaid(change: Change | undefined): Json {
  if (change === undefined) return 'no change';
  const checks = change.blocked === null ? [] : blockingChecks(change.blocked);
  return checks.flatMap(({ check, guards = [] }) => (check === 'guard' ? guards.map((id) => `guard/${id}`) : [check])).sort();
}

function textOf(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
