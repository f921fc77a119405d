/** Determines who runs upkeep, and where, for the ledger, the lock and guards: what the environment says, which proves nothing. */
import { hostname, userInfo } from 'node:os';
import { visible } from '../model/visible-text.ts';
import { singleLine } from './errors.ts';
import type { GitEnvironment } from './git-process.ts';

/** Who acts, and on which machine or in which CI job. */
export interface Actor {
  readonly by: string;
  readonly where: string;
}

/** Reads the actor from the environment: UPKEEP_ACTOR, else user and job of GitHub or GitLab, else user and host of this machine. */
export function actorOf(env: GitEnvironment): Actor {
  const { UPKEEP_ACTOR, GITHUB_ACTOR, GITLAB_USER_LOGIN, CI_JOB_URL } = env;
  const by = [UPKEEP_ACTOR, GITHUB_ACTOR, GITLAB_USER_LOGIN].map(text).find((name) => name !== '');
  const where = [githubJob(env), CI_JOB_URL].map(text).find((job) => job !== '');
  return { by: by ?? `${userName(env)}@${hostname()}`, where: where ?? hostname() };
}

/** A CI job. Texts are empty where nothing is known. */
export interface CiJob {
  readonly ci: 'github' | 'gitlab' | 'other' | '';
  /** The branch that it builds; none in a job for a pull request, where the branch of a fork may have any name. */
  readonly branch: string;
  /** The number of the pull request that it builds. */
  readonly pullRequest: string;
}

/** Reads the CI job from the environment. */
export function ciJobOf(env: GitEnvironment): CiJob {
  // Made visible first, since two names that differ in hidden characters must not become equal.
  const jobOn = (ci: CiJob['ci'], branch = ''): CiJob => ({ ci, branch: text(visible(branch)), pullRequest: pullRequestOf(env) });
  if (env.GITLAB_CI === 'true') return jobOn('gitlab', env.CI_COMMIT_BRANCH);
  if (env.GITHUB_ACTIONS === 'true') return jobOn('github', githubBranch(env));
  return jobOn(['', 'false', '0'].includes(text(env.CI)) ? '' : 'other');
}

/** Returns the number of the pull request, or merge request, that a CI job builds; empty where none is known. */
export function pullRequestOf({ GITLAB_CI, CI_MERGE_REQUEST_IID, GITHUB_REF }: GitEnvironment): string {
  const number =
    GITLAB_CI === 'true' ? /^\d{1,15}$/.exec(CI_MERGE_REQUEST_IID ?? '')?.[0] : /^refs\/pull\/(\d{1,15})\//.exec(GITHUB_REF ?? '')?.[1];
  return number ?? '';
}

/** Returns the branch that a workflow builds: none for a pull request, also where the workflow runs on its base (pull_request_target). */
function githubBranch({ GITHUB_REF, GITHUB_HEAD_REF }: GitEnvironment): string | undefined {
  return GITHUB_HEAD_REF ? undefined : /^refs\/heads\/(.+)$/s.exec(GITHUB_REF ?? '')?.[1];
}

function githubJob({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: GitEnvironment): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

function text(value: string | undefined): string {
  return singleLine(value ?? '');
}

/** Returns the user of this machine; containers often run as a user without a name. */
function userName(env: GitEnvironment): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return text(env.USER) || 'unknown';
    throw error;
  }
}
