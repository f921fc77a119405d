/** Finds the pages of the repository in the environment of a CI job, for the links of reports. */
import { pullRequestOf } from '../../core/ledger/actor.ts';
import type { CodeHostPages } from '../../report/index.ts';

type Environment = { readonly [name: string]: string | undefined };

/** Returns the pages of the repository; undefined outside CI, and if the address is no https address of plain characters. */
export function codeHostPages(env: Environment): CodeHostPages | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL } = env;
  if (env.GITLAB_CI === 'true') return pagesOf('gitlab', CI_PROJECT_URL, pullRequestOf(env));
  return server && repository ? pagesOf('github', `${server}/${repository}`, pullRequestOf(env)) : undefined;
}

function pagesOf(host: CodeHostPages['host'], repository: string | undefined, number: string): CodeHostPages | undefined {
  if (repository === undefined || !/^https:\/\/[\w.:/~-]+$/.test(repository) || !URL.canParse(repository)) return undefined;
  return { host, repository, ...(number === '' ? {} : { pullRequest: Number(number) }) };
}
