/** Says in one line what a plan does to viewers and to protection: its verdict (design section 5, JSON). */
import { type Change, type Playback, type PlaybackReason, writesOnService } from '../model/change.ts';
import { firstOf, groupBy } from '../model/collections.ts';
import { countPolicies } from '../model/impact.ts';
import type { Plan, UnreadKind } from '../model/plan.ts';

/** Maximum number of classes of devices that are named together, and of clauses about what stops. */
const MAX_NAMED = 3;

/**
 * Returns the verdict on a plan or a drift report: what could not be read, then the risks of the changes, worst first, with what stops in
 * words; or that there is none.
 */
export function verdictOf(
  type: 'plan' | 'drift',
  { changes, observed, unread = [], behind = [] }: Pick<Plan, 'changes' | 'observed' | 'unread' | 'behind'>,
): string {
  const statuses = Object.values(observed);
  const onRead = (scope: string | null) => verdictOnRead(type, changes, behind.length, scope);
  if (unread.length === 0) return onRead(statuses.includes('skipped') ? 'was looked at' : null);
  const nothing = type === 'plan' ? 'Nothing was planned' : 'Nothing was compared';
  if (!statuses.includes('complete')) return `${unreadSentence(unread)} ${nothing}.`;
  const kinds = unread.map(({ kind }) => kind).join(', ');
  return `${unreadSentence(unread)} ${nothing} for ${kinds}. ${onRead('could be read')}`;
}

/** Says why not everything could be read: that credentials were refused before all else, and else the first reason. */
function unreadSentence(unread: readonly UnreadKind[]): string {
  const refused = unread.find((each) => each.refused);
  return refused ? `Credentials refused (${refused.reason}).` : `The account could not be read: ${unread[0]?.reason ?? ''}.`;
}

/** Returns the verdict on what was read; `scope` says what that is, null = everything. `behind` is the number of changes behind. */
function verdictOnRead(type: 'plan' | 'drift', changes: readonly Change[], behind: number, scope: string | null): string {
  const written = changes.filter(writesOnService);
  if (written.length === 0 && behind > 0) return 'No change of this commit, which is behind the commit last applied.';
  if (written.length === 0) return scope === null ? UNCHANGED[type] : `No ${type === 'plan' ? 'change' : 'drift'} in what ${scope}.`;
  const risks = riskSentences(written);
  return risks.length === 0 ? 'No change stops or reduces playback, and none weakens protection.' : risks.join(' ');
}

const UNCHANGED = { plan: 'No change: the account matches the repository.', drift: 'No drift: the account is as expected.' } as const;

function riskSentences(written: readonly Change[]): readonly string[] {
  const withPlayback = (playback: Playback) => written.filter((change) => change.playback === playback);
  const loosening = written.filter(({ effect }) => effect === 'loosens');
  const stopping = withPlayback('stops');
  return [
    ...sentence(stopping, 'stops playback', 'stop playback', `: ${clausesOf(stopping).join('; ')}`),
    ...sentence(loosening, 'weakens protection', 'weaken protection'),
    ...sentence(withPlayback('reduces'), 'reduces playback', 'reduce playback'),
    ...sentence(withPlayback('unknown'), 'may affect playback', 'may affect playback'),
  ];
}

/** Returns the sentence that counts changes; none where there are none. */
function sentence({ length }: readonly Change[], one: string, several: string, details = ''): readonly string[] {
  return length === 0 ? [] : [`${length} ${length === 1 ? `change ${one}` : `changes ${several}`}${details}.`];
}

/** Says what stops: what goes off air, the classes of devices that play nothing any more, and other reasons of changes without either. */
function clausesOf(stopping: readonly Change[]): readonly string[] {
  const reasonsOf = ({ playbackReasons = [] }: Change) => playbackReasons.filter(({ playback }) => playback === 'stops');
  const isPlain = ({ offAir, devices }: PlaybackReason) => !offAir && !devices;
  const offAir = stopping.filter((change) => reasonsOf(change).some((reason) => reason.offAir));
  const plain = stopping.map(reasonsOf).filter((reasons) => reasons.every(isPlain));
  const clauses = [
    ...[...groupBy(offAir, ({ kind }) => kind)].map(
      ([kind, { length }]) => `${length} ${length === 1 ? `${kind} goes` : `${kind}s go`} off air`,
    ),
    ...deviceClauses(stopping.flatMap(reasonsOf)),
    ...new Set(plain.flat().map(({ text }) => text)),
  ];
  return firstOf(clauses, MAX_NAMED);
}

/** Names the classes that play nothing any more under the same policies together, expected ones first. */
function deviceClauses(reasons: readonly PlaybackReason[]): readonly string[] {
  const losses = reasons.flatMap(({ devices = [], policies = [], expected = true }) =>
    devices.map(({ name }) => ({ name, policies, expected })),
  );
  const perClass = [...groupBy(losses, ({ name }) => name)].map(([name, all]) => {
    const policies = [...new Set(all.flatMap((loss) => loss.policies))].sort();
    return { name, policies, expected: all.some(({ expected }) => expected) };
  });
  const groups = groupBy(
    perClass.toSorted((a, b) => Number(b.expected) - Number(a.expected)),
    ({ policies, expected }) => JSON.stringify([policies, expected]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const more = group.length - MAX_NAMED;
    const names = [...group.slice(0, MAX_NAMED).map(({ name }) => name), ...(more > 0 ? [`${more} more classes of devices`] : [])];
    const verb = names.length === 1 ? 'loses' : 'lose';
    return [
      `${names.join(' and ')} ${verb} all tracks under ${countPolicies(first.policies)}${first.expected ? '' : ' (not expected to play)'}`,
    ];
  });
}
