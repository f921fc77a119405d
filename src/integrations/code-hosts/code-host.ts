/** The contract of a code host: what GitHub and GitLab do for upkeep, and what upkeep gives them. */
import type { Annotation } from '../../report/machine/diagnostics.ts';
import type { MarkdownBudget } from '../../report/markdown/fit-to-size.ts';

/** The names of the supported code hosts. */
export const HOSTS = ['github', 'gitlab'] as const;

/** The name of a supported code host. */
export type CodeHostName = (typeof HOSTS)[number];

/** The environment variables of a run. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** What a run provides for requests to a code host. */
export interface RequestContext {
  /** Unix milliseconds. */
  now(): number;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Returns the URL of the proxy for an API; undefined if there is none. */
  proxyFor(apiUrl: string): string | undefined;
}

/** A repository on a code host, the addresses of its APIs without a trailing slash, and the token for them. */
export interface RepositoryAccess {
  readonly host: CodeHostName;
  readonly api: string;
  /** The address of the GraphQL API, on the same origin as `api`; null if unknown. */
  readonly graphql: string | null;
  /** `owner/name`; on GitLab the path or the number of the project. */
  readonly repository: string;
  readonly token: string;
}

/** A comment on a pull request, written by the user of the token. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** Null on a host without addresses of comments. */
  readonly url: string | null;
  /** The ID in the GraphQL API; null on a host without one. */
  readonly nodeId: string | null;
}

/** An issue, opened by the user of the token. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  /** Whether it has the label by which it was listed or with which it was to be opened. Hosts drop a label that the token may not set. */
  readonly hasLabel: boolean;
  /** Null if the host does not return it. */
  readonly url: string | null;
}

/** The title and text of an issue. */
export type IssueText = Pick<Issue, 'title' | 'body'>;

/** The result of a check of a commit. */
export interface CommitCheck {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: 'success' | 'neutral' | 'failure' | 'action_required';
  readonly title: string;
  /** Markdown within the budget of checks. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** A repository on a code host, as one token sees it. Every method can throw a CodeHostError. */
export interface CodeHost {
  /** The size limit of comments and issues. */
  readonly budget: MarkdownBudget;
  /** Returns the head commit of a pull request. */
  headOf(pull: number): Promise<string>;
  /** Returns the comments of the token's user on a pull request, oldest first. */
  comments(pull: number): Promise<readonly Comment[]>;
  addComment(pull: number, body: string): Promise<Comment>;
  editComment(pull: number, comment: Comment, body: string): Promise<void>;
  /** Minimizes a comment or shows it again; does nothing on a host that cannot. */
  setMinimized(comment: Comment, minimized: boolean): Promise<void>;
  /** Null on a host without checks. `add` returns the address of the check; null if the host does not return it. */
  readonly checks: { readonly budget: MarkdownBudget; add(check: CommitCheck): Promise<string | null> } | null;
  /**
   * Returns the issues of the token's user with this label, open and closed, and the open ones without it, oldest first. Those without it
   * are left out where the host does not tell who the token's user is.
   */
  issues(label: string): Promise<readonly Issue[]>;
  openIssue(text: IssueText, label: string): Promise<Issue>;
  /** Changes the text of an issue, and reopens or closes it if `open` differs from its state. */
  editIssue(issue: Issue, text: IssueText, open: boolean): Promise<void>;
  addIssueComment(issue: Issue, body: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The number of pages on which an open issue without the label is looked for, most recently updated first: every run updates its issue.
 */
export const UNLABELED_PAGES = 10;

/** Returns each issue once, oldest first. */
export function oldestFirst(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [issue.number, issue])).values()].sort((a, b) => a.number - b.number);
}

/** Counts Unicode code points, which both hosts call characters. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
