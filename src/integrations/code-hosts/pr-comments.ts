/** Maintains one comment per target on a pull request. */

import type { CodeHost, Comment } from './code-host.ts';
import { type Marker, markerLine, parseMarker } from './comment-marker.ts';

/** The comment that a target needs. */
export interface CommentDraft {
  /** Null if the run stopped before it came to a target. */
  readonly target: string | null;
  /** Markdown without the marker. */
  readonly text: string;
  /** Whether no comment is added, because nothing would change; an existing comment is updated all the same. */
  readonly quiet: boolean;
}

/** A pull request, the commit that the drafts describe, and their project. */
export interface PullRequestThread {
  readonly pull: number;
  readonly commit: string;
  readonly project: string;
}

/** What was done with the comment of a target; `none` if it needs none. */
export interface PostedComment {
  readonly target: string | null;
  readonly action: 'created' | 'updated' | 'unchanged' | 'outdated' | 'none';
  readonly url: string | null;
}

/** A comment of upkeep on the pull request: its marker and the text after it. */
interface MarkedComment {
  readonly comment: Comment;
  readonly marker: Marker;
  readonly text: string;
}

/** Returns the marker of a comment on the current commit. */
export function markerOf({ project, commit }: PullRequestThread, target: string | null): Marker {
  return { about: 'plan', project, target, commit, outdated: false };
}

/**
 * Adds and updates the comments of the drafts. With `outdateOthers` it also marks comments as outdated that no longer describe the pull
 * request: comments on other targets, unless a job of the same commit made them, and comments of runs that stopped before they came to a
 * target. @throws CodeHostError
 */
export async function updateComments(
  host: CodeHost,
  thread: PullRequestThread,
  drafts: readonly CommentDraft[],
  outdateOthers: boolean,
): Promise<readonly PostedComment[]> {
  const existing = (await host.comments(thread.pull)).flatMap((comment): readonly MarkedComment[] => {
    const parsed = parseMarker(comment.body);
    return parsed?.marker.about === 'plan' && parsed.marker.project === thread.project ? [{ comment, ...parsed }] : [];
  });
  const posted: PostedComment[] = [];
  for (const draft of drafts) {
    // Two jobs that started at the same time may both have added a comment: the younger one stays.
    const [latest, ...older] = existing.filter(({ marker }) => marker.target === draft.target).reverse();
    posted.push(await updateComment(host, thread, draft, latest));
    for (const each of older) await markOutdated(host, thread, each);
  }
  const targets = new Set(drafts.map(({ target }) => target));
  const isPast = ({ target, commit }: Marker) => !targets.has(target) && (commit !== thread.commit || target === null);
  for (const each of existing.filter(({ marker }) => outdateOthers && isPast(marker) && !marker.outdated)) {
    await markOutdated(host, thread, each);
    posted.push({ target: each.marker.target, action: 'outdated', url: each.comment.url });
  }
  return posted;
}

async function updateComment(
  host: CodeHost,
  thread: PullRequestThread,
  { target, text, quiet }: CommentDraft,
  latest: MarkedComment | undefined,
): Promise<PostedComment> {
  const body = `${markerLine(markerOf(thread, target))}\n${text}`;
  if (!latest) {
    if (quiet) return { target, action: 'none', url: null };
    return { target, action: 'created', url: (await host.addComment(thread.pull, body)).url };
  }
  const { comment, marker } = latest;
  if (isSameText(comment.body, body)) return { target, action: 'unchanged', url: comment.url };
  await host.editComment(thread.pull, comment, body);
  if (marker.outdated) await host.setMinimized(comment, false);
  return { target, action: 'updated', url: comment.url };
}

/** Marks a comment as outdated, folds its text if that fits, and minimizes it. */
async function markOutdated(host: CodeHost, thread: PullRequestThread, { comment, marker, text }: MarkedComment): Promise<void> {
  if (marker.outdated) return;
  const notice = `**Outdated:** this is no longer how things stand; the pull request is at commit \`${thread.commit.slice(0, 12)}\` by now.`;
  const head = `${markerLine({ ...marker, outdated: true })}\n${notice}\n`;
  const body = `${head}\n<details>\n<summary>What it said</summary>\n\n${text.trim()}\n\n</details>\n`;
  await host.editComment(thread.pull, comment, host.budget.size(body) <= host.budget.most ? body : head);
  await host.setMinimized(comment, true);
}

/** Compares bodies as the hosts store them: with other line breaks, and without white space at the end. */
function isSameText(one: string, other: string): boolean {
  const normalize = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return normalize(one) === normalize(other);
}
