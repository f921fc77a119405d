/** Runs the jobs of a GitHub workflow: its `run` steps as they are, its `uses` steps by a simulation of the few known actions. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isObject } from '../../src/core/model/json.ts';
import { GITHUB_TOKEN } from '../integrations/code-hosts/github-double.ts';
import { type ExpressionValues, evaluate, substitute } from './expressions.ts';
import { type Environment, type RecipeProject, runProgram, type ScriptResult, withRelease } from './recipe-project.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const ACTION_FOLDER = '.github/actions/upkeep';

type Members = { readonly [member: string]: unknown };

/** What has happened in the repository. */
export interface GithubEvent {
  readonly name: 'pull_request' | 'merge_group' | 'push' | 'schedule' | 'workflow_dispatch';
  readonly ref: string;
  readonly sha: string;
  /** The event of GitHub, as in its event file. */
  readonly event?: Members;
  /** The inputs of a run by hand. */
  readonly inputs?: Members;
}

/** What the repository's settings hold. */
export interface Settings {
  readonly secrets: { readonly [environment: string]: Environment };
  /** Variables of the repository, and those of its environments. */
  readonly variables?: Members;
  readonly environmentVariables?: { readonly [environment: string]: Members };
  /** The files of the cache, by key. */
  readonly cache?: { readonly [key: string]: { readonly [file: string]: string } };
  /** The jobs that end before their first step, for example because their environment refuses them. */
  readonly refused?: readonly string[];
  /** Variables of the runner's environment, for example the URL of the API. */
  readonly env?: Environment;
  /** Further actions, by name. */
  readonly actions?: { readonly [name: string]: ActionDouble };
}

/** Stands in for an action: takes the inputs of the step, the environment of its job and its folder, and gives outputs and variables. */
export type ActionDouble = (
  inputs: Environment,
  job: { readonly environment: string; readonly workspace: string },
) => { readonly outputs?: Members; readonly env?: Environment };

/** How a job ended. */
export interface Job {
  readonly result: 'success' | 'failure' | 'skipped';
  /** The run steps that were begun, by name or script. */
  readonly steps: readonly string[];
  /** The exit code of the step that failed; 0 where none did. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Members;
  /** The text of the files that it has uploaded, by artifact and path. */
  readonly artifacts: Environment;
}

/** A run of a workflow, whose artifacts stay while jobs are run again. */
export interface Workflow {
  /** Runs all jobs of the event, or only the named ones again. */
  run(...only: readonly string[]): Promise<{ readonly [job: string]: Job }>;
}

