/** GitLab, by its REST API (version 4). */

import type { CliContext } from '../app/runtime.ts';
import { asInteger, asString } from '../model/json-readers.ts';
import type { MarkdownBudget } from '../report/markdown/fit-to-size.ts';
import { openApi } from './api.ts';
import { type CodeHost, type Comment, characters, type Issue } from './code-host.ts';
import type { DetectedHost } from './detect.ts';
import { asHash, lacks, member } from './response-fields.ts';

/** "Limited to 1,000,000 characters" ("Notes API", `body`); a description takes 48,576 more, which nobody needs. */
const ROOM: MarkdownBudget = { most: 1_000_000, unit: 'characters', size: characters };

/** Opens a project for the time of a run. A pull request is a merge request here, and its number the internal one. */
export function openGitlab(io: CliContext, { api: url, repository, token }: DetectedHost): CodeHost {
  const api = openApi(io, { url, token, headers: { authorization: `Bearer ${token}` } });
  const at = `/projects/${encodeURIComponent(repository)}`;
  let user: Promise<number> | undefined;
  const ownOf = async (path: string): Promise<readonly unknown[]> => {
    user ??= api.ask('GET', '/user').then((said) => asInteger(member(said, 'id')) ?? lacks('GET /user', 'id'));
    const [own, items] = [await user, await api.all(path)];
    return items.filter((item) => member(member(item, 'author'), 'id') === own && member(item, 'system') !== true);
  };
  return {
    room: ROOM,
    async headOf(pull) {
      const path = `${at}/merge_requests/${pull}`;
      return asHash(member(await api.ask('GET', path), 'sha')) ?? lacks(`GET ${path}`, 'sha');
    },
    comments: async (pull) => (await ownOf(`${at}/merge_requests/${pull}/notes?sort=asc&order_by=created_at&per_page=100`)).map(commentOf),
    addComment: async (pull, body) => commentOf(await api.ask('POST', `${at}/merge_requests/${pull}/notes`, { body })),
    async editComment(pull, { id }, body) {
      await api.ask('PUT', `${at}/merge_requests/${pull}/notes/${id}`, { body });
    },
    fold: () => Promise.resolve(),
    checks: null,
    issues: async (label) =>
      (await ownOf(`${at}/issues?order_by=created_at&sort=asc&per_page=100&labels=${encodeURIComponent(label)}`)).map(issueOf),
    openIssue: async ({ title, body }, label) =>
      issueOf(await api.ask('POST', `${at}/issues`, { title, description: body, labels: label })),
    async editIssue({ number, open: was }, { title, body }, open) {
      const state = open === was ? {} : { state_event: open ? 'reopen' : 'close' };
      await api.ask('PUT', `${at}/issues/${number}`, { title, description: body, ...state });
    },
    async addIssueComment({ number }, body) {
      await api.ask('POST', `${at}/issues/${number}/notes`, { body });
    },
    close: () => api.close(),
  };
}

/** A note has no address of its own. */
function commentOf(item: unknown): Comment {
  return { id: asInteger(member(item, 'id')) ?? lacks('a note', 'id'), body: asString(member(item, 'body')) ?? '', url: '', node: '' };
}

function issueOf(item: unknown): Issue {
  return {
    number: asInteger(member(item, 'iid')) ?? lacks('an issue', 'iid'),
    title: asString(member(item, 'title')) ?? '',
    body: asString(member(item, 'description')) ?? '',
    open: member(item, 'state') === 'opened',
    url: asString(member(item, 'web_url')) ?? '',
  };
}
