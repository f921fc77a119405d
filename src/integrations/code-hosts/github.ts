/** GitHub: its REST API (version 2022-11-28), and GraphQL for what REST cannot do. */
import { asInteger, asList, asString } from '../../core/model/json-readers.ts';
import type { Annotation } from '../../report/machine/diagnostics.ts';
import type { MarkdownBudget } from '../../report/markdown/fit-to-size.ts';
import { type Api, asHash, member, missingMember, openApi } from './api.ts';
import {
  type CodeHost,
  type Comment,
  type CommitCheck,
  characters,
  type Issue,
  oldestFirst,
  type RepositoryAccess,
  type RequestContext,
  UNLABELED_PAGES,
} from './code-host.ts';
import { CodeHostError } from './errors.ts';

/** "Body is too long (maximum is 65536 characters)"; a check run's summary has one character less ("Create a check run"). */
const BUDGET: MarkdownBudget = { most: 65_536, unit: 'characters', size: characters };
const CHECK_BUDGET: MarkdownBudget = { ...BUDGET, most: 65_535 };
/** Maximum number of annotations in one request ("Create a check run"). */
const ANNOTATIONS_PER_REQUEST = 50;
/** Maximum number of annotations of a check run. */
export const MAX_CHECK_ANNOTATIONS = 500;

/** Opens a repository; the caller closes it. */
export function openGithub(context: RequestContext, { api: url, graphql: graphqlUrl, repository, token }: RepositoryAccess): CodeHost {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const api = openApi(context, { url, token, headers });
  const graphql = graphqlUrl === null ? null : openApi(context, { url: graphqlUrl, token, headers });
  const at = `/repos/${repository}`;
  let author: Promise<Author> | undefined;
  const listBy = async (isOwn: typeof isBy, path: string, firstPages?: number): Promise<readonly unknown[]> => {
    const own: unknown[] = [];
    for (const item of await api.list(path, firstPages)) {
      author ??= tokenUser(api, graphql);
      if (isOwn(await author, member(item, 'user'))) own.push(item);
    }
    return own;
  };
  const listOwn = (path: string) => listBy(isBy, path);
  return {
    budget: BUDGET,
    async headOf(pull) {
      const path = `${at}/pulls/${pull}`;
      return asHash(member(member(await api.request('GET', path), 'head'), 'sha')) ?? missingMember(`GET ${path}`, 'head.sha');
    },
    comments: async (pull) => (await listOwn(`${at}/issues/${pull}/comments?per_page=100`)).map(commentOf),
    addComment: async (pull, body) => commentOf(await api.request('POST', `${at}/issues/${pull}/comments`, { body })),
    async editComment(_pull, { id }, body) {
      await api.request('PATCH', `${at}/issues/comments/${id}`, { body });
    },
    setMinimized: ({ nodeId }, minimized) =>
      graphql === null || nodeId === null ? Promise.resolve() : setMinimized(graphql, nodeId, minimized),
    checks: { budget: CHECK_BUDGET, add: (check) => addCheck(api, at, check) },
    async issues(label) {
      const listed = `${at}/issues?per_page=100`;
      const labeled = await listOwn(`${listed}&state=all&sort=created&direction=asc&labels=${encodeURIComponent(label)}`);
      const open = await listBy(isByKnown, `${listed}&state=open&sort=updated&direction=desc`, UNLABELED_PAGES);
      // The list of issues includes pull requests.
      const issues = [...labeled, ...open].filter((item) => member(item, 'pull_request') === undefined);
      return oldestFirst(issues.map((item) => issueOf(item, label)));
    },
    openIssue: async ({ title, body }, label) =>
      issueOf(await api.request('POST', `${at}/issues`, { title, body, labels: [label] }), label),
    async editIssue({ number, open: was }, { title, body }, open) {
      const state = open === was ? {} : { state: open ? 'open' : 'closed', state_reason: open ? 'reopened' : 'completed' };
      await api.request('PATCH', `${at}/issues/${number}`, { title, body, ...state });
    },
    async addIssueComment({ number }, body) {
      await api.request('POST', `${at}/issues/${number}/comments`, { body });
    },
    async close() {
      await api.close();
      await graphql?.close();
    },
  };
}

/** The user of the token: a user by name, or an app whose name is unknown. */
type Author = { readonly login: string } | 'app';

/**
 * Returns the user of the token. The token of a workflow belongs to an app, which REST does not describe to itself (`GET /user` is 403),
 * but GraphQL does. If neither answers, items of any app count as own ones; those of a person never do.
 */