/** Prepares the run of a workflow file, in which the release of the project is named. */
export function workflow(recipeProject: RecipeProject, file: string, githubEvent: GithubEvent, settings: Settings): Workflow {
  const { jobs, on, env: variables = {} } = membersOf(parse(withRelease(readFileSync(join(top, file), 'utf8'), recipeProject.release)));
  const { inputs: declared = {} } = membersOf(membersOf(on).workflow_dispatch ?? {});
  // On other events each input is empty.
  const inputs = Object.fromEntries(Object.keys(membersOf(declared)).map((input) => [input, githubEvent.inputs?.[input] ?? '']));
  const artifacts = recipeProject.folder('artifacts');
  const { name, ref, sha, event = {} } = githubEvent;
  const github = { event_name: name, ref, event, repository: 'acme/streaming', token: GITHUB_TOKEN };
  const results: { [job: string]: Job } = {};
  return {
    async run(...only) {
      for (const [id, job] of Object.entries(membersOf(jobs)).map(([key, value]) => [key, membersOf(value)] as const)) {
        if (only.length > 0 && !only.includes(id)) continue;
        const needs = [job.needs ?? []].flat().map(String);
        const condition = expressionOf(job.if);
        const isDue =
          ((job.if !== undefined && runsAfterFailure(condition)) || needs.every((each) => results[each]?.result === 'success')) &&
          evaluate(condition, { github, inputs, needs: results, vars: variablesOf(job) }) === true;
        results[id] = !isDue
          ? SKIPPED
          : settings.refused?.includes(id)
            ? {
                ...SKIPPED,
                result: 'failure',
                outputs: Object.fromEntries(Object.keys(membersOf(job.outputs ?? {})).map((output) => [output, ''])),
              }
            : await runJob(recipeProject, job, {
                githubEvent: githubEvent,
                settings,
                artifacts,
                names: { github, inputs, needs: results },
              });
      }
      return results;
    },
  };

  /** Returns the variables of a job. Other variables are empty, as on GitHub, so the recipe's own are named here. */
  function variablesOf(job: Members): Members {
    return { UPKEEP_CODE_SCANNING: '', ...settings.variables, ...settings.environmentVariables?.[String(job.environment ?? '')] };
  }

  function runJob(at: RecipeProject, job: Members, run: Pick<Run, 'githubEvent' | 'settings' | 'artifacts' | 'names'>): Promise<Job> {
    const folder = at.folder('job');
    const file = (what: string, text = '') => {
      writeFileSync(join(folder, what), text);
      return join(folder, what);
    };
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    // Hosted runners have the same folder in every job, which is empty at first: so the path of a cache is the same.
    const temp = join(folder, 'temp');
    mkdirSync(temp);
    const env = {
      ...at.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event)),
      GITHUB_REF: ref,
      GITHUB_SHA: sha,
      GITHUB_REPOSITORY: github.repository,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      GITHUB_STEP_SUMMARY: file('summary.md'),
      ...settings.env,
      ...Object.fromEntries(Object.entries(membersOf(variables)).map(([variable, value]) => [variable, String(value)])),
    };
    const secrets = settings.secrets[String(job.environment ?? '')] ?? {};
    const names = { ...run.names, secrets, env: variables, vars: variablesOf(job), runner: { temp } };
    const environment = String(job.environment ?? '');
    return runSteps(
      { ...run, recipeProject: at, folder, workspace, env, names, environment },
      membersList(job.steps),
      membersOf(job.outputs ?? {}),
    );
  }
}

/** Returns the expression of an `if`, which may stand in braces. */
function expressionOf(condition: unknown): string {
  return String(condition ?? 'always()').replace(/^\$\{\{(.*)\}\}$/, '$1');
}

/** Decides whether a job or step with this condition also runs after a failure. */
function runsAfterFailure(condition: string): boolean {
  return condition.includes('always()') || condition.includes('!cancelled()');
}

const SKIPPED: Job = { result: 'skipped', steps: [], code: 0, log: '', summary: '', outputs: {}, artifacts: {} };

interface Run {
  readonly recipeProject: RecipeProject;
  /** The environment of the job; empty if it has none. */
  readonly environment: string;
  readonly githubEvent: GithubEvent;
  readonly settings: Settings;
  readonly artifacts: string;
  readonly folder: string;
  readonly workspace: string;
  readonly env: Environment;
  readonly names: ExpressionValues;
}

/** Runs the action, from a copy of its folder elsewhere, in a checkout of a ref with these inputs. `prepare` may change the checkout first. */
export async function action(
  at: RecipeProject,
  env: Environment,
  inputs: Members,
  ref = 'main',
  prepare: (workspace: string) => void = () => undefined,
): Promise<Stepped & { readonly workspace: string; readonly summary: string }> {
  const folder = at.folder('action');
  const workspace = at.checkout(ref);
  prepare(workspace);
  const actionFolder = join(at.folder('another-repository'), 'upkeep');
  cpSync(join(top, ACTION_FOLDER), actionFolder, { recursive: true });
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const githubEvent = { name: 'push', ref: 'main', sha: '' } as const;
  const run = {
    recipeProject: at,
    githubEvent,
    settings: { secrets: {} },
    artifacts: folder,
    folder,
    workspace,
    names: {},
    environment: '',
  };
  const ended = await runComposite({ ...run, env: { ...at.env, ...env, GITHUB_STEP_SUMMARY: summary } }, actionFolder, {}, inputs, {});
  return { ...ended, workspace, summary: readFileSync(summary, 'utf8') };
}

