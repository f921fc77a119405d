/** GitHub, by its REST API (version 2022-11-28), and for what REST cannot do by GraphQL. */

import { EXIT_CODES } from '../app/exit-codes.ts';
import type { CliContext } from '../app/runtime.ts';
import { asInteger, asList, asString } from '../model/json-readers.ts';
import type { Annotation } from '../report/machine/diagnostics.ts';
import type { MarkdownBudget } from '../report/markdown/fit-to-size.ts';
import { type Api, openApi } from './api.ts';
import { type Check, type CodeHost, type Comment, characters, type Issue } from './code-host.ts';
import type { DetectedHost } from './detect.ts';
import { CodeHostError } from './errors.ts';
import { asHash, lacks, member } from './response-fields.ts';

/** "Body is too long (maximum is 65536 characters)", as the host says it; the summary of a check run takes one less ("Create a check run"). */
const ROOM: MarkdownBudget = { most: 65_536, unit: 'characters', size: characters };
const CHECK_ROOM: MarkdownBudget = { ...ROOM, most: 65_535 };
/** Annotations that one request takes ("Create a check run"). */
const MOST_ANNOTATIONS = 50;
/** Annotations that a check run is given: nobody reads on. */
const ALL_ANNOTATIONS = 500;

/** Opens a repository for the time of a run. */
export function openGithub(io: CliContext, { api: url, graphql: graphqlUrl, repository, token }: DetectedHost): CodeHost {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const api = openApi(io, { url, token, headers });
  const graphql = graphqlUrl === null ? null : openApi(io, { url: graphqlUrl, token, headers });
  const at = `/repos/${repository}`;
  let known: Promise<Author> | undefined;
  const own = async (item: unknown): Promise<boolean> => {
    known ??= authorOf(api, graphql);
    return isBy(await known, member(item, 'user'));
  };
  const ownOf = async (path: string): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (const item of await api.all(path)) if (await own(item)) found.push(item);
    return found;
  };
  return {
    room: ROOM,
    async headOf(pull) {
      const path = `${at}/pulls/${pull}`;
      return asHash(member(member(await api.ask('GET', path), 'head'), 'sha')) ?? lacks(`GET ${path}`, 'head.sha');
    },
    comments: async (pull) => (await ownOf(`${at}/issues/${pull}/comments?per_page=100`)).map(commentOf),
    addComment: async (pull, body) => commentOf(await api.ask('POST', `${at}/issues/${pull}/comments`, { body })),
    async editComment(_pull, { id }, body) {
      await api.ask('PATCH', `${at}/issues/comments/${id}`, { body });
    },
    fold: (comment, folded) => (graphql === null || comment.node === '' ? Promise.resolve() : minimise(graphql, comment.node, folded)),
    checks: { room: CHECK_ROOM, add: (check) => addCheck(api, at, check) },
    async issues(label) {
      const path = `${at}/issues?state=all&sort=created&direction=asc&per_page=100&labels=${encodeURIComponent(label)}`;
      // The list of issues holds pull requests as well.
      return (await ownOf(path)).filter((item) => member(item, 'pull_request') === undefined).map(issueOf);
    },
    openIssue: async ({ title, body }, label) => labelled(await api.ask('POST', `${at}/issues`, { title, body, labels: [label] }), label),
    async editIssue({ number, open: was }, { title, body }, open) {
      const state = open === was ? {} : { state: open ? 'open' : 'closed', state_reason: open ? 'reopened' : 'completed' };
      await api.ask('PATCH', `${at}/issues/${number}`, { title, body, ...state });
    },
    async addIssueComment({ number }, body) {
      await api.ask('POST', `${at}/issues/${number}/comments`, { body });
    },
    async close() {
      await api.close();
      await graphql?.close();
    },
  };
}

/** Whose the token is: a user by name, or an app of which nothing but that is known. */
type Author = { readonly login: string } | 'an app';

/**
 * The token of a workflow belongs to an app, which REST tells nothing about itself (`GET /user` is 403), but GraphQL does. Where neither
 * answers, what any app has written counts: a person's comment never does.
 */
