/** Says how a run goes on: who may unblock what is blocked, and every step that is needed, with the command that has all flags. */
import { type BlockingCheck, blockingChecks, type Change, type SafetyCheck, writesOnService } from '../../core/model/change.ts';
import { groupBy } from '../../core/model/collections.ts';
import { shellText } from '../../core/model/command-line.ts';
import { type Decision, holdsOf, type NextStep } from '../../core/model/decision.ts';
import { liftText } from '../../core/model/lift.ts';
import { changesSent, type Plan } from '../../core/model/plan.ts';
import { instantText, runHolds } from './holds.ts';
import { namesOf, quoteFlags, sentence } from './labels.ts';
import type { Line } from './model.ts';

/** Leads from a run that failed to the page that says what to run first. */
export const INCIDENTS: Line = { style: 'quiet', text: 'What to run first when something went wrong: docs/incidents.md.' };

/** Maximum number of steps that are named. */
const MAX_STEPS = 5;

interface Block {
  readonly change: Change;
  readonly check: BlockingCheck;
}

/** Returns the lines about how a plan goes on that is held back; none where it may be applied. */
export function nextLines(plan: Plan): readonly Line[] {
  const { changes, behind = [], decision } = plan;
  const blocked = [...changes, ...behind].filter((change) => change.blocked !== null);
  const blocks = blocked.flatMap((change): Block[] =>
    (change.blocked ? blockingChecks(change.blocked) : []).map((check) => ({ change, check })),
  );
  if (blocks.length === 0) return decision === undefined || decision.status === 'ready' ? [] : stepsAfter(decision);
  const steps = [...groupBy(blocks, ({ check }) => JSON.stringify([check.lift, SUBJECTS[check.check] ?? check.reason])).values()];
  const sent = new Set(changesSent(plan));
  const later = changes.filter((change) => change.blocked === null && writesOnService(change) && !sent.has(change));
  const rest = skipBlockedText([...sent], later, (plan.unread ?? []).length > 0, runHolds(decision).length > 0);
  // One flag is all that there is to do where nothing but effects, or a number, blocks, each change for itself.
  const isPlain = blocks.every(({ check }) => SUBJECTS[check.check] !== undefined && check.cause === undefined);
  const next = decision?.next ?? [];
  const apply = next.find(({ allow }) => allow !== undefined);
  const isOneFlag = apply !== undefined && steps.length === 1 && isPlain;
  return [
    { style: 'plain', text: `While anything is blocked, apply writes nothing.${rest}` },
    ...(isOneFlag ? [] : stepLines(steps, blocked.length)),
    ...(apply === undefined ? [] : [unblockLine(plan, apply, isOneFlag)]),
    ...next.filter(({ adds }) => adds !== undefined).map(lineOf),
  ];
}

/** Returns the steps of a run that is held back by something else than blocked changes. What to do about reads is said beside them. */
function stepsAfter(decision: Decision): readonly Line[] {
  const ofReads = holdsOf(decision, ['incomplete-read']).map(({ lift }) => lift?.course);
  return decision.next.filter(({ say }) => !ofReads.includes(say)).map(lineOf);
}

/** Says one step: when, and what to do or to run. */
function lineOf({ from, command, say, adds }: NextStep): Line {
  const what = command === undefined ? quoteFlags(say) : `\`${shellText(command)}\``;
  const when =
    adds !== undefined ? 'now: ' : from === 'now' ? '' : from === null ? 'once it does not wait any more: ' : `from ${instantText(from)}: `;
  return { style: 'plain', text: sentence(`${when}${what}`) };
}

/** Says who may apply a blocked plan all the same, when, and how. */
function unblockLine({ target }: Plan, { from, allow = [], command }: NextStep, isOneFlag: boolean): Line {
  const when = from === 'now' ? '' : from === null ? ', once it does not wait any more,' : `, from ${instantText(from)} on,`;
  const who = `anyone who may apply to ${target} (in CI with its approval)${when}`;
  const text =
    command === undefined
      ? `${isOneFlag ? 'To unblock it' : 'Together'}, ${who} overrides: \`${allow.join(' ')}\``
      : `${isOneFlag ? 'To unblock it' : 'In one command'}, ${who} runs: \`${shellText(command)}\``;
  return { style: 'plain', text };
}

/** Says what `--skip-blocked` applies, and what it leaves out because of what is blocked or could not be read; empty without either. */
function skipBlockedText(applied: readonly Change[], later: readonly Change[], hasUnread: boolean, waits: boolean): string {
  if (applied.length === 0 && later.length === 0) return '';
  const names = applied.length === 0 ? 'nothing more' : `the rest${waits ? ', once it does not wait any more' : ''}: ${namesOf(applied)}`;
  const but = later.length === 0 ? '' : `; ${namesOf(later)} must come after what is blocked${hasUnread ? ' or could not be read' : ''}`;
  return ` \`--skip-blocked\` applies ${names}${but}.`;
}

function stepLines(steps: readonly (readonly Block[])[], numberBlocked: number): readonly Line[] {
  const more = steps.length - MAX_STEPS;
  return [
    { style: 'title', text: `To unblock it${steps.length === 1 ? '' : ', all of these are needed'}:` },
    ...steps.slice(0, MAX_STEPS).map((group): Line => ({ style: 'plain', text: stepText(group, numberBlocked), item: 'step' })),
    ...(more > 0 ? [{ style: 'quiet', text: `And ${more} more, each at its change.` } as const] : []),
  ];
}

/** A reason for which changes are blocked that is none of their effects, and no number. */
export interface OtherReason {
  readonly reason: string;
  readonly changes: readonly Change[];
}

/** Returns why changes are blocked other than by what they do to viewers and to protection, or by how many there are. */
export function otherReasons(blocked: readonly Change[]): readonly OtherReason[] {
  const reasons = blocked.flatMap((change) =>
    (change.blocked ? blockingChecks(change.blocked) : []).flatMap(({ check, reason }) =>
      SUBJECTS[check] === undefined ? [{ change, reason }] : [],
    ),
  );
  return [...groupBy(reasons, ({ reason }) => reason)].map(([reason, all]) => ({ reason, changes: all.map(({ change }) => change) }));
}

/** What blocks, in place of the reason where the sentences about effects give that: what weakens or stops, and what is over a limit. */
const SUBJECTS: { readonly [check in SafetyCheck]?: string } = {
  weakening: 'Weakened protection',
  'playback-loss': 'Loss of playback',
  deletes: 'Number of deletes',
  updates: 'Number of updates',
};

/** Formats a step: why, with the changes unless it is about all of them, and what to do. */
function stepText(group: readonly Block[], numberBlocked: number): string {
  const [first] = group;
  if (!first) return '';
  const changes = [...new Set(group.map(({ change }) => change))];
  const { check, reason, lift, cause } = first.check;
  const how = quoteFlags(liftText(lift));
  const names = changes.length === numberBlocked ? '' : ` (${namesOf(changes)})`;
  const subject = SUBJECTS[check];
  if (subject !== undefined) return `${subject}${names}: ${cause === undefined ? '' : `${cause}. `}${how}`;
  return `${names === '' ? '' : `${namesOf(changes)}: `}${sentence(reason)} ${sentence(how)}`;
}