/** Runs steps in order until one fails; after that only those with `always()`. The outputs of the job are those that a job names. */
async function runSteps(run: Run, steps: readonly Members[], jobOutputs: Members): Promise<Job> {
  const outputs: { [step: string]: { readonly outputs: Members } } = {};
  const begun: string[] = [];
  const uploaded: { [file: string]: string } = {};
  let [log, code, jobEnv] = ['', 0, run.env];
  for (const step of steps) {
    const names = { ...run.names, steps: outputs };
    const condition = expressionOf(step.if);
    if ((code !== 0 && (step.if === undefined || !runsAfterFailure(condition))) || evaluate(condition, names) !== true) continue;
    const stepRun = { ...run, env: jobEnv };
    const ended = step.uses === undefined ? await runScript(stepRun, step, names) : await use(stepRun, step, names);
    jobEnv = { ...jobEnv, ...ended.env };
    if (step.uses === undefined) begun.push(String(step.name ?? step.run));
    if (typeof step.id === 'string') outputs[step.id] = { outputs: ended.outputs };
    Object.assign(uploaded, ended.uploaded);
    log += ended.stdout + ended.stderr;
    if (code === 0 && step['continue-on-error'] !== true) code = ended.code;
  }
  const summary = readFileSync(String(run.env.GITHUB_STEP_SUMMARY), 'utf8');
  // A job that has failed has the outputs of the steps that it came to; those of others are empty.
  const every = Object.fromEntries(steps.map(({ id }) => [String(id), { outputs: { ...NO_OUTPUTS, ...outputs[String(id)]?.outputs } }]));
  const named = Object.entries(jobOutputs).map(([name, value]) => [name, substitute(value, { steps: every })]);
  return {
    result: code === 0 ? 'success' : 'failure',
    steps: begun,
    code,
    log,
    summary,
    outputs: Object.fromEntries(named),
    artifacts: uploaded,
  };
}

/** The outputs of a step that did not run, as far as the jobs of the recipes name them. */
const NO_OUTPUTS = { fingerprint: '', commit: '', 'artifact-url': '' };

/** How a step ended, with the variables that later steps of its job have. */
type Stepped = ScriptResult & {
  readonly outputs: Members;
  readonly env?: Environment;
  readonly uploaded?: { readonly [file: string]: string };
};

/** Runs a script in bash, started as GitHub documents ("defaults.run.shell"). */
async function runScript({ recipeProject, folder, workspace, env }: Run, step: Members, names: ExpressionValues): Promise<Stepped> {
  const [script, output] = [join(folder, 'script.sh'), join(folder, 'output')];
  writeFileSync(script, substitute(step.run, names));
  writeFileSync(output, '');
  const stepEnv = Object.fromEntries(Object.entries(membersOf(step.env ?? {})).map(([name, value]) => [name, substitute(value, names)]));
  const flags = step.shell === 'bash' ? ['--noprofile', '--norc', '-e', '-o', 'pipefail'] : ['-e'];
  const ended = await runProgram(workspace, { ...recipeProject.env, ...env, GITHUB_OUTPUT: output, ...stepEnv }, 'bash', ...flags, script);
  return { ...ended, outputs: outputsOf(readFileSync(output, 'utf8')) };
}

