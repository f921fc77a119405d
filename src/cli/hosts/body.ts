/** What is said of a target on a pull request. */
import type { Failure, Plan } from '../../model/plan.ts';
import { annotationsOf } from '../../report/annotations.ts';
import type { Options, Site } from '../../report/index.ts';
import { markdownWithin, type Room } from '../../report/markdown-within.ts';
import { kindsSeen, planSummary } from '../../report/words.ts';
import type { Check } from './host.ts';

/** A saved plan, or what stands in its place. */
export type Planned = { readonly type: 'plan' | 'drift'; readonly plan: Plan } | { readonly type: 'failure'; readonly failure: Failure };

/** The target that it is about; empty where it stopped before one. */
export function targetOf(planned: Planned): string {
  return planned.type === 'failure' ? (planned.failure.target ?? '') : planned.plan.target;
}

/** Whether there is nothing that a reviewer would want to know: no change, no doubt, and all of it was read. */
export function isQuiet(planned: Planned): boolean {
  if (planned.type === 'failure') return false;
  const { summary, findings } = planned.plan;
  return summary.create + summary.update + summary.delete + findings.length + kindsSeen(planned.plan, 'incomplete').length === 0;
}

/** What a text says of itself: the commit that it was made for, and the page of the run that made it; null where nobody says. */
export interface Origin {
  readonly commit: string | null;
  readonly page: string | null;
}

/** The plan as Markdown. `reserved` is what else the same text holds. */
export function textOf(planned: Planned, site: Site, room: Room, origin: Origin, reserved = ''): string {
  const foot = footOf(origin);
  const most = room.most - room.size(reserved) - room.size(foot) - 1;
  return markdownWithin(planned, lookOf(site), { ...room, most }) + foot;
}

function footOf({ commit, page }: Origin): string {
  const parts = [
    ...(commit === null ? [] : [` for commit \`${commit.slice(0, 12)}\``]),
    ...(page === null ? [] : [` by [this run](${page})`]),
  ];
  return parts.length === 0 ? '' : `\nMade${parts.join('')}.\n`;
}

/** Nothing is drawn, and nothing is listed that was not asked for. */
export function lookOf(site: Site): Options {
  return { colour: false, width: 100, requests: false, why: false, unmanaged: null, site, earlier: null };
}

/** The verdict on a plan: what could not be planned has failed, and what is held wants somebody to act, for `apply` would write nothing. */
export function checkOf(planned: Planned, site: Site, room: Room, commit: string, page: string | null): Check {
  const name = `upkeep${targetOf(planned) === '' ? '' : `: ${targetOf(planned)}`}${site.folder === '' ? '' : ` (${site.folder})`}`;
  const annotations = annotationsOf([planned], site);
  const summary = textOf(planned, site, room, { commit, page });
  return { name, commit, summary, annotations, ...verdictOf(planned) };
}

function verdictOf(planned: Planned): Pick<Check, 'conclusion' | 'title'> {
  if (planned.type === 'failure') return { conclusion: 'failure', title: `Stopped: ${planned.failure.error.code}` };
  const { plan } = planned;
  const failed = kindsSeen(plan, 'incomplete').length > 0;
  return { conclusion: failed ? 'failure' : plan.summary.held > 0 ? 'action_required' : 'success', title: planSummary(plan) };
}
