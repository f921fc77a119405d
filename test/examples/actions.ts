/** Runs the jobs of a GitHub workflow: its `run` steps as they are, its `uses` steps by a simulation of the few known actions. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isObject } from '../../src/model/json.ts';
import { GITHUB_TOKEN } from '../code-hosts/github-double.ts';
import { type ExpressionValues, evaluate, substitute } from './expressions.ts';
import { type Environment, type RecipeProject, runProgram, type ScriptResult, withRelease } from './recipe-project.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

type Members = { readonly [member: string]: unknown };

/** What has happened in the repository. */
export interface GithubEvent {
  readonly name: 'pull_request' | 'push' | 'schedule' | 'workflow_dispatch';
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
  /** Variables of the runner's environment, for example the URL of the API. */
  readonly env?: Environment;
}

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
          evaluate(condition, { github, inputs, needs: results }) === true;
        results[id] = isDue
          ? await runJob(recipeProject, job, { githubEvent: githubEvent, settings, artifacts, names: { github, inputs, needs: results } })
          : SKIPPED;
      }
      return results;
    },
  };

  function runJob(at: RecipeProject, job: Members, run: Pick<Run, 'githubEvent' | 'settings' | 'artifacts' | 'names'>): Promise<Job> {
    const folder = at.folder('job');
    const file = (what: string, text = '') => {
      writeFileSync(join(folder, what), text);
      return join(folder, what);
    };
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const env = {
      ...at.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event)),
      GITHUB_REF: ref,
      GITHUB_SHA: sha,
      GITHUB_REPOSITORY: github.repository,
      GITHUB_WORKSPACE: workspace,
      GITHUB_STEP_SUMMARY: file('summary.md'),
      ...settings.env,
      ...Object.fromEntries(Object.entries(membersOf(variables)).map(([variable, value]) => [variable, String(value)])),
    };
    const secrets = settings.secrets[String(job.environment ?? '')] ?? {};
    const names = { ...run.names, secrets, env: variables };
    return runSteps({ ...run, recipeProject: at, folder, workspace, env, names }, membersList(job.steps), membersOf(job.outputs ?? {}));
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

const SKIPPED: Job = { result: 'skipped', steps: [], code: 0, log: '', summary: '', outputs: {} };

interface Run {
  readonly recipeProject: RecipeProject;
  readonly githubEvent: GithubEvent;
  readonly settings: Settings;
  readonly artifacts: string;
  readonly folder: string;
  readonly workspace: string;
  readonly env: Environment;
  readonly names: ExpressionValues;
}

/** Runs the action of this repository in a checkout of `main`, with these inputs. */
export async function action(
  at: RecipeProject,
  env: Environment,
  inputs: Members,
): Promise<Stepped & { readonly workspace: string; readonly summary: string }> {
  const folder = at.folder('action');
  const workspace = at.checkout('main');
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const githubEvent = { name: 'push', ref: 'main', sha: '' } as const;
  const run = { recipeProject: at, githubEvent, settings: { secrets: {} }, artifacts: folder, folder, workspace, names: {} };
  const ended = await runComposite({ ...run, env: { ...at.env, ...env, GITHUB_STEP_SUMMARY: summary } }, {}, inputs, {});
  return { ...ended, workspace, summary: readFileSync(summary, 'utf8') };
}

/** Runs steps in order until one fails; after that only those with `always()`. The outputs of the job are those that a job names. */
async function runSteps(run: Run, steps: readonly Members[], jobOutputs: Members): Promise<Job> {
  const outputs: { [step: string]: { readonly outputs: Members } } = {};
  const begun: string[] = [];
  let [log, code] = ['', 0];
  for (const step of steps) {
    const names = { ...run.names, steps: outputs };
    const condition = expressionOf(step.if);
    if ((code !== 0 && (step.if === undefined || !runsAfterFailure(condition))) || evaluate(condition, names) !== true) continue;
    const ended = step.uses === undefined ? await runScript(run, step, names) : await use(run, step, names);
    if (step.uses === undefined) begun.push(String(step.name ?? step.run));
    if (typeof step.id === 'string') outputs[step.id] = { outputs: ended.outputs };
    log += ended.stdout + ended.stderr;
    if (code === 0) code = ended.code;
  }
  const summary = readFileSync(String(run.env.GITHUB_STEP_SUMMARY), 'utf8');
  const named = Object.entries(jobOutputs).map(([name, value]) => [name, code === 0 ? substitute(value, { steps: outputs }) : '']);
  return { result: code === 0 ? 'success' : 'failure', steps: begun, code, log, summary, outputs: Object.fromEntries(named) };
}

type Stepped = ScriptResult & { readonly outputs: Members };

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
      cpSync(recipeProject.checkout(githubEvent.ref), workspace, { recursive: true });
      return DONE;
    case 'actions/setup-node':
      return DONE;
    case 'actions/upload-artifact':
      mkdirSync(join(artifacts, String(stepInputs.name)), { recursive: true });
      cpSync(join(workspace, String(stepInputs.path)), join(artifacts, String(stepInputs.name), String(stepInputs.path)));
      return DONE;
    case 'actions/download-artifact':
      cpSync(join(artifacts, String(stepInputs.name)), workspace, { recursive: true });
      return DONE;
    case './.github/actions/upkeep':
      return runComposite(run, step, stepInputs, names);
    default:
      throw new Error(`nobody knows what ${step.uses} does`);
  }
}

async function runComposite(run: Run, step: Members, stepInputs: Members, names: ExpressionValues): Promise<Stepped> {
  const { inputs, outputs, runs } = membersOf(parse(readFileSync(join(top, '.github/actions/upkeep/action.yml'), 'utf8')));
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
