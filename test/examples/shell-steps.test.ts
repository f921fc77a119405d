/**
 * Every shell step of the action, the recipes and the workflows of this repository, and the lines to type in docs/, read for how
 * they start git: anybody may have brought the files of a checkout (design section 4, rule 13).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { recipeOf } from '../../src/cli/init/recipes.ts';
import { FIXED_OPTIONS } from '../../src/core/ledger/git-process.ts';
import { isObject } from '../../src/core/model/json.ts';

const top = new URL('../../', import.meta.url);

type Members = { readonly [member: string]: unknown };

/** A script, as it is run by one shell. */
interface ShellStep {
  readonly script: string;
  /** Whether it starts at the top of a checkout; else there is no checkout yet. */
  readonly checkedOut: boolean;
  /** The settings of the step and of what it stands in that choose its folder. */
  readonly folders: readonly unknown[];
}

const read = (file: string) => readFileSync(new URL(file, top), 'utf8');
const filesIn = (folder: string) => readdirSync(new URL(folder, top)).map((name) => folder + name);
const list = (value: unknown): readonly Members[] => [value].flat().filter(isObject);
const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** The steps of a workflow or of a composite action of GitHub. */
function githubSteps(file: unknown): readonly ShellStep[] {
  const jobs = [...Object.values(Object(member(file, 'jobs'))), member(file, 'runs')];
  return jobs.flatMap((job) =>
    list(member(job, 'steps')).flatMap((step) => {
      const folders = [step['working-directory'], member(file, 'defaults'), member(job, 'defaults')];
      return typeof step.run === 'string' ? [{ script: step.run, checkedOut: true, folders }] : [];
    }),
  );
}

/** The scripts of a GitLab pipeline: `before_script` and `script` of a job are run by one shell, `after_script` by another. */
function gitlabSteps(file: unknown): readonly ShellStep[] {
  const defaults = member(file, 'default');
  return Object.values(Object(file))
    .filter((job) => member(job, 'script') !== undefined)
    .flatMap((job) => [
      [member(job, 'before_script') ?? member(defaults, 'before_script') ?? [], member(job, 'script')],
      [member(job, 'after_script') ?? member(defaults, 'after_script') ?? []],
    ])
    .map((lines) => ({ script: lines.flat(2).join('\n'), checkedOut: true, folders: [] }));
}

/** The commands of the containers of a Job of Kubernetes. */
function kubernetesSteps(node: unknown): readonly ShellStep[] {
  if (Array.isArray(node)) return node.flatMap(kubernetesSteps);
  if (!isObject(node)) return [];
  const containers = [...list(node.initContainers), ...list(node.containers)];
  const steps = containers.map(({ command, args, workingDir }) => {
    const script = [command, args].flat().filter(Boolean).join(' ');
    return { script, checkedOut: workingDir !== undefined, folders: [] };
  });
  return [...steps, ...Object.values(node).flatMap(kubernetesSteps)];
}

/** A call of git: its arguments, up to the end of the command, and the script before it. */
interface GitCall {
  readonly args: string;
  readonly before: string;
}

