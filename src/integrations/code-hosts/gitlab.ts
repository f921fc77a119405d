/** GitLab: its REST API (version 4). */
import { asInteger, asString, asStringArray } from '../../core/model/json-readers.ts';
import type { MarkdownBudget } from '../../report/markdown/fit-to-size.ts';
import { asHash, member, missingMember, openApi } from './api.ts';
import {
  type CodeHost,
  type Comment,
  characters,
  type Issue,
  oldestFirst,
  type RepositoryAccess,
  type RequestContext,
  UNLABELED_PAGES,
} from './code-host.ts';

/** "Limited to 1,000,000 characters" ("Notes API", `body`). The limit of descriptions is higher by 48,576, which is not used. */
const BUDGET: MarkdownBudget = { most: 1_000_000, unit: 'characters', size: characters };

/** Opens a project; the caller closes it. A pull request is a merge request here, and its number is the internal ID. */
export function openGitlab(context: RequestContext, { api: url, repository, token }: RepositoryAccess): CodeHost {
  const api = openApi(context, { url, token, headers: { authorization: `Bearer ${token}` } });
  const at = `/projects/${encodeURIComponent(repository)}`;
  let user: Promise<number> | undefined;
  const tokenUser = (): Promise<number> => {
    user ??= api.request('GET', '/user').then((response) => asInteger(member(response, 'id')) ?? missingMember('GET /user', 'id'));
    return user;
  };
  const listOwn = async (path: string, firstPages?: number): Promise<readonly unknown[]> => {
    const [userId, items] = [await tokenUser(), await api.list(path, firstPages)];
    return items.filter((item) => member(member(item, 'author'), 'id') === userId && member(item, 'system') !== true);
  };
  return {
    budget: BUDGET,
    async headOf(pull) {
      const path = `${at}/merge_requests/${pull}`;
      return asHash(member(await api.request('GET', path), 'sha')) ?? missingMember(`GET ${path}`, 'sha');
    },
    comments: async (pull) =>
      (await listOwn(`${at}/merge_requests/${pull}/notes?sort=asc&order_by=created_at&per_page=100`)).map(commentOf),
    addComment: async (pull, body) => commentOf(await api.request('POST', `${at}/merge_requests/${pull}/notes`, { body })),
    async editComment(pull, { id }, body) {
      await api.request('PUT', `${at}/merge_requests/${pull}/notes/${id}`, { body });
    },
    setMinimized: () => Promise.resolve(),
    checks: null,
    async issues(label) {
      const listed = `${at}/issues?per_page=100`;
      const labeled = await listOwn(`${listed}&order_by=created_at&sort=asc&labels=${encodeURIComponent(label)}`);
      const ownOpen = `state=opened&author_id=${await tokenUser()}&order_by=updated_at&sort=desc`;
      const open = await listOwn(`${listed}&${ownOpen}`, UNLABELED_PAGES);
      return oldestFirst([...labeled, ...open].map((item) => issueOf(item, label)));
    },
    openIssue: async ({ title, body }, label) =>
      issueOf(await api.request('POST', `${at}/issues`, { title, description: body, labels: label }), label),
    async editIssue({ number, open: was }, { title, body }, open) {
      const state = open === was ? {} : { state_event: open ? 'reopen' : 'close' };
      await api.request('PUT', `${at}/issues/${number}`, { title, description: body, ...state });
    },
    async addIssueComment({ number }, body) {
      await api.request('POST', `${at}/issues/${number}/notes`, { body });
    },
    close: () => api.close(),
  };
}

function commentOf(item: unknown): Comment {
  const id = asInteger(member(item, 'id')) ?? missingMember('a note', 'id');
  return { id, body: asString(member(item, 'body')) ?? '', url: null, nodeId: null };
}

function issueOf(item: unknown, label: string): Issue {
  return {
    number: asInteger(member(item, 'iid')) ?? missingMember('an issue', 'iid'),
    title: asString(member(item, 'title')) ?? '',
    body: asString(member(item, 'description')) ?? '',
    open: member(item, 'state') === 'opened',
    hasLabel: asStringArray(member(item, 'labels'))?.includes(label) === true,
    url: asString(member(item, 'web_url')) ?? null,
  };
}
