/**
 * GitHub for tests, written from its OpenAPI description (github/rest-api-description, api.github.com; the operations users/get-authenticated,
 * pulls/get, issues/list-comments, create-comment, update-comment, list-for-repo, create, update, checks/create and checks/update) and from
 * the pages "Using pagination in the REST API", "Rate limits for the REST API" and, of GraphQL, the reference of `viewer` and `minimizeComment`.
 */
import { type Asked, type Double, page, type Reply, type Route, startDouble } from './double.ts';
import { annotationsOf, MISSING, membersOf, NOT_ALLOWED, refusedBody, refusedIssue, refusedOutput } from './github-rules.ts';
import { ACTIONS, emptyStore, type Store, shownCheck, shownComment, shownIssue, type User } from './github-store.ts';

export const GITHUB_TOKEN = 'ghs_CanaryToken4HostsTests0123456789abcdEF';
export const HEAD = 'feedfacefeedfacefeedfacefeedfacefeedface';

/** How this double differs from a repository in whose workflow all is allowed. */
export interface GithubOptions {
  readonly as?: User;
  /** Whether it answers GraphQL. */
  readonly graphql?: boolean;
  /** Whether the token may only read, as for pull requests from forks. */
  readonly readOnly?: boolean;
}

/** A running double, with what it holds. */
export interface GithubDouble extends Double, Store {
  /** The commit at which pull request 7 stands. */
  head: string;
  /** The environment of a workflow's job for pull request 7. */
  readonly env: { readonly [name: string]: string };
}

/** Starts it with the repository `acme/streaming` and its pull request 7. */
export async function startGithub({ as = ACTIONS, graphql = true, readOnly = false }: GithubOptions = {}): Promise<GithubDouble> {
  const store = emptyStore();
  const routes = [
    ...repositoryRoutes(store, as, { url: () => base.url, head: () => double.head }),
    ...checkRoutes(store, as),
    route('GET', '/user', () => (as.type === 'Bot' ? NOT_ALLOWED : { status: 200, body: as })),
    route('POST', '/graphql', (asked) => (graphql ? answerGraphql(store, as, asked) : MISSING)),
  ];
  const base = await startDouble(routes, ({ authorization, method, path }) => {
    if (authorization !== `Bearer ${GITHUB_TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } };
    return readOnly && method !== 'GET' && path !== '/graphql' ? NOT_ALLOWED : null;
  });
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: base.url,
    GITHUB_GRAPHQL_URL: `${base.url}/graphql`,
    GITHUB_REPOSITORY: 'acme/streaming',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_RUN_ID: '4711',
    GITHUB_TOKEN,
  };
  const double: GithubDouble = { ...base, ...store, head: HEAD, env };
  return double;
}

function route(method: string, path: string, answer: Route[2]): Route {
  return [method, new RegExp(`^${path}$`), answer];
}

const REPO = '/repos/acme/streaming';

function repositoryRoutes(store: Store, as: User, now: { url(): string; head(): string }): readonly Route[] {
  const { comments, issues } = store;
  const isThere = (number: number) => number === 7 || issues.some((each) => each.number === number);
  return [
    route('GET', `${REPO}/pulls/(\\d+)`, (_asked, number) =>
      number === '7' ? { status: 200, body: { number: 7, head: { sha: now.head() } } } : MISSING,
    ),
    route('GET', `${REPO}/issues/(\\d+)/comments`, (asked, number) => {
      const own = comments.filter(({ on }) => on === Number(number));
      return isThere(Number(number)) ? page(own.map(shownComment), asked, now.url()) : MISSING;
    }),
    route('POST', `${REPO}/issues/(\\d+)/comments`, ({ body }, number) => {
      if (!isThere(Number(number))) return MISSING;
      return refusedBody(body) ?? { status: 201, body: shownComment(store.addComment(as, String(body.body), Number(number))) };
    }),
    route('PATCH', `${REPO}/issues/comments/(\\d+)`, ({ body }, id) => {
      const found = comments.find((each) => each.id === Number(id));
      if (!found) return MISSING;
      return refusedBody(body) ?? { status: 200, body: shownComment(Object.assign(found, { body: body.body })) };
    }),
    route('GET', `${REPO}/issues`, (asked) => page(listed(store, asked).map(shownIssue), asked, now.url())),
    route('POST', `${REPO}/issues`, ({ body }) => {
      const labels = Array.isArray(body.labels) ? body.labels.map(String) : [];
      const made = { title: String(body.title), body: String(body.body ?? ''), labels };
      return refusedIssue(body, true) ?? { status: 201, body: shownIssue(store.addIssue(as, made)) };
    }),
    route('PATCH', `${REPO}/issues/(\\d+)`, ({ body }, number) => {
      const found = issues.find((each) => each.number === Number(number));
      if (!found) return MISSING;
      return refusedIssue(body, false) ?? { status: 200, body: shownIssue(Object.assign(found, body)) };
    }),
  ];
}

function listed({ issues }: Store, { query }: Asked) {
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const state = query.get('state') ?? 'open';
  const found = issues.filter((each) => (state === 'all' || each.state === state) && labels.every((label) => each.labels.includes(label)));
  return query.get('direction') === 'asc' ? found : found.toReversed();
}

/** Only apps may write checks. */
function checkRoutes({ checks, addCheck }: Store, as: User): readonly Route[] {
  const refused: Reply | null = as.type === 'Bot' ? null : { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
  return [
    route('POST', `${REPO}/check-runs`, ({ body }) => {
      const why = refused ?? refusedOutput(body, true);
      if (why) return why;
      const [name, head_sha, conclusion] = [String(body.name), String(body.head_sha), String(body.conclusion)];
      const check = { name, head_sha, conclusion, output: membersOf(body.output), annotations: [...annotationsOf(body)] };
      return { status: 201, body: shownCheck(addCheck(check)) };
    }),
    route('PATCH', `${REPO}/check-runs/(\\d+)`, ({ body }, id) => {
      const found = checks.find((each) => each.id === Number(id));
      if (!found) return MISSING;
      const why = refused ?? refusedOutput(body, false);
      if (why) return why;
      found.annotations.push(...annotationsOf(body));
      return { status: 200, body: shownCheck(found) };
    }),
  ];
}

function answerGraphql({ comments }: Store, as: User, { body }: Asked): Reply {
  const query = String(body.query);
  if (query.includes('viewer')) return { status: 200, body: { data: { viewer: { login: as.login } } } };
  const found = comments.find((each) => each.node_id === membersOf(body.variables).id);
  if (!found) return { status: 200, body: { data: null, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a node' }] } };
  found.minimized = query.includes('{ minimizeComment');
  return { status: 200, body: { data: {} } };
}
