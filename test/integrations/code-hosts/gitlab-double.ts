/**
 * GitLab for tests, written from the pages of its REST API (version 4): "Notes API" (merge requests and issues: list, create, modify),
 * "Merge requests API" (retrieve), "Issues API" (list project issues, create, edit), "Users API" (the current user), "REST API" (pagination,
 * status codes), and "Quick actions", by which a line that begins with a slash is a command.
 */
import { type CannedResponse, type CodeHostDouble, pageOf, type Route, startServer } from './double.ts';

export const GITLAB_TOKEN = 'glpat-CanaryToken4HostsTests0123456789ab';
export const HEAD = 'feedfacefeedfacefeedfacefeedfacefeedface';

/** A note on a merge request or an issue. */
export interface StoredNote {
  readonly id: number;
  readonly on: string;
  readonly author: { readonly id: number; readonly username: string };
  readonly system: boolean;
  body: string;
}

/** An issue. */
export interface StoredIssue {
  readonly iid: number;
  readonly author: { readonly id: number; readonly username: string };
  readonly labels: readonly string[];
  title: string;
  description: string;
  state: string;
}

/** A running GitLab and its data. */
export interface GitlabDouble extends CodeHostDouble {
  readonly notes: StoredNote[];
  readonly issues: StoredIssue[];
  /** The lines that GitLab would run as quick actions. */
  readonly commands: readonly string[];
  /** The head commit of merge request 7. */
  head: string;
  readonly env: { readonly [name: string]: string };
  addNote(author: StoredNote['author'], body: string): StoredNote;
}

export const BOT = { id: 90, username: 'project_42_bot' };
export const EVE = { id: 3, username: 'eve' };

const MAX_NOTE = 1_000_000;
const MAX_DESCRIPTION = 1_048_576;
const MISSING: CannedResponse = { status: 404, body: { message: '404 Not found' } };

/**
 * Starts a GitLab with project 42, its merge request 7, and the token of a bot of the project. With the role Guest, labels of new issues
 * are ignored.
 */
export async function startGitlab({ mayLabel = true }: { readonly mayLabel?: boolean } = {}): Promise<GitlabDouble> {
  const [notes, issues, commands]: [StoredNote[], StoredIssue[], string[]] = [[], [], []];
  let ids = 500;
  const addNote = (author: StoredNote['author'], body: string, on = 'merge_requests/7', system = false): StoredNote => {
    const made = { id: ++ids, on, author, system, body };
    notes.push(made);
    return made;
  };
  const textError = (text: unknown, name: string, most: number): CannedResponse | null => {
    if (text === undefined) return { status: 400, body: { error: `${name} is missing` } };
    if ([...String(text)].length > most)
      return { status: 400, body: { message: { [name]: [`is too long (maximum is ${most} characters)`] } } };
    commands.push(
      ...String(text)
        .split('\n')
        .filter((line) => /^\/[a-z]/.test(line)),
    );
    return null;
  };
  const issueOf = (iid: string | undefined) => issues.find((each) => each.iid === Number(iid));
  const exists = (on: string | undefined, iid: string | undefined) => (on === 'issues' ? issueOf(iid) !== undefined : iid === '7');
  const route = (method: string, path: string, respond: Route[2]): Route => [
    method,
    new RegExp(`^/api/v4/projects/(?:42|acme%2Fstreaming)/${path}$`),
    respond,
  ];
  const routes: readonly Route[] = [
    ['GET', /^\/api\/v4\/user$/, () => ({ status: 200, body: BOT })],
    route('GET', 'merge_requests/(\\d+)', (_request, iid) => (iid === '7' ? { status: 200, body: { iid: 7, sha: double.head } } : MISSING)),
    route('GET', '(merge_requests|issues)/(\\d+)/notes', (request, on, iid) => {
      const own = notes.filter((each) => each.on === `${on}/${iid}`);
      return exists(on, iid) ? pageOf(request.query.get('sort') === 'asc' ? own : own.toReversed(), request, base.url) : MISSING;
    }),
    route('POST', '(merge_requests|issues)/(\\d+)/notes', ({ body }, on, iid) => {
      if (!exists(on, iid)) return MISSING;
      return textError(body.body, 'body', MAX_NOTE) ?? { status: 201, body: addNote(BOT, String(body.body), `${on}/${iid}`) };
    }),
    route('PUT', '(merge_requests|issues)/(\\d+)/notes/(\\d+)', ({ body }, on, iid, id) => {
      const found = notes.find((each) => each.id === Number(id) && each.on === `${on}/${iid}`);
      if (!found) return MISSING;
      return textError(body.body, 'body', MAX_NOTE) ?? { status: 200, body: Object.assign(found, { body: String(body.body) }) };
    }),
    route('GET', 'issues', (request) => {
      const [label, author, state] = ['labels', 'author_id', 'state'].map((name) => request.query.get(name));
      const found = issues.filter(
        (each) =>
          (!label || each.labels.includes(label)) && (!author || each.author.id === Number(author)) && (!state || each.state === state),
      );
      return pageOf(request.query.get('sort') === 'asc' ? found : found.toReversed(), request, base.url);
    }),
    route('POST', 'issues', ({ body }) => {
      if (typeof body.title !== 'string' || body.title === '') return { status: 400, body: { error: 'title is missing' } };
      const error = textError(body.description, 'description', MAX_DESCRIPTION);
      if (error) return error;
      const texts = { title: body.title, description: String(body.description) };
      const made = { iid: ++ids, author: BOT, labels: mayLabel ? String(body.labels).split(',') : [], state: 'opened', ...texts };
      issues.push(made);
      return { status: 201, body: { ...made, web_url: `https://gitlab.example/acme/streaming/-/issues/${made.iid}` } };
    }),
    route('PUT', 'issues/(\\d+)', ({ body }, iid) => {
      const found = issueOf(iid);
      const error = textError(body.description, 'description', MAX_DESCRIPTION);
      if (!found || error) return error ?? MISSING;
      const states: { readonly [event: string]: string } = { close: 'closed', reopen: 'opened' };
      const state = states[String(body.state_event)] ?? found.state;
      return { status: 200, body: Object.assign(found, { title: String(body.title), description: String(body.description), state }) };
    }),
  ];
  const base = await startServer(routes, ({ authorization }) =>
    authorization === `Bearer ${GITLAB_TOKEN}` ? null : { status: 401, body: { message: '401 Unauthorized' } },
  );
  const env = {
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${base.url}/api/v4`,
    CI_PROJECT_ID: '42',
    CI_MERGE_REQUEST_IID: '7',
    CI_COMMIT_SHA: HEAD,
    CI_PIPELINE_URL: 'https://gitlab.example/acme/streaming/-/pipelines/1',
    GITLAB_TOKEN,
  };
  const double: GitlabDouble = { ...base, notes, issues, commands, head: HEAD, env, addNote: (author, body) => addNote(author, body) };
  return double;
}
