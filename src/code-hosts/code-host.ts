/** What upkeep needs of a code host, whichever it is. */
import type { Annotation } from '../report/machine/diagnostics.ts';
import type { MarkdownBudget } from '../report/markdown/fit-to-size.ts';

/** The hosts that upkeep speaks to. */
export const HOSTS = ['github', 'gitlab'] as const;

/** One of them. */
export type CodeHostName = (typeof HOSTS)[number];

/** Something that the token's own user has written on a pull request. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly url: string;
  /** How other interfaces of the host call it; empty where they do not. */
  readonly node: string;
}

/** An issue that the token's own user has opened. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  readonly url: string;
}

/** What an issue is to be. */
export type IssueText = Pick<Issue, 'title' | 'body'>;

/** The verdict on a commit. */
export interface Check {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: 'success' | 'failure' | 'action_required';
  readonly title: string;
  /** Markdown that fits into `checkRoom`. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** One repository on a host, as one token sees it. Every method may throw a HostError, or a Stop where the user interrupts. */
export interface CodeHost {
  /** What a comment, and the body of an issue, may hold. */
  readonly room: MarkdownBudget;
  /** The commit that a pull request stands at. */
  headOf(pull: number): Promise<string>;
  /** The own comments on a pull request, oldest first. */
  comments(pull: number): Promise<readonly Comment[]>;
  addComment(pull: number, body: string): Promise<Comment>;
  editComment(pull: number, comment: Comment, body: string): Promise<void>;
  /** Folds a comment away in the host's own manner, or shows it again; nothing happens on a host that has none. */
  fold(comment: Comment, folded: boolean): Promise<void>;
  /** Null where the host has no checks. */
  readonly checks: { readonly room: MarkdownBudget; add(check: Check): Promise<string> } | null;
  /** The own issues with this label, open or closed, the one that was opened first first. */
  issues(label: string): Promise<readonly Issue[]>;
  openIssue(text: IssueText, label: string): Promise<Issue>;
  /** Changes what an issue says, and where `open` differs from what it is, opens it again or closes it. */
  editIssue(issue: Issue, text: IssueText, open: boolean): Promise<void>;
  addIssueComment(issue: Issue, body: string): Promise<void>;
  close(): Promise<void>;
}

/** Counts Unicode characters, as both hosts say they do. */
export function characters(text: string): number {
  let sum = 0;
  for (const _ of text) sum += 1;
  return sum;
}
