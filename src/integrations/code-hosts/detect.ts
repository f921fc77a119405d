/** Detects the repository, pull request and page of a run from flags and the CI environment, and opens the repository. */
import { readFileSync, statSync } from 'node:fs';
import { asInteger } from '../../core/model/json-readers.ts';
import { withoutTrailing } from '../../core/model/trim.ts';
import { asHash, member } from './api.ts';
import { type CodeHost, type CodeHostName, type Environment, HOSTS, type RepositoryAccess, type RequestContext } from './code-host.ts';
import { CodeHostError } from './errors.ts';
import { openGithub } from './github.ts';
import { openGitlab } from './gitlab.ts';

/** Flags that take precedence over the environment. */
export interface DetectOptions {
  readonly host?: CodeHostName | undefined;
  readonly repository?: string | undefined;
}

/** The environment of a run, and a function that redacts a secret in all its output from now on. */
export interface DetectContext {
  readonly env: Environment;
  addSecret(secret: string): void;
}

/** Returns the code host of a run. @throws CodeHostError if it is unknown */
export function detectHost(env: Environment, { host }: DetectOptions): CodeHostName {
  if (host !== undefined) return host;
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  if (env.GITLAB_CI === 'true') return 'gitlab';
  throw usageError('host', 'the code host is unknown', `name it with --host ${HOSTS.join('|')}`);
}

/** Returns the repository of a run; its token is redacted from now on. @throws CodeHostError */
export function detectRepository(context: DetectContext, options: DetectOptions): RepositoryAccess {
  const { env } = context;
  const host = detectHost(env, options);
  redactToken(context, host);
  const token = tokenOf(env, host);
  if (host === 'gitlab') {
    const repository = options.repository ?? env.CI_PROJECT_ID ?? env.CI_PROJECT_PATH;
    const api = apiAddress('CI_API_V4_URL', env.CI_API_V4_URL || 'https://gitlab.com/api/v4');
    return { host, api, graphql: null, repository: checkRepository(repository, /^(\d+|[\w.-]+(\/[\w.-]+)+)$/, 'CI_PROJECT_ID'), token };
  }
  const api = apiAddress('GITHUB_API_URL', env.GITHUB_API_URL || 'https://api.github.com');
  const graphql = apiAddress('GITHUB_GRAPHQL_URL', env.GITHUB_GRAPHQL_URL || `${api.replace(/\/api\/v3$/, '/api')}/graphql`);
  return {
    host,
    api,
    graphql: new URL(graphql).origin === new URL(api).origin ? graphql : null,
    repository: checkRepository(options.repository ?? env.GITHUB_REPOSITORY, /^[\w.-]+\/[\w.-]+$/, 'GITHUB_REPOSITORY'),
    token,
  };
}

/** Opens a repository, runs `work` and closes the repository. @throws CodeHostError */
export async function withCodeHost<Result>(
  context: RequestContext,
  access: RepositoryAccess,
  work: (host: CodeHost) => Promise<Result>,
): Promise<Result> {
  const host = access.host === 'github' ? openGithub(context, access) : openGitlab(context, access);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

/** Returns the address of the CI run's page; null if unknown. */
export function runPage(env: Environment, host: CodeHostName): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const page =
    host === 'gitlab' ? env.CI_PIPELINE_URL : server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
  return page !== undefined && /^https?:\/\/[\w.:/~-]+$/.test(page) && URL.canParse(page) ? page : null;
}

const TOKENS: { readonly [host in CodeHostName]: { readonly name: string; readonly hint: string } } = {
  github: { name: 'GITHUB_TOKEN', hint: 'in a workflow, to github.token, under `env` of the step' },
  gitlab: {
    name: 'GITLAB_TOKEN',
    hint: 'a project access token with the scope api, in a masked variable: the CI_JOB_TOKEN of a job may not write comments or issues',
  },
};

