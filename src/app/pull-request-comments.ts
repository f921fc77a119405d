/** Posts saved plans on a pull request: as comments, and on GitHub as checks and in the summary of the step. */

import type { CodeHost } from '../code-hosts/code-host.ts';
import { markerLine } from '../code-hosts/comment-marker.ts';
import {
  type DetectOptions,
  detectHost,
  detectPullRequest,
  detectRepository,
  type PullRequest,
  redactToken,
  runPage,
  withCodeHost,
} from '../code-hosts/detect.ts';
import { CodeHostError } from '../code-hosts/errors.ts';
import { checkOf, commentText, isQuiet, type PlanOrFailure, targetOf } from '../code-hosts/pr-comment-body.ts';
import { type CommentDraft, markerOf, type PostedComment, type PullRequestThread, updateComments } from '../code-hosts/pr-comments.ts';
import { addToStepSummary, stepSummaryBudget } from '../code-hosts/step-summary.ts';
import { visible } from '../report/escape.ts';
import type { Options } from '../report/index.ts';
import { CliError, EXIT_CODES } from './exit-codes.ts';
import { info } from './messages.ts';
import { proxyFor } from './proxy.ts';
import { plainOptions, reportOrigin } from './reports.ts';
import type { AppContext } from './runtime.ts';
import { savedDocuments } from './saved-documents.ts';

/** Options of `comment`. */
export interface CommentOptions extends DetectOptions {
  /** Files with saved plans. */
  readonly plan: readonly string[];
  /** The number of the pull request. */
  readonly number?: number | undefined;
  /** Distinguishes the projects of a repository. */
  readonly id?: string | undefined;
  /** Whether other jobs comment on other targets, so that their comments stay. */
  readonly partial?: true | undefined;
  /** Whether the plans are added to the summary of the step. */
  readonly summary?: true | undefined;
  /** Whether each plan becomes a check of the commit. */
  readonly check?: true | undefined;
  readonly project?: string | undefined;
}

/** The plans to post and their origin. */
interface CommentContent {
  readonly plans: readonly PlanOrFailure[];
  readonly render: Options;
  /** The page of the run; null if unknown. */
  readonly page: string | null;
}

/** Posts saved plans on a pull request and prints what was done. Sends no request to an account. @throws CliError, CodeHostError */
export async function postPlans(io: AppContext, options: CommentOptions): Promise<void> {
  const { env } = io;
  const host = detectHost(env, options);
  const content = {
    plans: savedPlans(io, options.plan),
    render: plainOptions(reportOrigin({ ...io, argv: ['plan'] }, options.project)),
    page: runPage(env, host),
  };
  if (host === 'gitlab' && (options.check || options.summary))
    throw new CliError(EXIT_CODES.invalid, 'host', '--check and --summary are for GitHub', 'leave them out: GitLab shows neither');
  const detectContext = { env, addSecret: io.secrets.add };
  redactToken(detectContext, host);
  // Written first, since it needs no permission.
  if (options.summary) writeSummary(io, content);
  const pull = detectPullRequest(env, host, options.number);
  const access = detectRepository(detectContext, options);
  try {
    await withCodeHost({ ...io, proxyFor: (url) => proxyFor(url, io) }, access, (opened) =>
      postComments(io, options, opened, pull, content),
    );
  } catch (error) {
    throw pull.fromFork ? withForkHint(error) : error;
  }
}

async function postComments(
  io: AppContext,
  options: CommentOptions,
  host: CodeHost,
  pull: PullRequest,
  content: CommentContent,
): Promise<void> {
  const head = await host.headOf(pull.number);
  if (pull.commit !== null && pull.commit !== head) {
    info(
      io,
      `the pull request has moved on to commit ${head.slice(0, 12)}, its comments are left unchanged, and the next run updates them`,
    );
    return;
  }
  const thread = { pull: pull.number, commit: head, project: options.id ?? (content.render.origin.folder || '.') };
  const posted = await updateComments(host, thread, draftsOf(io, host, thread, content), options.partial !== true);
  for (const each of posted) printLine(io, each.target, ACTIONS[each.action], each.url);
  if (!options.check || host.checks === null) return;
  for (const document of content.plans) {
    const check = io.secrets.redactIn(checkOf(document, content.render, host.checks.budget, head, content.page));
    printLine(io, targetOf(document), 'check added', await host.checks.add(check));
  }
}

/** Prints what was done for a target. The line is redacted, since a response of the host may contain anything. */
function printLine({ stdout, secrets }: AppContext, target: string | null, action: string, url: string | null): void {
  stdout.write(`${secrets.redact(`${nameOf(target)}: ${action}${url ? ` ${visible(url)}` : ''}`)}\n`);
}

function draftsOf(
  io: AppContext,
  { budget }: CodeHost,
  thread: PullRequestThread,
  { plans, render, page }: CommentContent,
): readonly CommentDraft[] {
  return plans.map((document) => {
    const target = targetOf(document);
    const marker = markerLine(markerOf(thread, target));
    const text = commentText(io.secrets.redactIn(document), render, budget, { commit: thread.commit, page }, marker);
    return { target, text, quiet: isQuiet(document) };
  });
}

/** Reads the plans of all files. @throws CliError if a document is not a plan, or two are of the same target */
function savedPlans(io: AppContext, files: readonly string[]): readonly PlanOrFailure[] {
  if (files.length === 0)
    throw new CliError(EXIT_CODES.invalid, 'usage', '--plan names no file', 'make one with `upkeep plan --out json=FILE`');
  const plans = files.flatMap((file) =>
    savedDocuments(io, file).map((document): PlanOrFailure => {
      if (document.type === 'plan' || document.type === 'drift' || document.type === 'failure') return document;
      throw new CliError(EXIT_CODES.invalid, 'saved-document', `${file}: it holds no plan`, 'make it with `upkeep plan --out json=FILE`');
    }),
  );
  const targets = plans.map(targetOf);
  const repeated = targets.find((target, index) => targets.indexOf(target) !== index);
  if (repeated === undefined) return plans;
  throw new CliError(EXIT_CODES.invalid, 'saved-document', `there are two plans for ${nameOf(repeated)}`, 'name each plan once');
}

function writeSummary({ env, secrets }: AppContext, { plans, render, page }: CommentContent): void {
  const budget = stepSummaryBudget(env, plans.length);
  for (const document of plans)
    addToStepSummary(env, `${commentText(secrets.redactIn(document), render, budget, { commit: null, page })}\n`);
}

const ACTIONS: { readonly [action in PostedComment['action']]: string } = {
  created: 'comment added',
  updated: 'comment updated',
  unchanged: 'comment is up to date',
  outdated: 'comment marked as outdated',
  none: 'no changes, and no comment',
};

function nameOf(target: string | null): string {
  return target === null ? '(no target)' : visible(target);
}

/** Adds a hint to 403 errors: jobs for pull requests from forks have a read-only token, whatever the workflow requests. */
function withForkHint(error: unknown): unknown {
  if (!(error instanceof CodeHostError) || error.status !== 403) return error;
  const hint =
    'the pull request comes from a fork, where the token may only read: use --summary there, or comment from a workflow of your own branch (see docs/ci.md)';
  return new CodeHostError(error.kind, error.code, error.message, hint, error.status);
}
