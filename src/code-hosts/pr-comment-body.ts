/** What is said of a target on a pull request. */
import { diagramOf } from '../app/output.ts';
import type { ErrorReport, Plan } from '../model/plan.ts';
import type { Options, ReportOrigin } from '../report/index.ts';
import { annotationsOf } from '../report/machine/diagnostics.ts';
import { fitMarkdown, type MarkdownBudget } from '../report/markdown/fit-to-size.ts';
import { kindsWithStatus, planSummary } from '../report/view/labels.ts';
import type { Check } from './code-host.ts';

/** A saved plan, or what stands in its place. */
export type PlannedComment =
  | { readonly type: 'plan' | 'drift'; readonly plan: Plan }
  | { readonly type: 'failure'; readonly failure: ErrorReport };

/** The target that it is about; empty where it stopped before one. */
export function targetOf(planned: PlannedComment): string {
  return planned.type === 'failure' ? (planned.failure.target ?? '') : planned.plan.target;
}

/** Decides whether a plan needs no comment: no changes, no warnings, and everything was read. */
export function isQuiet(planned: PlannedComment): boolean {
  if (planned.type === 'failure') return false;
  const { summary, findings } = planned.plan;
  return summary.create + summary.update + summary.delete + findings.length + kindsWithStatus(planned.plan, 'incomplete').length === 0;
}

/** What a text says of itself: the commit that it was made for, and the page of the run that made it; null where nobody says. */
export interface CommentOrigin {
  readonly commit: string | null;
  readonly page: string | null;
}

/** The plan as Markdown. `reserved` is what else the same text holds. */
export function textOf(planned: PlannedComment, site: ReportOrigin, budget: MarkdownBudget, origin: CommentOrigin, reserved = ''): string {
  const foot = footOf(origin);
  const most = budget.most - budget.size(reserved) - budget.size(foot) - 1;
  return fitMarkdown(planned, lookOf(site), { ...budget, most }) + foot;
}

function footOf({ commit, page }: CommentOrigin): string {
  const parts = [
    ...(commit === null ? [] : [` for commit \`${commit.slice(0, 12)}\``]),
    ...(page === null ? [] : [` by [this run](${page})`]),
  ];
  return parts.length === 0 ? '' : `\nMade${parts.join('')}.\n`;
}

/** Nothing is drawn, and nothing is listed that was not asked for. */
export function lookOf(site: ReportOrigin): Options {
  return { color: false, width: 100, requests: false, why: false, unmanaged: null, origin: site, diagramOf, previousReport: null };
}

/**
 * Returns the check conclusion of a plan: a failed plan fails it, and blocked changes require action, since `apply` would write nothing.
 */
export function checkOf(planned: PlannedComment, site: ReportOrigin, budget: MarkdownBudget, commit: string, page: string | null): Check {
  const name = `upkeep${targetOf(planned) === '' ? '' : `: ${targetOf(planned)}`}${site.folder === '' ? '' : ` (${site.folder})`}`;
  const annotations = annotationsOf([planned], site);
  const summary = textOf(planned, site, budget, { commit, page });
  return { name, commit, summary, annotations, ...verdictOf(planned) };
}

function verdictOf(planned: PlannedComment): Pick<Check, 'conclusion' | 'title'> {
  if (planned.type === 'failure') return { conclusion: 'failure', title: `Stopped: ${planned.failure.error.code}` };
  const { plan } = planned;
  const failed = kindsWithStatus(plan, 'incomplete').length > 0;
  return { conclusion: failed ? 'failure' : plan.summary.blocked > 0 ? 'action_required' : 'success', title: planSummary(plan) };
}
