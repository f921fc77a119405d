/** Determines who runs upkeep, and where, for the ledger and the lock. */
import { hostname, userInfo } from 'node:os';
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
