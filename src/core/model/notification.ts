/** A notification about a run, as receivers of `notify` get it (schemas/notification.schema.json). */
import type { Decision } from './decision.ts';
import type { Outcome } from './outcome.ts';
import type { Plan } from './plan.ts';

/** What a receiver can be told, the most serious event first. */
export const NOTIFICATION_EVENTS = ['failed', 'blocked', 'drift', 'applied'] as const;

/** An event that a receiver is told. */
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** The forms in which a receiver takes notifications. */
export const NOTIFICATION_FORMATS = ['json', 'slack', 'teams'] as const;

/** The form in which a receiver takes notifications. */
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** One notification: an event of a run, with all targets that have it. */
export interface Notification {
  readonly schemaVersion: 1;
  readonly event: NotificationEvent;
  readonly command: string;
  readonly project: string;
  readonly runId: string;
  readonly at: string;
  readonly by: string;
  /** The address of the CI job; null where it is not known. */
  readonly link: string | null;
  readonly targets: readonly NotifiedTarget[];
}

/** How a run ended for a target. */
export interface NotifiedTarget {
  readonly target: string;
  readonly exit: number;
  /** The commit of the configuration; null where it is not known. */
  readonly commit: string | null;
  /** What the run may do, or might when it was decided; null where that was not decided. */
  readonly decision: Pick<Decision, 'status' | 'until'> | null;
  /** What the plan does to viewers and to protection; null where there is no plan. */
  readonly risks: string | null;
  /** What was planned; null where there is no plan. */
  readonly counts: Pick<Plan['summary'], 'create' | 'update' | 'delete' | 'blocked'> | null;
  /** What was done; null where nothing was applied. */
  readonly results: Outcome['summary'] | null;
  /** The error that ended the run; null where there is none. */
  readonly error: string | null;
}
