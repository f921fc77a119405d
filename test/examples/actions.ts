/** Runs the jobs of a GitHub workflow: its `run` steps as they stand there, its `uses` steps by what is known of them here, one by one. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isObject } from '../../src/model/json.ts';
import { GITHUB_TOKEN } from '../code-hosts/github-double.ts';
import { filled, meaning, type Names } from './expressions.ts';
import { type Ended, type Environment, runProgram, type World } from './recipe-project.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

type Members = { readonly [member: string]: unknown };

/** What has happened in the repository. */
export interface Happening {
  readonly name: 'pull_request' | 'push' | 'schedule';
  readonly ref: string;
  readonly sha: string;
  /** What GitHub tells besides, as in the file of the event. */
  readonly event?: Members;
}

/** What the repository's settings hold. */
export interface Settings {
  readonly secrets: { readonly [environment: string]: Environment };
  /** What the runner tells in the environment, for example where the API is. */
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
}

/** A run of a workflow, whose artifacts stay while jobs are run again. */
export interface Workflow {
  /** Runs all jobs that the happening calls for, or of these only the named ones again. */
  run(...only: readonly string[]): Promise<{ readonly [job: string]: Job }>;
}

/** Prepares the run of a workflow file. */
export function workflow(place: World, file: string, happening: Happening, settings: Settings): Workflow {
  const { jobs } = membersOf(parse(readFileSync(join(top, file), 'utf8')));
  const artifacts = place.folder('artifacts');
  const { name, ref, sha, event = {} } = happening;
  const github = { event_name: name, ref, event, repository: 'acme/streaming', token: GITHUB_TOKEN };
  const results: { [job: string]: Job } = {};
  return {
    async run(...only) {
      for (const [id, job] of Object.entries(membersOf(jobs)).map(([key, value]) => [key, membersOf(value)] as const)) {
        if (only.length > 0 && !only.includes(id)) continue;
        const needs = [job.needs ?? []].flat().map(String);
        const isDue =
          needs.every((each) => results[each]?.result === 'success') && meaning(String(job.if ?? 'always()'), { github }) === true;
        results[id] = isDue ? await runJob(place, job, { happening, settings, artifacts, names: { github } }) : SKIPPED;
      }
      return results;
    },
  };

  function runJob(at: World, job: Members, run: Pick<Run, 'happening' | 'settings' | 'artifacts' | 'names'>): Promise<Job> {
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
    };
    const secrets = settings.secrets[String(job.environment ?? '')] ?? {};
    return runSteps({ ...run, world: at, folder, workspace, env, names: { ...run.names, secrets } }, membersList(job.steps));
  }
}

const SKIPPED: Job = { result: 'skipped', steps: [], code: 0, log: '', summary: '' };

interface Run {
  readonly world: World;
  readonly happening: Happening;
  readonly settings: Settings;
  readonly artifacts: string;
  readonly folder: string;
  readonly workspace: string;
  readonly env: Environment;
  readonly names: Names;
}

/** Runs the action of this repository in a checkout of `main`, with these inputs. */
export async function action(
  at: World,
  env: Environment,
  inputs: Members,
): Promise<Stepped & { readonly workspace: string; readonly summary: string }> {
  const folder = at.folder('action');
  const workspace = at.checkout('main');
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const happening = { name: 'push', ref: 'main', sha: '' } as const;
  const run = { world: at, happening, settings: { secrets: {} }, artifacts: folder, folder, workspace, names: {} };
  const ended = await runComposite({ ...run, env: { ...at.env, ...env, GITHUB_STEP_SUMMARY: summary } }, {}, inputs, {});
  return { ...ended, workspace, summary: readFileSync(summary, 'utf8') };
}

