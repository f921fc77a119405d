import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import type { NoiseOptions } from '../../app/options.ts';
import { info } from '../../app/output.ts';
import { reportOriginOf } from '../../app/report-origin.ts';
import type { CliContext } from '../../app/runtime.ts';
import { savedDocuments } from '../../app/saved-documents.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { markerLine } from '../../code-hosts/comment-marker.ts';
import { type DetectOptions, detect, hideToken, hostOf, runPage } from '../../code-hosts/detect.ts';
import { CodeHostError } from '../../code-hosts/errors.ts';
import { withHost } from '../../code-hosts/open.ts';
import { checkOf, isQuiet, type PlannedComment, targetOf, textOf } from '../../code-hosts/pr-comment-body.ts';
import { keepComments, markerOf, type PostedComment, type Thread } from '../../code-hosts/pr-comments.ts';
import { type PullRequest, pullRequestOf } from '../../code-hosts/pull-request.ts';
import { addToSummary, summaryRoom } from '../../code-hosts/step-summary.ts';
import { visible } from '../../report/escape.ts';
import type { ReportOrigin } from '../../report/index.ts';

/** Flags of `comment`. */
export interface CommentOptions extends NoiseOptions, DetectOptions {
  readonly plan: readonly string[];
  readonly number?: number | undefined;
  readonly id?: string | undefined;
  readonly partial?: true | undefined;
  readonly summary?: true | undefined;
  readonly check?: true | undefined;
  readonly project?: string | undefined;
}

/** The plans to post and their origin. */
interface CommentContent {
  readonly plans: readonly PlannedComment[];
  readonly site: ReportOrigin;
  readonly page: string | null;
}

/** Runs `comment`: posts saved plans on a pull request. Sends no request to an account. */
export async function comment(io: CliContext, options: CommentOptions): Promise<ExitCode> {
  const host = hostOf(io, options);
  const content = {
    plans: savedPlans(io, options.plan),
    site: reportOriginOf({ ...io, argv: ['plan'] }, options.project),
    page: runPage(io, host),
  };
  if (host === 'gitlab' && (options.check || options.summary))
    throw new CliError(EXIT_CODES.invalid, 'host', '--check and --summary are for GitHub', 'leave them out: GitLab shows neither');
  hideToken(io, host);
  // Written first, since it needs no permission.
  if (options.summary) writeSummary(io, content);
  const pull = pullRequestOf(io, host, options.number);
  const detected = detect(io, options);
  await withHost(io, detected, (opened) => postComments(io, options, opened, pull, content)).catch((error: unknown) => {
    throw pull.foreign ? withForkHint(error) : error;
  });
  return EXIT_CODES.done;
}

async function postComments(
  io: CliContext,
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
  const thread = { pull: pull.number, commit: head, project: options.id ?? (content.site.folder || '.') };
  const kept = await keepComments(host, thread, draftsOf(io, host, thread, content), options.partial !== true);
  for (const each of kept) printLine(io, lineOf(each));
  if (!options.check || host.checks === null) return;
  for (const planned of content.plans) {
    const check = io.secrets.hiddenIn(checkOf(planned, content.site, host.checks.room, head, content.page));
    printLine(io, `${nameOf(targetOf(planned))}: check added ${visible(await host.checks.add(check))}`);
  }
}

/** Prints a redacted line: a response of the host may contain anything. */
function printLine({ stdout, secrets }: CliContext, line: string): void {
  stdout.write(`${secrets.hidden(line)}\n`);
}

function draftsOf(io: CliContext, { room: budget }: CodeHost, thread: Thread, { plans, site, page }: CommentContent) {
  return plans.map((planned) => {
    const target = targetOf(planned);
    const reserved = markerLine(markerOf(thread, target));
    const text = textOf(io.secrets.hiddenIn(planned), site, budget, { commit: thread.commit, page }, reserved);
    return { target, text, quiet: isQuiet(planned) };
  });
}

/** Reads the plans of all files. @throws CliError if a document is not a plan, or two are of the same target */
function savedPlans(io: CliContext, files: readonly string[]): readonly PlannedComment[] {
  if (files.length === 0)
    throw new CliError(EXIT_CODES.invalid, 'usage', '--plan names no file', 'make one with `upkeep plan --out json=FILE`');
  const plans = files.flatMap((file) =>
    savedDocuments(io, file).map((document): PlannedComment => {
      if (document.type === 'plan' || document.type === 'drift' || document.type === 'failure') return document;
      throw new CliError(EXIT_CODES.invalid, 'saved-document', `${file}: it holds no plan`, 'make it with `upkeep plan --out json=FILE`');
    }),
  );
  const targets = plans.map(targetOf);
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice === undefined) return plans;
  throw new CliError(EXIT_CODES.invalid, 'saved-document', `there are two plans for ${nameOf(twice)}`, 'name each plan once');
}

function writeSummary(io: CliContext, { plans, site, page }: CommentContent): void {
  const budget = summaryRoom(io, plans.length);
  for (const planned of plans) addToSummary(io, `${textOf(io.secrets.hiddenIn(planned), site, budget, { commit: null, page })}\n`);
}

const WORDS: { readonly [what in PostedComment['what']]: string } = {
  created: 'comment added',
  updated: 'comment updated',
  unchanged: 'comment is up to date',
  outdated: 'comment marked as outdated',
  none: 'no changes, and no comment',
};

function lineOf({ target, what, url }: PostedComment): string {
  return `${nameOf(target)}: ${WORDS[what]}${url === '' ? '' : ` ${visible(url)}`}`;
}

function nameOf(target: string): string {
  return target === '' ? '(no target)' : visible(target);
}

/** Adds a hint to 403 errors: jobs for pull requests from forks have a read-only token, whatever the workflow requests. */
function withForkHint(error: unknown): unknown {
  if (!(error instanceof CodeHostError) || error.status !== 403) return error;
  const hint =
    'the pull request comes from a fork, where the token may only read: use --summary there, or comment from a workflow of your own branch (see docs/ci.md)';
  return new CodeHostError(error.exit, error.code, error.message, hint, error.status);
}
