/** Maintains one comment per target on a pull request. */
import type { CodeHost, Comment } from './code-host.ts';
import { type Marker, markedText, markerLine } from './comment-marker.ts';

/** What is to be said of a target. */
export interface Draft {
  readonly target: string;
  /** Markdown without the marker. */
  readonly text: string;
  /** Whether there is nothing to say: no comment is made for it, but one that is there is brought up to date. */
  readonly quiet: boolean;
}

/** The pull request, the commit that the drafts describe, and the project that they are about. */
export interface Thread {
  readonly pull: number;
  readonly commit: string;
  readonly project: string;
}

/** What became of the comment on a target; `none` where there was nothing to say. */
export interface PostedComment {
  readonly target: string;
  readonly what: 'created' | 'updated' | 'unchanged' | 'outdated' | 'none';
  readonly url: string;
}

/** A comment with its marker and what it says. */
interface Found {
  readonly comment: Comment;
  readonly marker: Marker;
  readonly text: string;
}

/** The marker of a comment that says how things stand. */
export function markerOf({ project, commit }: Thread, target: string): Marker {
  return { about: 'plan', project, target, commit, outdated: false };
}

/**
 * Brings the comments up to date. With `others`, what no longer describes the pull request is marked as outdated as well: comments on
 * targets that are not among the drafts, unless they were made for the same commit by a job beside this one; and what stopped an earlier
 * run before it came to a target. @throws CodeHostError, CliError
 */
export async function keepComments(
  host: CodeHost,
  thread: Thread,
  drafts: readonly Draft[],
  others: boolean,
): Promise<readonly PostedComment[]> {
  const found = (await host.comments(thread.pull)).flatMap((comment): readonly Found[] => {
    const marked = markedText(comment.body);
    return marked?.marker.about === 'plan' && marked.marker.project === thread.project ? [{ comment, ...marked }] : [];
  });
  const kept: PostedComment[] = [];
  for (const draft of drafts) {
    // Two jobs that began at once may have made two: the younger is kept.
    const [last, ...older] = found.filter(({ marker }) => marker.target === draft.target).reverse();
    kept.push(await keepComment(host, thread, draft, last));
    for (const each of older) await outdate(host, thread, each);
  }
  const named = new Set(drafts.map(({ target }) => target));
  const isPast = ({ target, commit }: Marker) => !named.has(target) && (commit !== thread.commit || target === '');
  const left = found.filter(({ marker }) => others && isPast(marker) && !marker.outdated);
  for (const each of left) {
    await outdate(host, thread, each);
    kept.push({ target: each.marker.target, what: 'outdated', url: each.comment.url });
  }
  return kept;
}

async function keepComment(
  host: CodeHost,
  thread: Thread,
  { target, text, quiet }: Draft,
  last: Found | undefined,
): Promise<PostedComment> {
  const body = `${markerLine(markerOf(thread, target))}\n${text}`;
  if (!last) {
    if (quiet) return { target, what: 'none', url: '' };
    return { target, what: 'created', url: (await host.addComment(thread.pull, body)).url };
  }
  const { comment, marker } = last;
  if (same(comment.body, body)) return { target, what: 'unchanged', url: comment.url };
  await host.editComment(thread.pull, comment, body);
  if (marker.outdated) await host.fold(comment, false);
  return { target, what: 'updated', url: comment.url };
}

/** Says that a comment is outdated, and folds away what it said. */
async function outdate(host: CodeHost, thread: Thread, { comment, marker, text }: Found): Promise<void> {
  if (marker.outdated) return;
  const about = `**Outdated:** this is no longer how things stand; the pull request is at commit \`${thread.commit.slice(0, 12)}\` by now.`;
  const head = `${markerLine({ ...marker, outdated: true })}\n${about}\n`;
  const whole = `${head}\n<details>\n<summary>What it said</summary>\n\n${text.trim()}\n\n</details>\n`;
  await host.editComment(thread.pull, comment, host.room.size(whole) <= host.room.most ? whole : head);
  await host.fold(comment, true);
}

/** Hosts keep other line breaks, and cut what is empty at the end. */
function same(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(one) === plain(other);
}
