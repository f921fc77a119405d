/** Says in one line what a plan does to viewers and to protection: its risks (design section 5, JSON). */
import { type Change, type Playback, writesOnService } from '../model/change.ts';
import { firstOf, groupBy } from '../model/collections.ts';
import { deviceClauses } from '../model/device-clauses.ts';
import { stopsUnnamedDevices } from '../model/expected-playback.ts';
import type { Plan, UnreadKind } from '../model/plan.ts';
import { leftOutText, scopeOf } from '../model/plan-scope.ts';

/** Maximum number of clauses about what stops. */
const MAX_CLAUSES = 3;

/**
 * Returns the risks of a plan or a drift report: what could not be read, then the risks of the changes, worst first, with what stops in
 * words, or that there is none; then what `--only-origin` leaves out.
 */
export function risksOf(
  type: 'plan' | 'drift',
  plan: Pick<Plan, 'changes' | 'readStatus' | 'unread' | 'behind' | 'leftOut' | 'base'>,
): string {
  const { readStatus, unread = [], base } = plan;
  if (unread.length === 0) return risksOfRead(type, plan, 'in what was looked at');
  const nothing = type === 'plan' ? 'Nothing was planned' : 'Nothing was compared';
  if (!Object.values(readStatus).includes('complete')) return `${unreadSentence(unread, base)} ${nothing}.`;
  const kinds = unread.map(({ kind }) => kind).join(', ');
  return `${unreadSentence(unread, base)} ${nothing} for ${kinds}. ${risksOfRead(type, plan, 'in what could be read')}`;
}

/** The risks where two commits declare the same. */
const SAME = 'No change: both commits declare the same.';

/** Says why not everything could be read: that credentials were refused before all else, and else the first reason. */
function unreadSentence(unread: readonly UnreadKind[], base: Plan['base']): string {
  if (base) return 'The base does not declare everything, and only the account knows the rest.';
  const refused = unread.find((each) => each.refused);
  return refused ? `Credentials refused (${refused.reason}).` : `The account could not be read: ${unread[0]?.reason ?? ''}.`;
}

/** Returns the risks of what was read; `inPart` names that where it is not everything. */
function risksOfRead(type: 'plan' | 'drift', plan: Parameters<typeof risksOf>[1], inPart: string): string {
  const { changes, behind = [], leftOut } = plan;
  const written = changes.filter(writesOnService);
  const omission = leftOut ? leftOutText(leftOut) : null;
  if (written.length === 0) {
    const scope = scopeOf(plan);
    if (behind.length > 0) return 'No change of this commit, which is behind the commit last applied.';
    if (scope === 'none') return 'Nothing was looked at.';
    if (type === 'plan' && changes.length > 0) return `No change of the account: ${changes.length} of the ledger only.`;
    const nothing = `No ${type === 'plan' ? 'change' : 'drift'} ${inPart}`;
    return scope === 'all' ? (plan.base ? SAME : UNCHANGED[type]) : `${nothing}${omission === null ? '' : `; ${omission}`}.`;
  }
  const risks = riskSentences(written);
  const harmless = plan.base?.unknown ? 'Not all effects are known.' : 'No change stops or reduces playback, and none weakens protection.';
  const sentences = risks.length === 0 ? [harmless] : risks;
  return [...sentences, ...(omission === null ? [] : [`${capitalize(omission)}.`])].join(' ');
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const UNCHANGED = { plan: 'No change: the account matches the repository.', drift: 'No drift: the account is as expected.' } as const;

function riskSentences(written: readonly Change[]): readonly string[] {
  const withPlayback = (playback: Playback) => written.filter((change) => change.playback === playback);
  const weakening = written.filter(({ effect }) => effect === 'weakens');
  const stopping = withPlayback('stops');
  return [
    ...sentence(stopping, 'stops playback', 'stop playback', `: ${clausesOf(stopping).join('; ')}`),
    ...sentence(weakening, 'weakens protection', 'weaken protection'),
    ...sentence(withPlayback('reduces'), 'reduces playback', 'reduce playback'),
    ...sentence(withPlayback('unknown'), 'may affect playback', 'may affect playback'),
  ];
}

/** Returns the sentence that counts changes; none where there are none. */
function sentence({ length }: readonly Change[], one: string, several: string, details = ''): readonly string[] {
  return length === 0 ? [] : [`${length} ${length === 1 ? `change ${one}` : `changes ${several}`}${details}.`];
}

/** Says what stops: what goes off air, the classes of devices that play nothing any more, and the reasons of what else stops. */
function clausesOf(stopping: readonly Change[]): readonly string[] {
  const reasonsOf = ({ playbackReasons = [] }: Change) => playbackReasons.filter(({ playback }) => playback === 'stops');
  const offAir = stopping.filter((change) => reasonsOf(change).some((reason) => reason.offAir));
  const plain = stopping
    .filter(stopsUnnamedDevices)
    .flatMap(reasonsOf)
    .filter(({ devices, expected }) => !devices && expected !== false);
  const clauses = [
    ...[...groupBy(offAir, ({ kind }) => kind)].map(
      ([kind, { length }]) => `${length} ${length === 1 ? `${kind} goes` : `${kind}s go`} off air`,
    ),
    ...deviceClauses(stopping.flatMap(reasonsOf)),
    ...new Set(plain.map(({ text }) => text)),
  ];
  return firstOf(clauses, MAX_CLAUSES);
}