function gitCalls(script: string): readonly GitCall[] {
  const text = script.replace(/^\s*#.*$/gm, '').replace(/\s*\\\n\s*/g, ' ');
  return [...text.matchAll(/(?<![\w./-])(?:[\w./-]*\/)?git(?=["']?\s)([^\n;&|)]*)/g)].map((match) => ({
    args: (match[1] ?? '').trim(),
    before: text.slice(0, match.index),
  }));
}

const SAFE = `${FIXED_OPTIONS.join(' ')} `;

/** Returns what is wrong with the calls of git in a step. */
function violations({ script, checkedOut, folders }: ShellStep): readonly string[] {
  const calls = gitCalls(script).filter(({ args }) => args !== '--version');
  const elsewhere = folders.filter((folder) => folder !== undefined).map((folder) => `git in the folder ${JSON.stringify(folder)}`);
  const variables = /\bGIT_(?:DIR|WORK_TREE|COMMON_DIR|CONFIG\w*)\b/.exec(script)?.[0];
  return calls.length === 0
    ? []
    : [
        ...elsewhere,
        ...(variables === undefined ? [] : [`git with ${variables}`]),
        ...calls.flatMap(({ args, before }) => {
          const call = { args: args.startsWith(SAFE) ? args.slice(SAFE.length) : args, before };
          const unsafe = call.args === args ? [`git without the safe settings: ${args}`] : [];
          return [...unsafe, ...(checkedOut ? inCheckout(call) : beforeCheckout(call))];
        }),
      ];
}

/** In a checkout git runs at its top. */
function inCheckout({ args: rest, before }: GitCall): readonly string[] {
  return [
    ...(/^-/.test(rest) || /\s(?:-C|--chdir)\b/.test(before.slice(before.lastIndexOf('\n') + 1))
      ? [`git with more options, which may choose a folder: ${rest}`]
      : []),
    ...(/\b(?:cd|pushd)\s/.test(before) ? [`git after the step has entered a folder: ${rest}`] : []),
  ];
}

/** Where there is no checkout yet, git makes one, in a folder that it makes itself, and does not run again once the files are there. */
function beforeCheckout({ args, before }: GitCall): readonly string[] {
  const earlier = gitCalls(before).map((call) => call.args.replace(SAFE, ''));
  const made = earlier.flatMap((each) => /^init (?:--?\S+ )*(\S+)$/.exec(each)?.[1] ?? []);
  const entered = [...before.matchAll(/\b(?:cd|pushd)\s+(\S+)/g)].map(([, folder]) => folder);
  const isThere = earlier.some((each) => /^(?:clone|checkout|switch|pull|worktree)\b/.test(each));
  return [
    ...(args.startsWith('-') ? [`git with options, which may choose a folder: ${args}`] : []),
    ...(isThere ? [`git after the files are there: ${args}`] : []),
    ...entered.filter((folder) => !made.includes(String(folder))).map((folder) => `git after the step has entered ${folder}`),
  ];
}

const github = [...filesIn('.github/workflows/'), ...filesIn('examples/ci/github/')];
const actions = readdirSync(new URL('.github/actions/', top)).map((name) => `.github/actions/${name}/action.yml`);
const OTHER_VALUES = { target: 'staging', tarball: 'https://releases.example/upkeep.tgz', sha256: '0'.repeat(64) };
const written = (['github', 'gitlab'] as const).map(
  (ci) => [`the recipe that init writes for ${ci}`, recipeOf(ci, OTHER_VALUES).text] as const,
);
const texts = new Map([
  ...[...github, ...actions, ...filesIn('examples/ci/gitlab/'), ...filesIn('examples/ci/kubernetes/')].map(
    (file) => [file, read(file)] as const,
  ),
  ...written,
]);

function stepsOf(name: string): readonly ShellStep[] {
  const file: unknown = parse(texts.get(name) ?? '', { merge: true });
  if (name.includes('kubernetes')) return kubernetesSteps(file);
  return name.includes('gitlab') ? gitlabSteps(file) : githubSteps(file);
}

test('every known call of git in the shell steps of action, recipes and workflows is found, and no other', () => {
  const found = [...texts.keys()].map((name) => [name, stepsOf(name).flatMap(({ script }) => gitCalls(script)).length] as const);
  expect(Object.fromEntries(found.filter(([, calls]) => calls > 0))).toEqual({
    '.github/actions/upkeep/action.yml': 1,
    '.github/workflows/release.yml': 1, // its version
    'examples/ci/github/two-environments.yml': 1,
    'examples/ci/github/upkeep.yml': 1,
    'examples/ci/github/with-aws.yml': 1,
    'examples/ci/github/with-vault.yml': 1,
    'examples/ci/gitlab/gitlab-ci.yml': 2, // plan, diff
    'examples/ci/gitlab/two-environments.yml': 2,
    'examples/ci/gitlab/with-aws.yml': 2,
    'examples/ci/gitlab/with-vault.yml': 2,
    'examples/ci/kubernetes/apply.yaml': 4, // init, remote add, fetch, checkout
    'examples/ci/kubernetes/drift.yaml': 1,
    'examples/ci/kubernetes/sharded-drift.yaml': 1,
    ...Object.fromEntries(written.map(([name]) => [name, name.endsWith('gitlab') ? 2 : 1])),
  });
});

test.each([...texts.keys()])(
  'git runs at the top of a checkout and with the settings of upkeep itself in every shell step of %s',
  (name) => {
    expect(stepsOf(name).length).toBeGreaterThan(0);
    expect(stepsOf(name).flatMap(violations)).toEqual([]);
  },
);

test.each(filesIn('examples/ci/gitlab/'))('no job of %s starts in a folder with the files of another job', (name) => {
  const jobs = Object.values(Object(parse(read(name), { merge: true })));
  const strategies = jobs.map((job) => member(member(job, 'variables'), 'GIT_STRATEGY')).filter((strategy) => strategy !== undefined);
  expect(strategies).toEqual(['empty']);
});

test('the lines to type that start git have the settings of upkeep itself', () => {
  const pages = ['README.md', '.github/CONTRIBUTING.md', ...filesIn('docs/').filter((file) => file.endsWith('.md'))];
  const scripts = pages
    // Whoever follows the tutorial has written every file.
    .filter((page) => page !== 'docs/tutorial.md')
    .flatMap((page) => [...read(page).matchAll(/```sh\n(.*?)```/gs)].map(([, script = '']) => ({ page, script })))
    // A clone of upkeep has no files yet.
    .map(({ page, script }) => ({ page, script: script.replace(/^git clone <this repository> upkeep && cd upkeep$/m, '') }))
    .filter(({ script }) => gitCalls(script).length > 0);
  expect(scripts.map(({ page }) => page)).toEqual(['docs/install.md', 'docs/ledger.md', 'docs/security.md']);
  expect(scripts.flatMap(({ script }) => violations({ script, checkedOut: true, folders: [] }))).toEqual([]);
});

describe('a step that breaks the rule about git is noticed:', () => {
  const step = (script: string, more: Partial<ShellStep> = {}) => ({ script, checkedOut: true, folders: [], ...more });

  test.each([
    ['a folder as option', step('git -C "$PROJECT" fetch origin')],
    ['a folder after the settings', step(`git ${SAFE}-C "$PROJECT" fetch origin`)],
    ['a repository after the settings', step(`git ${SAFE}--git-dir=acct fetch origin`)],
    ['no settings', step('git fetch origin')],
    ['one setting less', step(`git ${SAFE.replace('-c core.fsmonitor=false ', '')}fetch origin`)],
    ['another value of a setting', step(`git ${SAFE.replace('=explicit', '=all')}fetch origin`)],
    ['a later setting that takes one back', step(`git ${SAFE}-c safe.bareRepository=all fetch origin`)],
    ['a folder that was entered', step(`cd "$PROJECT"\ngit ${SAFE}fetch origin`)],
    ['a folder that was entered in a condition', step(`if cd acct && git ${SAFE}fetch origin; then :; fi`)],
    ['a folder that another program enters', step(`env -C acct git ${SAFE}fetch origin`)],
    ['a call in a substitution', step('commit=$(git rev-parse HEAD)')],
    ['a call by its path', step('/usr/bin/git status')],
    ['a second call', step(`git ${SAFE}fetch origin\ngit log -1`)],
    ['a call in another line of the command', step('GIT_TERMINAL_PROMPT=0 \\\n  git \\\n  fetch origin')],
    ['a variable that chooses the repository', step(`export GIT_DIR=acct\ngit ${SAFE}fetch origin`)],
    ['a variable that takes settings back', step(`GIT_CONFIG_COUNT=1 git ${SAFE}fetch origin`)],
    ['a folder of the step', step(`git ${SAFE}fetch origin`, { folders: ['acct'] })],
    ['a folder that git has not made', step('cd /checkout/account\ngit fetch origin', { checkedOut: false })],
    ['a call once the files are there', step('git clone -q "$R" /checkout/a\ngit log -1', { checkedOut: false })],
    ['a call in a folder of the clone', step('git clone -q "$R" /checkout/a\ngit -C /checkout/a/b log', { checkedOut: false })],
  ])('%s is noticed', (_what, planted) => {
    expect(violations(planted)).not.toEqual([]);
  });
});

/** The paths that the artifacts of a job of GitLab name. */
function gitlabReports(job: unknown): readonly string[] {
  const artifacts = member(job, 'artifacts');
  if (member(artifacts, 'when') !== 'always') return [];
  return [member(artifacts, 'paths') ?? [], ...Object.values(Object(member(artifacts, 'reports')))].flat(2).map(String);
}

/** The first command of a job that has a checkout, and the files that it publishes also where it fails. */
function publishingJobs(name: string): readonly (readonly [string, readonly string[]])[] {
  const file: unknown = parse(texts.get(name) ?? '', { merge: true });
  if (name.includes('gitlab'))
    return Object.values(Object(file)).map((job) => [String([member(job, 'before_script')].flat()[0]), gitlabReports(job)]);
  return Object.values(Object(member(file, 'jobs')))
    .filter((job) => list(member(job, 'steps')).some(({ uses }) => String(uses).startsWith('actions/checkout@')))
    .map((job) => {
      const steps = list(member(job, 'steps'));
      const published = steps.filter((step) => step.if !== undefined && String(step.uses).startsWith('actions/upload-artifact@'));
      const first = steps.find((step) => !String(step.uses).startsWith('actions/checkout@'));
      return [String(first?.run), published.flatMap((step) => String(member(step.with, 'path')).trim().split('\n'))] as const;
    });
}

test.each([
  // The recipe for two environments has two jobs that apply.
  ...filesIn('examples/ci/gitlab/').map((file) => [file, file.includes('two-environments') ? 6 : 5] as const),
  ...['upkeep', 'two-environments', 'with-aws', 'with-vault'].map((name) => [`examples/ci/github/${name}.yml`, 3] as const),
])('a job first removes every file that it publishes even where it fails: %s', (name, count) => {
  const jobs = publishingJobs(name).filter(([, published]) => published.length > 0);
  expect(jobs).toHaveLength(count);
  for (const [first, published] of jobs) {
    expect(first).toMatch(/^rm -rf /);
    expect(first.split(' ').slice(2).sort()).toEqual([...new Set(published)].sort());
  }
});
