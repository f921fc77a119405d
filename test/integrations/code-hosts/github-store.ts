/** The data of the GitHub for tests: users, comments, issues and checks. */

/** A user, or an app. */
export interface User {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export const ACTIONS: User = { id: 41898282, login: 'github-actions[bot]', type: 'Bot' };
export const ADA: User = { id: 1, login: 'ada', type: 'User' };

/** A comment on an issue or a pull request. */
export interface StoredComment {
  readonly id: number;
  readonly node_id: string;
  readonly on: number;
  readonly user: User;
  body: string;
  minimized: boolean;
}

/** An issue; one with `pull_request` is a pull request, which the API lists among the issues. */
export interface StoredIssue {
  readonly number: number;
  readonly user: User;
  title: string;
  body: string;
  state: string;
  state_reason: string | null;
  readonly labels: readonly string[];
  readonly pull_request?: object;
}

/** A check run with all its annotations. */
export interface StoredCheck {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly conclusion: string;
  readonly output: { readonly [member: string]: unknown };
  readonly annotations: unknown[];
}

/** The repository; numbers and IDs are assigned in order. */
export interface Store {
  readonly comments: StoredComment[];
  readonly issues: StoredIssue[];
  readonly checks: StoredCheck[];
  addComment(user: User, body: string, on?: number): StoredComment;
  addIssue(user: User, issue: Partial<StoredIssue>): StoredIssue;
  addCheck(check: Omit<StoredCheck, 'id'>): StoredCheck;
}

const REPOSITORY_URL = 'https://github.example/acme/streaming';

export function emptyStore(): Store {
  let ids = 100;
  const [comments, issues, checks]: [StoredComment[], StoredIssue[], StoredCheck[]] = [[], [], []];
  const add = <Item>(list: Item[], item: Item): Item => {
    list.push(item);
    return item;
  };
  return {
    comments,
    issues,
    checks,
    addComment(user, body, on = 7) {
      const id = ++ids;
      return add(comments, { id, node_id: `IC_${id}`, on, user, body, minimized: false });
    },
    addIssue: (user, issue) =>
      add(issues, { number: ++ids, user, title: '', body: '', state: 'open', state_reason: null, labels: [], ...issue }),
    addCheck: (check) => add(checks, { id: ++ids, ...check }),
  };
}

/** Returns a comment as the API does. */
export function commentJson({ on, minimized: _minimized, ...rest }: StoredComment): object {
  return { ...rest, html_url: `${REPOSITORY_URL}/pull/${on}#issuecomment-${rest.id}` };
}

/** Returns an issue as the API does. */
export function issueJson({ labels, ...rest }: StoredIssue): object {
  return { ...rest, labels: labels.map((name) => ({ name })), html_url: `${REPOSITORY_URL}/issues/${rest.number}` };
}

/** Returns a check run as the API does. */
export function checkJson({ id, name, head_sha, conclusion }: StoredCheck): object {
  return { id, name, head_sha, conclusion, html_url: `${REPOSITORY_URL}/runs/${id}` };
}
