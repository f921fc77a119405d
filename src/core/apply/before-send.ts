import { type DesiredResource, isLiveObject, type LiveResource, type WhyNotDeclarable, type WriteRequest } from '../kinds/kind.ts';
import { copyFields, isIgnored } from '../model/ignored-fields.ts';
import { equal } from '../model/json.ts';
import { differencesInReadFields } from '../plan/diff-resources.ts';
import { sendsIgnored, whyNotSendable, withLiveValues } from '../plan/ignored-fields.ts';
import { resetMembers } from '../safety/reset-members.ts';
import { assessChange, type PlannedChange } from '../state/planned-change.ts';

/** What is known right before a request of a change is sent. */
export interface SendFacts {
  /** The object as it was just read; null where there is none. */
  readonly live: LiveResource | null;
  /** The request that is about to be sent. */
  readonly write: WriteRequest;
  /** Whether this run may have sent it before, so that it may have made what was read. */
  readonly mayHaveWritten: boolean;
  /**
   * What reads may still show although this run has replaced it, or may have: objects, or null for none. Empty where they had the time to
   * show what was written (design section 4, rule 15).
   */
  readonly outdated: readonly (LiveResource | null)[];
  /** JSON Pointers of members that upkeep does not know and that an update may reset (`service.resettable_members`). */
  readonly resettable: readonly string[];
  readonly whyNotDeclarable: WhyNotDeclarable;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * What is to be done with a change:
 * - `send`: its object is as planned. `planned` is what is sent: with the ignored fields as they are now, or without what is written already.
 * - `done`: its object is as desired, and this run may have made it so; `id` is the remote ID of one that it created
 * - `unchanged`: its object is as desired, and somebody else made it so
 * - `unseen`: reads may show later what this run wrote
 * - `failed`: anything else; nothing is overwritten
 */
export type BeforeSend =
  | { readonly state: 'send'; readonly planned: PlannedChange }
  | { readonly state: 'done'; readonly id?: string }
  | { readonly state: 'unchanged'; readonly reason: string }
  | { readonly state: 'unseen' }
  | { readonly state: 'failed'; readonly reason: string };

/** Decides what is to be done with a change, by what was just read (design section 4, rules 3 and 4). Pure. */
export function beforeSend(planned: PlannedChange, facts: SendFacts): BeforeSend {
  const { kind, desired } = planned;
  const { live, mayHaveWritten, resettable } = facts;
  if (facts.outdated.some((outdated) => isSame(planned, outdated, live, resettable))) return { state: 'unseen' };
  if (planned.live === null) return live === null ? { state: 'send', planned } : created(planned.desired, planned, live, facts);
  if (live === null) {
    if (desired) return stale('it is gone');
    return mayHaveWritten ? { state: 'done' } : { state: 'unchanged', reason: GONE };
  }
  if (isUnchanged(planned, live, resettable)) return withValuesOf(planned, live, facts);
  if (desired === null) return stale(CHANGED);
  if (differencesInReadFields(kind, desired, live, facts.now).length === 0)
    return mayHaveWritten ? { state: 'done' } : { state: 'unchanged', reason: 'it was as desired already, and nothing was sent' };
  const written = mayHaveWritten ? afterRequest(planned, facts.write) : undefined;
  return written && isUnchanged(written, live, resettable) ? withValuesOf(written, live, facts) : stale(CHANGED);
}

/** Why a delete is not this run's. */
const GONE = 'it was gone already';

const CHANGED = 'it changed since the plan was made; plan again';

function stale(reason: string): BeforeSend {
  return { state: 'failed', reason: `stale: ${reason}` };
}

/** Returns a change as it is planned after one of its several requests; undefined where its kind sends only one. */
export function afterRequest(planned: PlannedChange, write: WriteRequest): PlannedChange | undefined {
  const { kind, desired, live } = planned;
  if (!desired || !live || !kind.afterRequest) return undefined;
  return { ...planned, desired, live: { ...live, fields: kind.afterRequest(live.fields, write) } };
}

/** Decides about a create that finds an object. */
function created(
  desired: DesiredResource,
  { kind }: PlannedChange,
  live: LiveResource,
  { mayHaveWritten, now }: Pick<SendFacts, 'mayHaveWritten' | 'now'>,
): BeforeSend {
  if (!mayHaveWritten) return stale(`it already exists (${live.id})`);
  const [difference] = differencesInReadFields(kind, desired, live, now);
  if (!difference) return { state: 'done', ...(live.id === null ? {} : { id: live.id }) };
  return isMatched(desired, live)
    ? stale(`another object exists (${live.id}), which differs in ${difference.path}`)
    : {
        state: 'failed',
        reason: `${live.id} is probably what was created, under another form of its name; if it is, name it under \`adopt\``,
      };
}

function isMatched({ matchKeys }: DesiredResource, live: LiveResource): boolean {
  return matchKeys.some((key) => ('id' in key ? key.id === live.id : isLiveObject(live) && key.remoteName === live.remoteName));
}

/** Decides whether a read shows the state before a change. */
function isSame(planned: PlannedChange, before: LiveResource | null, live: LiveResource | null, resettable: readonly string[]): boolean {
  return before === null || live === null ? before === live : isAsBefore(planned, before, live, resettable);
}

/** Decides whether the object of a change is as it was planned, as far as the change is concerned. */
function isUnchanged(planned: PlannedChange, live: LiveResource, resettable: readonly string[]): boolean {
  return planned.live !== null && isAsBefore(planned, planned.live, live, resettable);
}

/**
 * Decides whether an object is as before, whatever others did to the ignored fields of a change. Members that upkeep does not know count where
 * the change would reset them, unless the target accepts that.
 */
function isAsBefore(
  { kind, change, desired }: PlannedChange,
  before: LiveResource,
  live: LiveResource,
  resettable: readonly string[],
): boolean {
  const ignored = desired?.ignored ?? [];
  const lost = (resource: LiveResource) =>
    resetMembers(kind, resource, change.fields, resettable)
      .others.filter(({ path }) => !isIgnored(ignored, path))
      .map(({ path, value }) => ({ path, value }));
  return equal(before.fields, copyFields({ into: live.fields, from: before.fields, paths: ignored })) && equal(lost(before), lost(live));
}

/**
 * Sends a change whose object is as planned: with the ignored fields as they are now, where they are sent. Not where these make it another
 * change than the one that was planned.
 */
function withValuesOf(planned: PlannedChange, live: LiveResource, { whyNotDeclarable, now }: SendFacts): BeforeSend {
  const { kind, desired } = planned;
  if (hasOtherRisk(planned, live)) return stale('with the ignored fields as they are now, it would have another effect; plan again');
  if (!desired || !sendsIgnored(kind, planned)) return { state: 'send', planned };
  const fresh = { ...planned, desired: withLiveValues(kind, desired, live), live };
  const invalid = whyNotSendable(kind, fresh, whyNotDeclarable, now);
  return invalid === undefined
    ? { state: 'send', planned: fresh }
    : stale(`with the ignored fields as they are now, it could not be declared: ${invalid}`);
}

/** Decides whether an update has another effect on protection or playback than planned, because others changed its ignored fields. */
function hasOtherRisk({ kind, desired, live, change }: PlannedChange, current: LiveResource): boolean {
  if (!desired || !live || equal(live.fields, current.fields)) return false;
  const assessed = (before: LiveResource, after: DesiredResource) => assessChange({ kind, action: 'update', before, after }, change.fields);
  const [planned, now] = [assessed(live, desired), assessed(current, withLiveValues(kind, desired, current))];
  return planned.effect !== now.effect || planned.playback !== now.playback;
}
