/** How much of the account a plan or a drift report is about, so that no report claims more than was compared. */
import type { LeftByOrigin, Plan } from './plan.ts';

/** `all`: every managed kind, and every difference. `none`: no kind was read completely. */
export type PlanScope = 'all' | 'part' | 'none';

/** Returns how much a plan or a drift report is about. */
export function scopeOf({ readStatus, unread = [], leftOut }: Pick<Plan, 'readStatus' | 'unread' | 'leftOut'>): PlanScope {
  const statuses = Object.values(readStatus);
  if (!statuses.includes('complete')) return 'none';
  const isPart = statuses.includes('skipped') || statuses.includes('incomplete') || unread.length > 0 || leftOut !== undefined;
  return isPart ? 'part' : 'all';
}

/** Decides whether something was to be read, and nothing was: such a plan says neither that there is something nor that there is nothing. */
export function couldReadNothing(plan: Pick<Plan, 'readStatus' | 'unread' | 'leftOut'>): boolean {
  const isIncomplete = Object.values(plan.readStatus).includes('incomplete') || plan.unread !== undefined;
  return isIncomplete && scopeOf(plan) === 'none';
}

/** Says what `--only-origin` leaves out of a plan. */
export function leftOutText({ onlyOrigin, count }: LeftByOrigin): string {
  const what = onlyOrigin === 'change' ? 'what was done by hand to' : 'what the repository changes in';
  return `${what} ${count} ${count === 1 ? 'resource' : 'resources'} is left out by \`--only-origin ${onlyOrigin}\``;
}
