/**
 * GitHub for tests. A request or a response that the published descriptions of its REST API and of its GraphQL API do not allow fails the
 * test; what they cannot say comes from the pages "Using pagination in the REST API" and "Rate limits for the REST API".
 */
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { type CannedResponse, type CodeHostDouble, pageOf, type ReceivedRequest, type Route, startServer } from './double.ts';
import { describeResponse, requestViolations } from './github-description.ts';
import { executeGraphql, type Fields, notFound } from './github-graphql.ts';
import { annotationsOf, bodyError, FORBIDDEN, issueError, membersOf, NOT_FOUND, outputError } from './github-rules.ts';
import { ACTIONS, checkJson, commentJson, emptyStore, issueJson, type Store, type User } from './github-store.ts';

export const GITHUB_TOKEN = 'ghs_CanaryToken4HostsTests0123456789abcdEF';
export const HEAD = 'feedfacefeedfacefeedfacefeedfacefeedface';

/** The user of the token, and the limits of the API. */
export interface GithubOptions {
  readonly tokenUser?: User;
  /** Whether there is a GraphQL API. */
  readonly graphql?: boolean;
  /** Whether the token may only read, as for pull requests from forks. */
  readonly readOnly?: boolean;
  /** Whether the token may set labels. GitHub drops those of a user without push access silently ("Create an issue"). */
  readonly mayLabel?: boolean;
}

/** A running GitHub and its data. */
export interface GithubDouble extends CodeHostDouble, Store {
  /** The head commit of pull request 7. */
  head: string;
  /** The environment of a workflow job for pull request 7. */
  readonly env: { readonly [name: string]: string };
  /** What GitHub's descriptions do not allow of the requests and responses; what is left here after a test fails it. */
  readonly violations: string[];
}

