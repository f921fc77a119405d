/** The text of a comment and of a check, from a saved plan. */
import { type Decision, isLiftedByMerge } from '../../core/model/decision.ts';
import type { ErrorReport, Plan } from '../../core/model/plan.ts';
import type { Options } from '../../report/index.ts';
import { annotationsOf } from '../../report/machine/diagnostics.ts';
import { fitMarkdown, type MarkdownBudget } from '../../report/markdown/fit-to-size.ts';
import { cut } from '../../report/text/layout.ts';
import { kindsWithStatus } from '../../report/view/labels.ts';
import { verdictView } from '../../report/view/verdict.ts';
import type { CommitCheck } from './code-host.ts';

/** A saved plan, or the error report in its place. */
export type PlanOrFailure =
  | { readonly type: 'plan' | 'drift'; readonly plan: Plan }
  | { readonly type: 'failure'; readonly failure: ErrorReport };

/** Returns the target of a document; null if the run stopped before it came to one. */
export function targetOf(document: PlanOrFailure): string | null {
  return document.type === 'failure' ? document.failure.target : document.plan.target;
}

/** Decides whether a plan needs no comment: no changes, no warnings, and every read complete. */
export function isQuiet(document: PlanOrFailure): boolean {
  if (document.type === 'failure') return false;
  const { summary, findings } = document.plan;
  return (
    summary.create +
      summary.update +
      summary.delete +
      summary.blocked +
      findings.length +
      kindsWithStatus(document.plan, 'incomplete').length ===
    0
  );
}

/** The pages that a text links to: that of the run which made it, and that of its HTML report; null if unknown. */
export interface CommentLinks {
  readonly page: string | null;
  readonly report: string | null;
}

/** The commit that a text describes, null if unknown, and its links. */
interface CommentOrigin extends CommentLinks {
  readonly commit: string | null;
}

/** Renders a document as Markdown. `reserved` is other text that shares the budget. */
export function commentText(
  document: PlanOrFailure,
  options: Options,
  budget: MarkdownBudget,
  origin: CommentOrigin,
  reserved = '',
): string {
  const footer = footerOf(origin);
  const most = budget.most - budget.size(reserved) - budget.size(footer) - 1;
  return fitMarkdown(document, options, { ...budget, most }) + footer;
}

function footerOf({ commit, page, report }: CommentOrigin): string {
  const parts = [
    ...(commit === null ? [] : [` for commit \`${commit.slice(0, 12)}\``]),
    ...(page === null ? [] : [` by [this run](${page})`]),
  ];
  const sentences = [
    ...(parts.length === 0 ? [] : [`Made${parts.join('')}.`]),
    ...(report === null ? [] : [`[The report with pictures](${report}).`]),
  ];
  return sentences.length === 0 ? '' : `\n${sentences.join(' ')}\n`;
}

/**
 * Builds the check of a plan. It fails if the plan failed or nobody can tell all, requires action if changes are blocked, and is neutral while an
 * apply would wait for something else than a merge.
 */
export function checkOf(
  document: PlanOrFailure,
  options: Options,
  budget: MarkdownBudget,
  commit: string,
  links: CommentLinks,
): CommitCheck {
  const target = targetOf(document);
  const name = `upkeep${target === null ? '' : `: ${target}`}${options.origin.folder === '' ? '' : ` (${options.origin.folder})`}`;
  const annotations = annotationsOf([document], options.origin);
  const summary = commentText(document, options, budget, { commit, ...links });
  return { name, commit, summary, annotations, ...conclusionOf(document) };
}

/** Maximum length of the title of a check, characters. */
const MAX_TITLE_LENGTH = 240;

function conclusionOf(document: PlanOrFailure): Pick<CommitCheck, 'conclusion' | 'title'> {
  if (document.type === 'failure') return { conclusion: 'failure', title: `Failed: ${document.failure.error.code}` };
  const { plan, type } = document;
  const isIncomplete = kindsWithStatus(plan, 'incomplete').length > 0;
  return {
    conclusion: isIncomplete ? 'failure' : conclusionOfDecision(plan.decision),
    title: cut(verdictView(type, plan).headline, MAX_TITLE_LENGTH),
  };
}

/** Returns how a check ends. Waiting is no failure, and no success either unless a merge ends it. */
function conclusionOfDecision(decision: Decision | undefined): CommitCheck['conclusion'] {
  switch (decision?.status) {
    case 'unknown':
    case 'refused':
      return 'failure';
    case 'blocked':
      return 'action_required';
    case 'waits':
      return decision.holds.every(isLiftedByMerge) ? 'success' : 'neutral';
    default:
      return 'success';
  }
}