async function tokenUser(api: Api, graphql: Api | null): Promise<Author> {
  const viewer = await undefinedIfRefused(graphql?.request('POST', '', { query: '{ viewer { login } }' }));
  const login =
    asString(member(member(member(viewer, 'data'), 'viewer'), 'login')) ??
    asString(member(await undefinedIfRefused(api.request('GET', '/user')), 'login'));
  return login === undefined ? 'app' : { login };
}

/** Decides whether an item is by this author. An app's name ends with `[bot]` in REST, and in some places of GraphQL. */
function isBy(author: Author, user: unknown): boolean {
  const login = asString(member(user, 'login'));
  if (author === 'app') return member(user, 'type') === 'Bot';
  return login !== undefined && (login === author.login || (member(user, 'type') === 'Bot' && login === `${author.login}[bot]`));
}

/** Decides whether an item is by this author, who must be known: an app whose name is unknown is no proof for an item without a label. */
function isByKnown(author: Author, user: unknown): boolean {
  return author !== 'app' && isBy(author, user);
}

/**
 * Returns a response; undefined if the host does not offer the operation, at all or to this token (403, 404). An expired token is an
 * error: it gets 401. @throws CodeHostError
 */
async function undefinedIfRefused(response: Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof CodeHostError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** Minimizes a comment or shows it again. A refusal is no error: the text of the comment says that it is outdated, too. */
async function setMinimized(graphql: Api, id: string, minimized: boolean): Promise<void> {
  const query = minimized
    ? 'mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { clientMutationId } }'
    : 'mutation ($id: ID!) { unminimizeComment(input: { subjectId: $id }) { clientMutationId } }';
  await undefinedIfRefused(graphql.request('POST', '', { query, variables: { id } }));
}

/** Adds a check run, in as many requests as its annotations need. Returns its address. */
async function addCheck(
  api: Api,
  at: string,
  { name, commit, conclusion, title, summary, annotations }: CommitCheck,
): Promise<string | null> {
  const all = limitAnnotations(annotations).map(annotationOf);
  const output = (from: number) => ({ title, summary, annotations: all.slice(from, from + ANNOTATIONS_PER_REQUEST) });
  const path = `${at}/check-runs`;
  const created = await api.request('POST', path, { name, head_sha: commit, status: 'completed', conclusion, output: output(0) });
  const id = asInteger(member(created, 'id')) ?? missingMember(`POST ${path}`, 'id');
  for (let from = ANNOTATIONS_PER_REQUEST; from < all.length; from += ANNOTATIONS_PER_REQUEST)
    await api.request('PATCH', `${path}/${id}`, { output: output(from) });
  return asString(member(created, 'html_url')) ?? null;
}

/** Returns at most `MAX_CHECK_ANNOTATIONS`; if there are more, the last one tells how many are left out. */
function limitAnnotations(annotations: readonly Annotation[]): readonly Annotation[] {
  const last = annotations[MAX_CHECK_ANNOTATIONS - 1];
  if (last === undefined || annotations.length === MAX_CHECK_ANNOTATIONS) return annotations;
  const message = `${annotations.length - MAX_CHECK_ANNOTATIONS + 1} more are left out here; the plan has them all.`;
  return [...annotations.slice(0, MAX_CHECK_ANNOTATIONS - 1), { ...last, level: 'note', title: 'upkeep', message }];
}

const LEVELS = { error: 'failure', warning: 'warning', note: 'notice' } as const;

function annotationOf({ path, line, column, level, title, message }: Annotation): object {
  const location = { path, start_line: line, end_line: line, start_column: column, end_column: column };
  return { ...location, annotation_level: LEVELS[level], title, message };
}

function commentOf(item: unknown): Comment {
  return {
    id: asInteger(member(item, 'id')) ?? missingMember('a comment', 'id'),
    body: asString(member(item, 'body')) ?? '',
    url: asString(member(item, 'html_url')) ?? null,
    nodeId: asString(member(item, 'node_id')) ?? null,
  };
}

function issueOf(item: unknown, label: string): Issue {
  const labels = asList(member(item, 'labels')) ?? [];
  return {
    number: asInteger(member(item, 'number')) ?? missingMember('an issue', 'number'),
    title: asString(member(item, 'title')) ?? '',
    body: asString(member(item, 'body')) ?? '',
    open: member(item, 'state') === 'open',
    hasLabel: labels.some((each) => each === label || member(each, 'name') === label),
    url: asString(member(item, 'html_url')) ?? null,
  };
}
