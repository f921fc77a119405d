/** Detects the repository and code host of a run from flags and the CI environment. */
import { CliError, EXIT_CODES } from '../app/exit-codes.ts';
import type { CliContext } from '../app/runtime.ts';
import { type CodeHostName, HOSTS } from './code-host.ts';

/** Flags that say it instead of the environment. */
export interface DetectOptions {
  readonly host?: CodeHostName | undefined;
  readonly repository?: string | undefined;
}

/** A repository, the way to it, and who asks. Addresses are without a trailing slash. */
export interface DetectedHost {
  readonly host: CodeHostName;
  readonly api: string;
  /** Where GraphQL is answered, on the same origin as the API; null where nobody says. */
  readonly graphql: string | null;
  /** `owner/name`; on GitLab its path or its number. */
  readonly repository: string;
  readonly token: string;
}

/** Returns the code host of a run. @throws CliError if it is unknown */
export function hostOf({ env }: Pick<CliContext, 'env'>, { host }: DetectOptions): CodeHostName {
  if (host !== undefined) return host;
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  if (env.GITLAB_CI === 'true') return 'gitlab';
  throw usage('host', 'the code host is unknown', `name it with --host ${HOSTS.join('|')}`);
}

/** The repository of a run; its token is hidden from now on in all that is said. @throws CliError */
export function detect(io: Pick<CliContext, 'env' | 'secrets'>, options: DetectOptions): DetectedHost {
  const host = hostOf(io, options);
  hideToken(io, host);
  const { env } = io;
  const token = tokenOf(io, host);
  if (host === 'gitlab') {
    const repository = options.repository ?? env.CI_PROJECT_ID ?? env.CI_PROJECT_PATH;
    const api = addressOf('CI_API_V4_URL', env.CI_API_V4_URL || 'https://gitlab.com/api/v4');
    return { host, api, graphql: null, repository: named(repository, /^(\d+|[\w.-]+(\/[\w.-]+)+)$/, 'CI_PROJECT_ID'), token };
  }
  const api = addressOf('GITHUB_API_URL', env.GITHUB_API_URL || 'https://api.github.com');
  const graphql = addressOf('GITHUB_GRAPHQL_URL', env.GITHUB_GRAPHQL_URL || `${api.replace(/\/api\/v3$/, '/api')}/graphql`);
  return {
    host,
    api,
    graphql: new URL(graphql).origin === new URL(api).origin ? graphql : null,
    repository: named(options.repository ?? env.GITHUB_REPOSITORY, /^[\w.-]+\/[\w.-]+$/, 'GITHUB_REPOSITORY'),
    token,
  };
}

/** Returns the URL of the CI run's page; null if unknown. */
export function runPage({ env }: Pick<CliContext, 'env'>, host: CodeHostName): string | null {
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

/** Hides the token from now on, whether it is going to be used or not. */
export function hideToken({ env, secrets }: Pick<CliContext, 'env' | 'secrets'>, host: CodeHostName): void {
  secrets.add(env[TOKENS[host].name]?.trim() ?? '');
}

function tokenOf({ env }: Pick<CliContext, 'env'>, host: CodeHostName): string {
  const { name, hint } = TOKENS[host];
  const token = env[name]?.trim() ?? '';
  if (token === '') throw usage('host-token', `the environment variable ${name} is not set`, `set it: ${hint}`);
  if (!/^[!-~]{1,4096}$/.test(token)) throw usage('host-token', `the environment variable ${name} holds no token`, hint);
  return token;
}

/** An address that a token may be sent to: with TLS, or on this machine. */
function addressOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHere = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url !== null && isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isHere))) return text.replace(/\/+$/, '');
  throw usage('host-address', `${name} is not the https address of an API`, 'a token goes nowhere else');
}

/** No step of a path leads anywhere but down. */
function named(text: string | undefined, form: RegExp, variable: string): string {
  if (text !== undefined && form.test(text) && !text.split('/').some((step) => /^\.+$/.test(step))) return text;
  const what = text === undefined || text === '' ? 'the repository is unknown' : 'the repository is not named as the host names it';
  throw usage('repository', what, `name it with --repository owner/name, or set ${variable}`);
}

function usage(code: string, summary: string, hint: string): CliError {
  return new CliError(EXIT_CODES.invalid, code, summary, hint);
}
