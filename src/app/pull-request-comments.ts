/** Posts saved plans on a pull request: as comments, and on GitHub as checks and in the summary of the step. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import type { CodeHost } from '../integrations/code-hosts/code-host.ts';
import { markerLine } from '../integrations/code-hosts/comment-marker.ts';
import {
  type DetectOptions,
  detectHost,
  detectPullRequest,
  detectRepository,
  type PullRequest,
  redactToken,
  runPage,
  withCodeHost,
} from '../integrations/code-hosts/detect.ts';
import { CodeHostError } from '../integrations/code-hosts/errors.ts';
import {
  type CommentLinks,
  checkOf,
  commentText,
  isQuiet,
  type PlanOrFailure,
  targetOf,
} from '../integrations/code-hosts/pr-comment-body.ts';
import {
  type CommentDraft,
  markerOf,
  type PostedComment,
  type PullRequestThread,
  updateComments,
} from '../integrations/code-hosts/pr-comments.ts';
import { addToStepSummary, stepSummaryBudget } from '../integrations/code-hosts/step-summary.ts';
import { visible } from '../report/escape.ts';
import type { Options } from '../report/index.ts';
import { proxyFor } from './account/proxy.ts';
import { CliError, failureOf } from './run/exit-codes.ts';
import { info } from './run/messages.ts';
import { plainOptions, reportOrigin } from './run/reports.ts';
import type { AppContext } from './run/runtime.ts';
import { planFile, savedDocuments } from './run/saved-documents.ts';

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
  /** The page of the HTML report, to which the comments link. */
  readonly reportUrl?: string | undefined;
  readonly project?: string | undefined;
}

/** The plans to post and their origin. */
interface CommentContent {
  readonly plans: readonly PlanOrFailure[];
  readonly render: Options;
  readonly links: CommentLinks;
}

/**
 * Posts saved plans on a pull request and prints what was done. A file that does not exist is posted as a failure, and is an error all the
 * same. Sends no request to an account. @throws CliError, CodeHostError
 */
export async function postPlans(io: AppContext, options: CommentOptions): Promise<void> {
  const { env } = io;
  const host = detectHost(env, options);
  const noPlan = missingPlanError(io, options.plan);
  const content = {
    plans: savedPlans(io, options.plan, noPlan),
    render: plainOptions(reportOrigin({ ...io, argv: ['plan'] }, options.project)),
    links: { page: runPage(env, host), report: reportPage(options.reportUrl) },
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
  if (noPlan !== null) throw noPlan;
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
    const check = io.secrets.redactIn(checkOf(document, content.render, host.checks.budget, head, content.links));
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
  { plans, render, links }: CommentContent,
): readonly CommentDraft[] {
  return plans.map((document) => {
    const target = targetOf(document);
    const marker = markerLine(markerOf(thread, target));
    const text = commentText(io.secrets.redactIn(document), render, budget, { commit: thread.commit, ...links }, marker);
    return { target, text, quiet: isQuiet(document) };
  });
}

/** Checks the address of the HTML report; null for none. @throws CliError if it could be anything but a plain link */
function reportPage(url: string | undefined): string | null {
  if (url === undefined) return null;
  if (url.length <= MAX_ADDRESS_LENGTH && /^https:\/\/[\w.:/~%-]+$/.test(url) && URL.canParse(url)) return url;
  const hint = 'it has letters, digits, `/`, `-`, `_`, `.`, `~`, `:` and `%` only, and so neither a user nor a query';
  throw new CliError(EXIT_CODES.invalid, 'usage', '--report-url is not the https address of a page', hint);
}

/** Maximum length of the address of a report, characters. */
const MAX_ADDRESS_LENGTH = 2000;

/** Returns the error about the files that do not exist, because planning ended before it wrote them; null if all exist. */
function missingPlanError(io: AppContext, files: readonly string[]): CliError | null {
  const missing = files.filter((file) => !existsSync(resolve(io.cwd, file)));
  if (missing.length === 0) return null;
  return new CliError(
    EXIT_CODES.invalid,
    'no-plan',
    `there is no plan: ${missing.join(', ')} was not written`,
    'the log of the job that plans says why it ended before that; it can be run again',
  );
}

/** Reads the plans of all files that exist. @throws CliError if a document is not a plan, or two are of the same target */
function savedPlans(io: AppContext, files: readonly string[], noPlan: CliError | null): readonly PlanOrFailure[] {
  if (files.length === 0) throw new CliError(EXIT_CODES.invalid, 'usage', '--plan names no file', planFile('plan.json').hint);
  const saved = files.filter((file) => existsSync(resolve(io.cwd, file)));
  const read = saved.flatMap((file) =>
    savedDocuments(io, file).map((document): PlanOrFailure => {
      if (document.type === 'plan' || document.type === 'drift' || document.type === 'failure') return document;
      throw new CliError(EXIT_CODES.invalid, 'saved-document', `${file}: it holds no plan`, planFile(file).hint);
    }),
  );
  const plans: readonly PlanOrFailure[] = noPlan === null ? read : [...read, { type: 'failure', failure: failureOf(null, noPlan) }];
  const targets = plans.map(targetOf);
  const repeated = targets.find((target, index) => targets.indexOf(target) !== index);
  if (repeated === undefined) return plans;
  throw new CliError(EXIT_CODES.invalid, 'saved-document', `there are two plans for ${nameOf(repeated)}`, 'name each plan once');
}

function writeSummary({ env, secrets }: AppContext, { plans, render, links }: CommentContent): void {
  const budget = stepSummaryBudget(env, plans.length);
  for (const document of plans)
    addToStepSummary(env, `${commentText(secrets.redactIn(document), render, budget, { commit: null, ...links })}\n`);
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
  return new CodeHostError(error.category, error.code, error.message, hint, error.status);
}