/** Starts a GitHub with the repository `acme/streaming` and its pull request 7. */
export async function startGithub({
  tokenUser = ACTIONS,
  graphql = true,
  readOnly = false,
  mayLabel = true,
}: GithubOptions = {}): Promise<GithubDouble> {
  const store = emptyStore();
  const violations: string[] = [];
  cleanUpAfterTest(() => {
    if (violations.length > 0) throw new Error(`GitHub does not allow this:\n${violations.join('\n')}`);
  });
  const routes = [
    ...repositoryRoutes(store, { tokenUser, mayLabel }, { url: () => base.url, head: () => double.head }),
    ...checkRoutes(store, tokenUser),
    route('GET', '/user', () => (tokenUser.type === 'Bot' ? FORBIDDEN : { status: 200, body: tokenUser })),
    route('POST', GRAPHQL, ({ body }) => {
      if (!graphql) return NOT_FOUND;
      const result = executeGraphql(body, graphqlFields(store, tokenUser));
      violations.push(...result.violations);
      return { status: 200, body: result.body };
    }),
  ];
  const admit = ({ authorization, method, path }: ReceivedRequest) => {
    if (authorization !== `Bearer ${GITHUB_TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } };
    return readOnly && method !== 'GET' && path !== GRAPHQL ? FORBIDDEN : null;
  };
  const inspect = (request: ReceivedRequest, response: CannedResponse) => {
    if (request.path === GRAPHQL) return response;
    violations.push(...requestViolations(request));
    if (response.malformed) return response;
    const [described, wrong] = describeResponse(request, response);
    violations.push(...wrong);
    return described;
  };
  const base = await startServer(routes, admit, inspect);
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: base.url,
    GITHUB_GRAPHQL_URL: base.url + GRAPHQL,
    GITHUB_REPOSITORY: 'acme/streaming',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_RUN_ID: '4711',
    GITHUB_TOKEN,
  };
  const double: GithubDouble = { ...base, ...store, head: HEAD, env, violations };
  return double;
}

function route(method: string, path: string, respond: Route[2]): Route {
  return [method, new RegExp(`^${path}$`), respond];
}

const GRAPHQL = '/graphql';
const REPO = '/repos/acme/streaming';

function repositoryRoutes(
  store: Store,
  { tokenUser, mayLabel }: { readonly tokenUser: User; readonly mayLabel: boolean },
  now: { url(): string; head(): string },
): readonly Route[] {
  const { comments, issues } = store;
  const exists = (number: number) => number === 7 || issues.some((each) => each.number === number);
  return [
    route('GET', `${REPO}/pulls/(\\d+)`, (_request, number) =>
      number === '7' ? { status: 200, body: { number: 7, head: { sha: now.head() } } } : NOT_FOUND,
    ),
    route('GET', `${REPO}/issues/(\\d+)/comments`, (request, number) => {
      const own = comments.filter(({ on }) => on === Number(number));
      return exists(Number(number)) ? pageOf(own.map(commentJson), request, now.url()) : NOT_FOUND;
    }),
    route('POST', `${REPO}/issues/(\\d+)/comments`, ({ body }, number) => {
      if (!exists(Number(number))) return NOT_FOUND;
      return bodyError(body) ?? { status: 201, body: commentJson(store.addComment(tokenUser, String(body.body), Number(number))) };
    }),
    route('PATCH', `${REPO}/issues/comments/(\\d+)`, ({ body }, id) => {
      const found = comments.find((each) => each.id === Number(id));
      if (!found) return NOT_FOUND;
      return bodyError(body) ?? { status: 200, body: commentJson(Object.assign(found, { body: body.body })) };
    }),
    route('GET', `${REPO}/issues`, (request) => pageOf(matchingIssues(store, request).map(issueJson), request, now.url())),
    route('POST', `${REPO}/issues`, ({ body }) => {
      const labels = mayLabel && Array.isArray(body.labels) ? body.labels.map(String) : [];
      const issue = { title: String(body.title), body: String(body.body ?? ''), labels };
      return issueError(body, true) ?? { status: 201, body: issueJson(store.addIssue(tokenUser, issue)) };
    }),
    route('PATCH', `${REPO}/issues/(\\d+)`, ({ body }, number) => {
      const found = issues.find((each) => each.number === Number(number));
      if (!found) return NOT_FOUND;
      return issueError(body, false) ?? { status: 200, body: issueJson(Object.assign(found, body)) };
    }),
  ];
}

function matchingIssues({ issues }: Store, { query }: ReceivedRequest) {
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const state = query.get('state') ?? 'open';
  const found = issues.filter((each) => (state === 'all' || each.state === state) && labels.every((label) => each.labels.includes(label)));
  return query.get('direction') === 'asc' ? found : found.toReversed();
}

/** Only apps may write checks. */
function checkRoutes({ checks, addCheck }: Store, tokenUser: User): readonly Route[] {
  const refused: CannedResponse | null =
    tokenUser.type === 'Bot' ? null : { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
  return [
    route('POST', `${REPO}/check-runs`, ({ body }) => {
      const error = refused ?? outputError(body);
      if (error) return error;
      const [name, head_sha, conclusion] = [String(body.name), String(body.head_sha), String(body.conclusion)];
      const check = { name, head_sha, conclusion, output: membersOf(body.output), annotations: [...annotationsOf(body)] };
      return { status: 201, body: checkJson(addCheck(check)) };
    }),
    route('PATCH', `${REPO}/check-runs/(\\d+)`, ({ body }, id) => {
      const found = checks.find((each) => each.id === Number(id));
      if (!found) return NOT_FOUND;
      const error = refused ?? outputError(body);
      if (error) return error;
      found.annotations.push(...annotationsOf(body));
      return { status: 200, body: checkJson(found) };
    }),
  ];
}

/** Returns the fields that requests may select. */
function graphqlFields({ comments }: Store, tokenUser: User): Fields {
  const minimize = (minimized: boolean) => (args: { readonly input?: unknown }) => {
    const { subjectId } = membersOf(args.input);
    const found = comments.find((each) => each.node_id === subjectId);
    if (!found) throw notFound(subjectId);
    found.minimized = minimized;
    return {};
  };
  return { viewer: { login: tokenUser.login }, minimizeComment: minimize(true), unminimizeComment: minimize(false) };
}
