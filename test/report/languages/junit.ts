/**
 * Reads JUnit XML strictly by the schema that Jenkins publishes (xunit-plugin, junit-10.xsd, MIT): the allowed elements and attributes. It
 * also checks that the counts match the tests, which no schema can express.
 */
import { type Element, readXml } from './xml.ts';

interface ElementRule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  readonly mixed?: true;
}

const MESSAGE: ElementRule = { required: [], optional: ['type', 'message'], children: [], mixed: true };
const RULES: { readonly [element: string]: ElementRule } = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: MESSAGE,
  error: MESSAGE,
  skipped: MESSAGE,
  'system-out': { required: [], optional: [], children: [], mixed: true },
};

/** The part of the pattern `SUREFIRE_TIME` that reports use. */
const TIME = /^\d*\.\d{3}$/;

/** Reads a report. @throws Error that names what the schema does not allow */
export function readJunit(report: string): Element {
  const root = readXml(report);
  if (root.name !== 'testsuites') throw new Error(`the root is ${root.name}`);
  check(root);
  const suites = root.children;
  for (const suite of suites) checkCounts(suite, suite.children);
  checkCounts(
    root,
    suites.flatMap(({ children }) => children),
  );
  return root;
}

function check({ name, attributes, children, text }: Element): void {
  const form = RULES[name];
  if (!form) throw new Error(`${name} is no element of JUnit`);
  const given = Object.keys(attributes);
  const missing = form.required.filter((each) => !given.includes(each));
  const unknown = given.filter((each) => !form.required.includes(each) && !form.optional.includes(each));
  if (missing.length + unknown.length > 0) throw new Error(`${name}: missing ${missing}, unknown ${unknown}`);
  if (attributes.time !== undefined && !TIME.test(attributes.time)) throw new Error(`${name}: time ${attributes.time}`);
  if (!form.mixed && text.trim() !== '') throw new Error(`${name} holds text`);
  for (const child of children) {
    if (!form.children.includes(child.name)) throw new Error(`${child.name} stands in ${name}`);
    check(child);
  }
}

function checkCounts({ name, attributes }: Element, cases: readonly Element[]): void {
  const verdicts = { failures: 'failure', errors: 'error', skipped: 'skipped' };
  if (attributes.tests !== String(cases.length)) throw new Error(`${name}: ${attributes.tests} tests, ${cases.length} cases`);
  for (const [attribute, verdict] of Object.entries(verdicts)) {
    const number = cases.filter(({ children }) => children.some((child) => child.name === verdict)).length;
    if (attributes[attribute] !== undefined && attributes[attribute] !== String(number))
      throw new Error(`${name}: ${attribute} is not ${number}`);
  }
}