async function authorOf(api: Api, graphql: Api | null): Promise<Author> {
  const seen = await orRefused(graphql?.ask('POST', '', { query: '{ viewer { login } }' }));
  const user =
    asString(member(member(member(seen, 'data'), 'viewer'), 'login')) ??
    asString(member(await orRefused(api.ask('GET', '/user')), 'login'));
  return user === undefined ? 'an app' : { login: user };
}

/** An app's name ends with `[bot]` in REST; whether it does in GraphQL depends on where it stands. */
function isBy(author: Author, user: unknown): boolean {
  const login = asString(member(user, 'login'));
  if (author === 'an app') return member(user, 'type') === 'Bot';
  return login !== undefined && (login === author.login || (member(user, 'type') === 'Bot' && login === `${author.login}[bot]`));
}

/** The answer; undefined where the host does not do this, or not for this token: an expired one is refused everything. */
async function orRefused(asked: Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CodeHostError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

/** Folding is a courtesy: the comment itself says that it is outdated. */
async function minimise(graphql: Api, id: string, folded: boolean): Promise<void> {
  const query = folded
    ? 'mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { clientMutationId } }'
    : 'mutation ($id: ID!) { unminimizeComment(input: { subjectId: $id }) { clientMutationId } }';
  await orRefused(graphql.ask('POST', '', { query, variables: { id } }));
}

/** One check run; further annotations are added to it, as many at a time as the API takes. */
async function addCheck(api: Api, at: string, { name, commit, conclusion, title, summary, annotations }: Check): Promise<string> {
  const all = bounded(annotations).map(annotationOf);
  const output = (from: number) => ({ title, summary, annotations: all.slice(from, from + MOST_ANNOTATIONS) });
  const path = `${at}/check-runs`;
  const made = await api.ask('POST', path, { name, head_sha: commit, status: 'completed', conclusion, output: output(0) });
  const id = asInteger(member(made, 'id')) ?? lacks(`POST ${path}`, 'id');
  for (let from = MOST_ANNOTATIONS; from < all.length; from += MOST_ANNOTATIONS)
    await api.ask('PATCH', `${path}/${id}`, { output: output(from) });
  return asString(member(made, 'html_url')) ?? '';
}

/** Where there are too many, the last one says how many are left out. */
function bounded(annotations: readonly Annotation[]): readonly Annotation[] {
  const last = annotations[ALL_ANNOTATIONS - 1];
  if (last === undefined || annotations.length === ALL_ANNOTATIONS) return annotations;
  const message = `${annotations.length - ALL_ANNOTATIONS + 1} more are left out here; the plan has them all.`;
  return [...annotations.slice(0, ALL_ANNOTATIONS - 1), { ...last, level: 'note', title: 'upkeep', message }];
}

const LEVELS = { error: 'failure', warning: 'warning', note: 'notice' } as const;

function annotationOf({ path, line, column, level, title, message }: Annotation): object {
  const place = { path, start_line: line, end_line: line, start_column: column, end_column: column };
  return { ...place, annotation_level: LEVELS[level], title, message };
}

/** A label that the token may not set is left out without a word ("Create an issue"), and the next run would not find the issue. */
function labelled(item: unknown, label: string): Issue {
  const labels = asList(member(item, 'labels')) ?? [];
  if (labels.some((each) => each === label || member(each, 'name') === label)) return issueOf(item);
  const summary = `the issue ${asString(member(item, 'html_url')) ?? ''} was opened without the label ${label}, by which it is found`;
  throw new CodeHostError(
    EXIT_CODES.error,
    'host-label',
    summary,
    'set it by hand, and let the token write issues of this repository',
    null,
  );
}

function commentOf(item: unknown): Comment {
  return {
    id: asInteger(member(item, 'id')) ?? lacks('a comment', 'id'),
    body: asString(member(item, 'body')) ?? '',
    url: asString(member(item, 'html_url')) ?? '',
    node: asString(member(item, 'node_id')) ?? '',
  };
}

function issueOf(item: unknown): Issue {
  return {
    number: asInteger(member(item, 'number')) ?? lacks('an issue', 'number'),
    title: asString(member(item, 'title')) ?? '',
    body: asString(member(item, 'body')) ?? '',
    open: member(item, 'state') === 'open',
    url: asString(member(item, 'html_url')) ?? '',
  };
}