/** Redacts the token of a code host from now on, whether or not it will be used. */
export function redactToken({ env, addSecret }: DetectContext, host: CodeHostName): void {
  addSecret(env[TOKENS[host].name]?.trim() ?? '');
}

function tokenOf(env: Environment, host: CodeHostName): string {
  const { name, hint } = TOKENS[host];
  const token = env[name]?.trim() ?? '';
  if (token === '') throw usageError('host-token', `the environment variable ${name} is not set`, `set it: ${hint}`);
  if (!/^[!-~]{1,4096}$/.test(token)) throw usageError('host-token', `the environment variable ${name} holds no token`, hint);
  return token;
}

/** Returns an address that a token may be sent to, without trailing slashes: with TLS, or on this machine. @throws CodeHostError */
function apiAddress(variable: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url !== null && isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) return withoutTrailing(text, '/');
  throw usageError('host-address', `${variable} is not the https address of an API`, 'the token is sent to such an address only');
}

/** Returns the name of a repository, which becomes part of a path: no segment may be `.` or `..`. @throws CodeHostError */
function checkRepository(text: string | undefined, form: RegExp, variable: string): string {
  if (text !== undefined && form.test(text) && !text.split('/').some((segment) => /^\.+$/.test(segment))) return text;
  const summary = text === undefined || text === '' ? 'the repository is unknown' : 'the repository is not named as the host names it';
  throw usageError('repository', summary, `name it with --repository owner/name, or set ${variable}`);
}

/** A pull request; on GitLab a merge request. */
export interface PullRequest {
  readonly number: number;
  /** The head commit that this run has planned; null if unknown. */
  readonly commit: string | null;
  /** Whether it comes from a fork: then the token of a CI job may only read. */
  readonly fromFork: boolean;
}

/** Maximum size of a workflow event, bytes. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/** Returns the pull request of a run; `number` takes precedence over the environment. @throws CodeHostError if it is unknown */
export function detectPullRequest(env: Environment, host: CodeHostName, number: number | undefined): PullRequest {
  const detected = host === 'github' ? onGithub(env) : onGitlab(env);
  if (number !== undefined) return detected.number === number ? { ...detected, number } : { number, commit: null, fromFork: false };
  if (detected.number !== undefined) return { ...detected, number: detected.number };
  throw usageError('no-pull-request', 'the pull request is unknown', 'name it with --number, or run in a job for pull requests');
}

type DetectedPullRequest = Omit<PullRequest, 'number'> & { readonly number: number | undefined };

/** Reads the event of the workflow ("Webhook events and payloads", pull_request); the number is in the ref, too. */
function onGithub(env: Environment): DetectedPullRequest {
  const pull = member(eventOf(env.GITHUB_EVENT_PATH), 'pull_request');
  const head = member(pull, 'head');
  const [baseId, headId] = ['base', 'head'].map((side) => asInteger(member(member(member(pull, side), 'repo'), 'id')));
  const numberInRef = asInteger(/^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1]);
  return {
    number: asInteger(member(pull, 'number')) ?? numberInRef,
    commit: asHash(member(head, 'sha')) ?? null,
    fromFork: pull !== undefined && baseId !== headId,
  };
}

/** Reads the predefined variables. In a pipeline for merged results, CI_COMMIT_SHA is not a commit of the merge request. */
function onGitlab(env: Environment): DetectedPullRequest {
  const [targetId, sourceId] = [env.CI_MERGE_REQUEST_PROJECT_ID, env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID];
  const commit = asHash(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA) ?? null;
  return { number: asInteger(env.CI_MERGE_REQUEST_IID), commit, fromFork: targetId !== sourceId };
}

/** Reads the event file of a workflow; undefined if it cannot be read: the ref tells the number, too. */
function eventOf(path: string | undefined): unknown {
  try {
    return path && statSync(path).size <= MAX_EVENT_BYTES ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'syscall' in error)) return undefined;
    throw error;
  }
}

function usageError(code: string, summary: string, hint: string): CodeHostError {
  return new CodeHostError('usage', code, summary, hint);
}