/** Runs steps in order until one fails; after that only those that say `always()`. */
async function runSteps(run: Run, steps: readonly Members[]): Promise<Job> {
  const outputs: { [step: string]: { readonly outputs: Members } } = {};
  const begun: string[] = [];
  let [log, code] = ['', 0];
  for (const step of steps) {
    const names = { ...run.names, steps: outputs };
    const condition = String(step.if ?? 'always()');
    if ((code !== 0 && !String(step.if ?? '').includes('always()')) || meaning(condition, names) !== true) continue;
    const ended = step.uses === undefined ? await runScript(run, step, names) : await use(run, step, names);
    if (step.uses === undefined) begun.push(String(step.name ?? step.run));
    if (typeof step.id === 'string') outputs[step.id] = { outputs: ended.outputs };
    log += ended.stdout + ended.stderr;
    if (code === 0) code = ended.code;
  }
  const summary = readFileSync(String(run.env.GITHUB_STEP_SUMMARY), 'utf8');
  return { result: code === 0 ? 'success' : 'failure', steps: begun, code, log, summary };
}

type Stepped = Ended & { readonly outputs: Members };

/** A script in bash, started as GitHub's documents say ("defaults.run.shell"). */
async function runScript({ world, folder, workspace, env }: Run, step: Members, names: Names): Promise<Stepped> {
  const [script, output] = [join(folder, 'script.sh'), join(folder, 'output')];
  writeFileSync(script, filled(step.run, names));
  writeFileSync(output, '');
  const own = Object.fromEntries(Object.entries(membersOf(step.env ?? {})).map(([name, value]) => [name, filled(value, names)]));
  const flags = step.shell === 'bash' ? ['--noprofile', '--norc', '-e', '-o', 'pipefail'] : ['-e'];
  const ended = await runProgram(workspace, { ...world.env, ...env, GITHUB_OUTPUT: output, ...own }, 'bash', ...flags, script);
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
async function use(run: Run, step: Members, names: Names): Promise<Stepped> {
  const { world, workspace, artifacts, happening } = run;
  const given = membersOf(step.with ?? {});
  switch (String(step.uses).split('@')[0]) {
    case 'actions/checkout':
      cpSync(world.checkout(happening.ref), workspace, { recursive: true });
      return DONE;
    case 'actions/setup-node':
      return DONE;
    case 'actions/upload-artifact':
      mkdirSync(join(artifacts, String(given.name)), { recursive: true });
      cpSync(join(workspace, String(given.path)), join(artifacts, String(given.name), String(given.path)));
      return DONE;
    case 'actions/download-artifact':
      cpSync(join(artifacts, String(given.name)), workspace, { recursive: true });
      return DONE;
    case './.github/actions/upkeep':
      return runComposite(run, step, given, names);
    default:
      throw new Error(`nobody knows what ${step.uses} does`);
  }
}

async function runComposite(run: Run, step: Members, given: Members, names: Names): Promise<Stepped> {
  const { inputs, outputs, runs } = membersOf(parse(readFileSync(join(top, '.github/actions/upkeep/action.yml'), 'utf8')));
  const own = membersOf(step.env ?? {});
  const env = { ...run.env, ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, filled(value, names)])) };
  const taken = Object.entries(membersOf(inputs)).map(([name, input]) => [name, filled(given[name] ?? membersOf(input).default, names)]);
  const steps: { [id: string]: { readonly outputs: Members } } = {};
  let last: Stepped = DONE;
  for (const each of membersList(membersOf(runs).steps)) {
    const inner = { inputs: Object.fromEntries(taken), steps };
    if (last.code !== 0 || meaning(String(each.if ?? 'always()'), inner) !== true) continue;
    last = await runScript({ ...run, env }, each, inner);
    if (typeof each.id === 'string') steps[each.id] = { outputs: last.outputs };
  }
  // A step that has told nothing has empty outputs.
  const untold = Object.fromEntries(Object.keys(membersOf(outputs)).map((name) => [name, '']));
  steps.run = { outputs: { ...untold, ...steps.run?.outputs } };
  const told = Object.entries(membersOf(outputs)).map(([name, output]) => [name, filled(membersOf(output).value, { steps })]);
  return { ...last, outputs: Object.fromEntries(told) };
}

function membersOf(value: unknown): Members {
  if (!isObject(value)) throw new Error(`a mapping was expected, not ${JSON.stringify(value)}`);
  return value;
}

function membersList(value: unknown): readonly Members[] {
  return [value].flat().map(membersOf);
}
