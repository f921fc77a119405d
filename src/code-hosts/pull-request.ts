/** Detects the pull request of a run from the CI environment. */
import { readFileSync, statSync } from 'node:fs';
import { CliError, EXIT_CODES, isSystemError } from '../app/exit-codes.ts';
import type { CliContext } from '../app/runtime.ts';
import { asInteger } from '../model/json-readers.ts';
import type { CodeHostName } from './code-host.ts';
import { asHash, member } from './response-fields.ts';

/** A pull request, on GitLab a merge request. */
export interface PullRequest {
  readonly number: number;
  /** The commit of it that this run has planned; null where nobody says. */
  readonly commit: string | null;
  /** Whether it comes from another repository: then CI gives tokens that may only read. */
  readonly foreign: boolean;
}

/** Largest event that is read, bytes. */
const LARGEST = 32 * 1024 * 1024;

/** Returns the pull request of a run; `number` overrides the environment. @throws CliError if it is unknown */
export function pullRequestOf({ env }: Pick<CliContext, 'env'>, host: CodeHostName, number: number | undefined): PullRequest {
  const found = host === 'github' ? onGithub(env) : onGitlab(env);
  if (number !== undefined) return found.number === number ? { ...found, number } : { number, commit: null, foreign: false };
  if (found.number !== undefined) return { ...found, number: found.number };
  throw new CliError(
    EXIT_CODES.invalid,
    'no-pull-request',
    'the pull request is unknown',
    'name it with --number, or run in a job for pull requests',
  );
}

type Found = Omit<PullRequest, 'number'> & { readonly number: number | undefined };

/** By the event of the workflow ("Webhook events and payloads", pull_request), else by the ref. */
function onGithub(env: CliContext['env']): Found {
  const event = eventOf(env.GITHUB_EVENT_PATH);
  const pull = member(event, 'pull_request');
  const head = member(pull, 'head');
  const [own, other] = ['base', 'head'].map((side) => asInteger(member(member(member(pull, side), 'repo'), 'id')));
  const byRef = asInteger(/^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1]);
  return {
    number: asInteger(member(pull, 'number')) ?? byRef,
    commit: asHash(member(head, 'sha')) ?? null,
    foreign: pull !== undefined && own !== other,
  };
}

/** By the predefined variables; in a pipeline for merged results, CI_COMMIT_SHA is not a commit of the merge request. */
function onGitlab(env: CliContext['env']): Found {
  const [own, other] = [env.CI_MERGE_REQUEST_PROJECT_ID, env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID];
  const commit = asHash(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA) ?? null;
  return { number: asInteger(env.CI_MERGE_REQUEST_IID), commit, foreign: own !== other };
}

/** What the runner has written down of the event; undefined where there is nothing that can be read: the ref says the number too. */
function eventOf(path: string | undefined): unknown {
  try {
    return path && statSync(path).size <= LARGEST ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
