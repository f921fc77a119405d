/** The error that ends an apply which its decision holds back. */
import type { Target } from '../core/config/project.ts';
import { liftsText } from '../core/model/change.ts';
import { groupBy, listOf } from '../core/model/collections.ts';
import { shellText } from '../core/model/command-line.ts';
import type { Decision, Hold } from '../core/model/decision.ts';
import type { Plan } from '../core/model/plan.ts';
import { holdText, runHolds } from '../report/view/holds.ts';
import { lockLost } from './history/target-lock.ts';
import { CliError } from './run/exit-codes.ts';
import { joinClauses } from './run/messages.ts';

/**
 * Returns the error of an apply that is held back; null where it goes on. With `skipsHeld`, what is blocked or could not be read is left out of
 * it.
 */
export function refusalOf(target: Target, plan: Plan, decision: Decision, skipsHeld: boolean): CliError | null {
  const { status, exit, holds } = decision;
  const isLeftOut = ({ rule, on }: Hold): boolean => skipsHeld && (on !== null || rule === 'incomplete-read');
  const [first, ...others] = holds.filter((hold) => hold.status === status && !isLeftOut(hold));
  if (first === undefined) return null;
  const refused = (code: string, summary: string, hint: string, shown: Plan | null = { ...plan, decision }) =>
    new CliError(exit, code, summary, hint, [], shown, decision);
  if (first.on !== null) return refused('blocked', ...blockedTexts(plan, decision));
  switch (first.rule) {
    case 'incomplete-read':
      return refused(
        'incomplete-read',
        'not everything could be read, so nothing was written',
        `fix the reads${skipText(decision, 'apply what was read completely')}`,
        null,
      );
    case 'stale-plan':
      return refused('stale-plan', first.reason, `nothing was written; have a new plan reviewed${planText(decision)}`, null);
    case 'lock':
      return lockLost(target);
    case 'not-confirmed':
      return refused(
        'not-confirmed',
        'not confirmed, so nothing was written',
        'run it again and answer the question; without a terminal, confirm with --yes, --plan FILE or --expect FINGERPRINT',
        null,
      );
    default:
      return refused(...waitingTexts(target.name, [first, ...others]));
  }
}

/** Maximum number of addresses that are blocked for one reason and named. */
const MAX_NAMED = 3;

/** Names the command that plans again; empty where the run prints none. */
function planText({ next }: Decision): string {
  const command = next.find((step) => step.command?.[1] === 'plan')?.command;
  return command === undefined ? '' : `: ${shellText(command)}`;
}

/** Returns summary and hint where safety checks block changes. */
function blockedTexts(plan: Plan, decision: Decision): readonly [summary: string, hint: string] {
  const changes = [...plan.changes, ...(plan.behind ?? [])];
  const blocked = changes.flatMap((change) => (change.blocked ? [{ address: change.address, blocked: change.blocked }] : []));
  const byReason = groupBy(blocked, ({ blocked: { check, reason } }) => `by safety check \`${check}\`: ${reason}`);
  const reasons = [...byReason].map(([reason, all]) => {
    const addresses = all.map(({ address }) => address);
    return `${listOf(addresses, MAX_NAMED)} ${reason}`;
  });
  const lifts = [...new Set(blocked.map((each) => liftsText(each.blocked)))];
  return [
    `nothing was written, because changes are blocked (${blocked.length} of ${changes.length}): ${joinClauses(reasons)}`,
    `${joinClauses(lifts)}${skipText(decision, 'apply the rest')}`,
  ];
}

/** Says what --skip-blocked does; empty where that is nothing. */
function skipText(decision: Decision, does: string): string {
  if (decision.withSkip.length === 0) return '';
  return `; or ${does} with --skip-blocked${runHolds(decision).length === 0 ? '' : ', once it does not wait any more'}`;
}

/** Returns code, summary and hint where a run waits, or nobody can tell whether it has to. */
function waitingTexts(target: string, holds: readonly Hold[]): readonly [code: string, summary: string, hint: string] {
  const reviewed = holds.filter(({ rule }) => rule === 'dirty' || rule === 'not-on-branch');
  const allowed = [...new Set(holds.flatMap(({ lift }) => lift?.allow ?? []))].map((allow) => `--allow ${allow}`);
  const isOverridable = holds.every(({ lift }) => lift?.allow !== undefined);
  const override = isOverridable ? [`or override with ${allowed.join(' ')}`] : [];
  const courses = [...new Set(holds.flatMap(({ lift }) => lift?.course ?? []))];
  const promoted = holds.find((hold) => hold.promoted != null)?.promoted;
  const hint = [
    ...courses,
    ...(promoted == null ? [] : [`apply what is promoted with --ref promoted (${promoted.slice(0, 12)})`]),
    ...override,
  ].join(', ');
  const [only] = reviewed;
  if (only !== undefined && reviewed.length === holds.length) return [only.rule, joinClauses(reviewed.map(({ reason }) => reason)), hint];
  const isUnknown = holds.some(({ status }) => status === 'unknown');
  const why = isUnknown ? `nobody can tell whether ${target} has to wait` : `${target} waits`;
  return ['waits', `nothing was written, because ${why}: ${joinClauses([...new Set(holds.map(holdText))])}`, hint];
}
