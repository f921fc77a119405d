/** Finds the pages of the repository in the environment of a CI job, for the links of reports. */
import type { CodeHostPages } from '../../report/index.ts';

type Environment = { readonly [name: string]: string | undefined };

/** Returns the pages of the repository; undefined outside CI, and if the address is no https address of plain characters. */
export function codeHostPages(env: Environment): CodeHostPages | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_REF: ref, CI_PROJECT_URL, CI_MERGE_REQUEST_IID } = env;
  if (env.GITLAB_CI === 'true') return pagesOf('gitlab', CI_PROJECT_URL, /^(\d{1,15})$/.exec(CI_MERGE_REQUEST_IID ?? '')?.[1]);
  return server && repository ? pagesOf('github', `${server}/${repository}`, /^refs\/pull\/(\d{1,15})\//.exec(ref ?? '')?.[1]) : undefined;
}

function pagesOf(host: CodeHostPages['host'], repository: string | undefined, number: string | undefined): CodeHostPages | undefined {
  if (repository === undefined || !/^https:\/\/[\w.:/~-]+$/.test(repository) || !URL.canParse(repository)) return undefined;
  return { host, repository, ...(number === undefined ? {} : { pullRequest: Number(number) }) };
}