function outputsOf(text: string): Members {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

const DONE: Stepped = { code: 0, stdout: '', stderr: '', outputs: {} };

/** What the used actions do, as far as the recipes ask it of them. @throws for any other */
async function use(run: Run, step: Members, names: ExpressionValues): Promise<Stepped> {
  const { recipeProject, workspace, artifacts, githubEvent } = run;
  const stepInputs = membersOf(step.with ?? {});
  switch (String(step.uses).split('@')[0]) {
    case 'actions/checkout':
      cpSync(recipeProject.checkout(githubEvent.ref, Number(stepInputs['fetch-depth'] ?? 1)), workspace, { recursive: true });
      return DONE;
    case 'actions/setup-node':
      return DONE;
    case 'actions/cache':
      return restoreCache(run, substitute(stepInputs.path, names), substitute(stepInputs.key, names));
    case 'actions/upload-artifact':
      return upload(run, stepInputs);
    case 'actions/download-artifact':
      if (!existsSync(join(artifacts, String(stepInputs.name)))) return { ...DONE, code: 1, stderr: 'Artifact not found' };
      cpSync(join(artifacts, String(stepInputs.name)), workspace, { recursive: true });
      return DONE;
    case './.github/actions/upkeep':
      return runComposite(run, join(top, ACTION_FOLDER), step, stepInputs, names);
    default: {
      const name = String(step.uses).split('@')[0] ?? '';
      const known = run.settings.actions?.[name];
      if (!known) throw new Error(`nobody knows what ${step.uses} does`);
      const values = Object.entries(stepInputs).map(([input, value]) => [input, substitute(value, names)]);
      return { ...DONE, ...known(Object.fromEntries(values), run) };
    }
  }
}

/** Puts the files that exist into an artifact. Without `archive` it is the one file, under the name of that. */
function upload({ workspace, artifacts }: Run, { name, path, archive = true }: Members): Stepped {
  const files = String(path)
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(workspace, file)));
  if (files.length === 0) return { ...DONE, outputs: { 'artifact-url': '' } };
  const artifact = archive === false ? basename(String(path)) : String(name);
  mkdirSync(join(artifacts, artifact), { recursive: true });
  for (const file of files) cpSync(join(workspace, file), join(artifacts, artifact, file));
  const uploaded = Object.fromEntries(files.map((file) => [`${artifact}/${file}`, readFileSync(join(workspace, file), 'utf8')]));
  return {
    ...DONE,
    uploaded,
    outputs: { 'artifact-url': `https://github.example/acme/streaming/actions/runs/4711/artifacts/${artifact}` },
  };
}

/** Restores what the test has put into the cache under this key; nothing is saved. */
function restoreCache({ settings }: Run, path: string, key: string): Stepped {
  const cached = settings.cache?.[key];
  if (cached === undefined) return DONE;
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(cached)) writeFileSync(join(path, file), text);
  return DONE;
}

async function runComposite(run: Run, folder: string, step: Members, stepInputs: Members, names: ExpressionValues): Promise<Stepped> {
  const { inputs, outputs, runs } = membersOf(parse(readFileSync(join(folder, 'action.yml'), 'utf8')));
  const stepEnv = membersOf(step.env ?? {});
  const env = { ...run.env, ...Object.fromEntries(Object.entries(stepEnv).map(([name, value]) => [name, substitute(value, names)])) };
  const actionInputs = Object.entries(membersOf(inputs)).map(([name, input]) => [
    name,
    substitute(stepInputs[name] ?? membersOf(input).default, names),
  ]);
  const steps: { [id: string]: { readonly outputs: Members } } = {};
  let last: Stepped = DONE;
  for (const each of membersList(membersOf(runs).steps)) {
    const inner = { inputs: Object.fromEntries(actionInputs), steps };
    if (last.code !== 0 || evaluate(String(each.if ?? 'always()'), inner) !== true) continue;
    last = await runScript({ ...run, env }, each, inner);
    if (typeof each.id === 'string') steps[each.id] = { outputs: last.outputs };
  }
  // A step without outputs has empty ones.
  const emptyOutputs = Object.fromEntries(Object.keys(membersOf(outputs)).map((name) => [name, '']));
  steps.run = { outputs: { ...emptyOutputs, ...steps.run?.outputs } };
  const actionOutputs = Object.entries(membersOf(outputs)).map(([name, output]) => [name, substitute(membersOf(output).value, { steps })]);
  return { ...last, outputs: Object.fromEntries(actionOutputs) };
}

function membersOf(value: unknown): Members {
  if (!isObject(value)) throw new Error(`a mapping was expected, not ${JSON.stringify(value)}`);
  return value;
}

function membersList(value: unknown): readonly Members[] {
  return [value].flat().map(membersOf);
}
