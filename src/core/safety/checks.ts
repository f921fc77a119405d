import type { Limits } from '../config/project.ts';
import { isLiveObject, type Kind } from '../kinds/kind.ts';
import {
  type Action,
  type AllowedCheck,
  type BlockingCheck,
  type BlockReason,
  type Change,
  isDeniedByGuardsOnly,
  type Playback,
  type PlaybackReason,
  type RiskReason,
  reasonsOf,
  type SafetyCheck,
} from '../model/change.ts';
import { firstOf, groupBy } from '../model/collections.ts';
import type { CheckOverride } from '../model/decision.ts';
import { compareStrings } from '../model/finding.ts';
import { matchesGlob } from '../model/glob.ts';
import { isWithin } from '../model/ignored-fields.ts';
import { asString } from '../model/json-readers.ts';
import type { Lift } from '../model/lift.ts';
import { listedPointers } from '../model/member-pointers.ts';
import { namesOf } from '../state/object-globs.ts';
import { formerAddressOf, isBehind, type PlannedChange, withChange } from '../state/planned-change.ts';
import { globsOf, letsThrough, NO_OVERRIDES, type Overrides } from './overrides.ts';
import { resetMembers } from './reset-members.ts';

/** All that the safety checks depend on. */
export interface SafetyInput {
  readonly target: string;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly protect: readonly string[];
  readonly limits: Limits;
  readonly weakening: 'block' | 'allow';
  readonly playbackLoss: 'block' | 'allow' | 'strict';
  readonly overrides: Overrides;
  /** JSON Pointers of members that upkeep does not know and that an update may reset (`service.resettable_members`). */
  readonly resettableMembers: readonly string[];
  /** Number of live objects by kind. */
  readonly liveCount: ReadonlyMap<string, number>;
  /** Number of live objects that viewers can play, by kind. */
  readonly onAirCount: ReadonlyMap<string, number>;
  /** Why a read is suspicious, by kind. */
  readonly suspiciousReads: ReadonlyMap<string, string>;
  /** Why nobody knows that this is the first apply; null where it is known, or where the ledger has an entry. */
  readonly firstApply: { readonly reason: string; readonly lift: Omit<Lift, 'allow'> } | null;
  /** The changes that the user's own guards deny. */
  readonly denied: ReadonlyMap<PlannedChange, BlockingCheck>;
}

/** Returns why a safety check blocks a change, and the override; null where it does not. */
type Check = (planned: PlannedChange, input: SafetyInput, counts: Counts) => BlockingCheck | null;

/** Applies the safety checks (design section 4, rule 9). Of several that block a change, the hardest to override comes first. */
export function applySafetyChecks(changes: readonly PlannedChange[], input: SafetyInput): readonly PlannedChange[] {
  const counts = count(changes, input.overrides);
  return changes.map((each) => withChange(each, { blocked: combine(CHECKS.flatMap((check) => check(each, input, counts) ?? [])) }));
}

/**
 * Counts, by safety check, the selected changes that would be blocked without the overrides. Sorted by check. Guards do not matter, because
 * the fingerprint has these counts and must not depend on who runs upkeep, and where.
 */
export function overriddenChecks(
  changes: readonly PlannedChange[],
  input: SafetyInput,
  isSelected: (change: Change) => boolean,
): readonly CheckOverride[] {
  const checks = overriddenOf(changes, input, isSelected).flatMap((each) => each.checks);
  const overridden = [...groupBy(checks, (check) => check)].map(([check, all]) => ({
    check,
    count: all.length,
    ...globsOf(input.overrides, check),
  }));
  return overridden.sort((a, b) => compareStrings(a.check, b.check));
}

/** Returns, by the address of a change, the safety checks that would block it without the overrides. An address without any is absent. */
export function overriddenByAddress(changes: readonly PlannedChange[], input: SafetyInput): ReadonlyMap<string, readonly SafetyCheck[]> {
  const byAddress = groupBy(
    overriddenOf(changes, input, () => true),
    ({ address }) => address,
  );
  return new Map([...byAddress].map(([address, all]) => [address, [...new Set(all.flatMap(({ checks }) => checks))].sort(compareStrings)]));
}

function overriddenOf(
  changes: readonly PlannedChange[],
  input: SafetyInput,
  isSelected: (change: Change) => boolean,
): readonly { readonly address: string; readonly checks: readonly SafetyCheck[] }[] {
  const strict = { ...input, overrides: NO_OVERRIDES, denied: new Map() };
  const counts = count(changes, strict.overrides);
  const unblocked = changes.filter(({ change }) => (change.blocked === null || isDeniedByGuardsOnly(change.blocked)) && isSelected(change));
  return unblocked.flatMap((planned) => {
    const checks = CHECKS.flatMap((check) => check(planned, strict, counts)?.check ?? []);
    return checks.length === 0 ? [] : [{ address: planned.change.address, checks }];
  });
}

/** Combines the reasons of several checks under the first check. */
function combine(checks: readonly BlockingCheck[]): BlockReason | null {
  const [first, ...others] = checks;
  if (!first) return null;
  if (others.length === 0) return first;
  return {
    check: first.check,
    reason: checks.map(({ reason }, index) => (index < checks.length - 1 ? reason.replace(/\.$/, '') : reason)).join('; '),
    checks,
  };
}

const identity: Check = ({ change, identityProblem, live }) => {
  if (identityProblem === null) return null;
  const declaration =
    typeof live?.id === 'string'
      ? `if it is yours, write \`adopt: { ${change.address}: ${live.id} }\`; if not, give the resource another name`
      : `name its object under \`adopt\` (\`${change.address}: <remote ID>\`), or edit the declaration`;
  return block('identity', identityProblem.reason, identityProblem.lift ?? declaration);
};

const observe: Check = (_planned, input) =>
  input.ownership === 'observe'
    ? block('observe', `target ${input.target} is only observed`, 'set `ownership: shared` in upkeep.yaml')
    : null;

/**
 * Blocks what harms an object that `protect` names, and what leads it out of the list. An object is named by its address, its live name and
 * its ID, as they are before the change and as they are afterwards. The cases:
 *
 *   named before | named afterwards   | change                                                | blocked
 *   -------------+--------------------+-------------------------------------------------------+--------
 *   yes          | gone               | deletes or forgets it                                 | yes
 *   in either case                    | stops its playback, or weakens it                     | yes
 *   in either case                    | renames what others refer to by its name              | yes
 *   yes          | no                 | moves or renames it                                   | yes
 *   by address   | by its name alone  | moves it to an address that is not named              | yes
 *   yes          | yes                | any other                                             | no
 *   no           | yes                | any other: moves it into the list, adopts, creates it | no
 */
const protect: Check = (planned, input) => {
  const { change } = planned;
  const [before, after] = [protectedBy(identitiesBefore(planned), input), protectedBy(identitiesAfter(planned), input)];
  const glob = before ?? after;
  if (glob === undefined) return null;
  const consequence =
    CONSEQUENCES[change.action] ??
    RISKS.find(({ is }) => is(change))?.consequence ??
    (isRenamedForOthers(planned) ? 'it would be renamed, while others refer to it by its name' : undefined) ??
    (after === undefined || leavesByAddress(change, input)
      ? `it would become ${change.address}, which \`protect\` does not name`
      : undefined);
  return consequence === undefined
    ? null
    : block(
        'protect',
        `\`protect\` names ${glob}, and ${consequence}`,
        `edit \`protect\` of target ${input.target} in upkeep.yaml, under review`,
      );
};

/** What an action does to an object, in words. */
const CONSEQUENCES: { readonly [action in Action]?: string } = { delete: 'it would be deleted', forget: 'it would be forgotten' };

/** What else a change does to an object, in words. */
const RISKS: readonly { readonly is: (change: Change) => boolean; readonly consequence: string }[] = [
  { is: ({ playback }) => playback === 'stops', consequence: 'it would be changed so that playback stops' },
  { is: ({ effect }) => effect === 'weakens', consequence: 'its protection would be weakened' },
];

/** Returns the first glob of `protect` that matches one of these texts. */
function protectedBy(identities: readonly string[], { protect: globs }: SafetyInput): string | undefined {
  return globs.find((glob) => identities.some((text) => matchesGlob(glob, text)));
}

/** Returns what `protect` may name the object of a change by: the address that it had, that of its replacement, and its live name. */
function identitiesBefore({ kind, change, desired, live, replacementAddress }: PlannedChange): readonly string[] {
  const former = formerAddressOf(change) ?? change.address;
  const liveName = live && isLiveObject(live) ? namesOf(kind, live.remoteName) : [];
  // An object that is not declared has an address by its ID, and the ledger may know it by another name.
  const name = desired === null ? namesOf(kind, change.name) : [];
  return [former, ...(replacementAddress === undefined ? [] : [replacementAddress]), ...liveName, ...name];
}

/** Returns what `protect` may name the object of a change by when the change is made; nothing for an object that is gone then. */
function identitiesAfter({ kind, change, desired }: PlannedChange): readonly string[] {
  if (desired === null) return [];
  const name = kind.type === 'collection' ? asString(desired.fields[kind.remoteNameField]) : undefined;
  return [change.address, ...(name === undefined ? [] : namesOf(kind, name))];
}

/** Decides whether a change moves an object from an address that `protect` names to one that it does not name. */
function leavesByAddress(change: Change, input: SafetyInput): boolean {
  const former = formerAddressOf(change);
  return former !== undefined && protectedBy([former], input) !== undefined && protectedBy([change.address], input) === undefined;
}

/** Decides whether a change renames an object to which others refer by its name, such as the policy in a playback URL. */
function isRenamedForOthers({ kind, change }: PlannedChange): boolean {
  return (
    kind.type === 'collection' &&
    kind.hasUniqueRemoteNames &&
    change.action === 'update' &&
    change.fields.some(({ path }) => path === `/${kind.remoteNameField}`)
  );
}

const suspiciousRead: Check = ({ kind, change, unseenCreate }, input) => {
  if (letsThrough(input.overrides, 'suspicious-read', change.address)) return null;
  const reason = input.suspiciousReads.get(kind.name);
  if (reason !== undefined) return blockUnlessAllowed('suspicious-read', `the read is suspicious: ${reason}`);
  // Where nobody knows the ID, reads had their time, and the response was lost: it is sent again.
  if (!unseenCreate || unseenCreate.id === null) return null;
  const { id, at } = unseenCreate;
  return blockUnlessAllowed('suspicious-read', `an earlier run created it (${id}, answered ${at}), and the service does not show it yet`, {
    course: 'run again later',
  });
};

const firstApply: Check = ({ change }, { firstApply: held, ownership, overrides }) =>
  held === null || ownership === 'observe' || letsThrough(overrides, 'first-apply', change.address)
    ? null
    : blockUnlessAllowed('first-apply', held.reason, { ...held.lift, cause: held.reason });

const unknownFields: Check = ({ kind, change, live }, input) => {
  if (change.action !== 'update' || !live || letsThrough(input.overrides, 'unknown-fields', change.address)) return null;
  const { others } = resetMembers(kind, live, change.fields, input.resettableMembers);
  if (others.length === 0) return null;
  const named = others.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join(', ');
  const listed = JSON.stringify(listedPointers(others.map(({ path }) => path)));
  const edit = `if they may be reset, write \`service: { resettable_members: ${listed} }\` for target ${input.target} in upkeep.yaml`;
  return blockUnlessAllowed('unknown-fields', `the update may reset ${named}, which upkeep does not know`, { edit });
};

const rollback: Check = (planned, input) =>
  planned.rollback === null || letsThrough(input.overrides, 'rollback', planned.change.address)
    ? null
    : blockUnlessAllowed('rollback', planned.rollback.reason, { edit: 'apply a commit that contains that one' });

const ignoredValue: Check = ({ whyNotSendable }) =>
  whyNotSendable !== undefined
    ? block(
        'ignored-value',
        `it would be sent with live values of ignored fields, and the whole could not be declared: ${whyNotSendable}`,
        'correct the account, or declare these fields and shorten `ignore_changes`',
      )
    : null;

const ignoreExpired: Check = ({ change, desired }, input) => {
  if (change.action !== 'update' || letsThrough(input.overrides, 'ignore-expired', change.address)) return null;
  const over = (desired?.expired ?? []).filter(({ path }) => change.fields.some((field) => isWithin(field.path, path)));
  if (over.length === 0) return null;
  const named = over.map(({ path, until, declared: { file, line } }) => `${path} until ${until} (${file}:${line})`);
  const edit = 'renew or remove the entry of `ignore_changes`';
  return blockUnlessAllowed('ignore-expired', `\`ignore_changes\` left ${joinFirst(named)} to others, which is over`, { edit });
};

const deletes: Check = ({ change, kind }, input, counts) => {
  if (change.action !== 'delete' || letsThrough(input.overrides, 'deletes', change.address)) return null;
  const limit = tooManyDeletes(kind.name, input, counts);
  return limit === null ? null : blockUnlessAllowed('deletes', limit, { limit, allow: `deletes=${counts.deletes}` });
};

/** Number of live objects of a kind from which the limits in percent count. */
export const MIN_LIVE_FOR_PERCENT = 10;
/** Number of live objects of a kind from which deleting all of them is blocked. */
export const MIN_LIVE_FOR_ALL = 2;

function tooManyDeletes(kind: string, input: SafetyInput, counts: Counts): string | null {
  if (counts.deletes <= input.overrides.deletes) return null;
  const deleted = counts.deletesOf.get(kind) ?? 0;
  const live = input.liveCount.get(kind) ?? 0;
  const { count: maxCount, percent } = input.limits.delete;
  if (deleted > maxCount) return `${deleted} deletes of ${kind}, over the limit of ${maxCount}`;
  if (live >= MIN_LIVE_FOR_PERCENT && deleted * 100 > live * percent)
    return `${deleted} of ${live} live ${kind} objects deleted, over the limit of ${percent} %`;
  if (live >= MIN_LIVE_FOR_ALL && deleted === live && percent < 100) return `all ${live} live ${kind} objects deleted`;
  return null;
}

const updates: Check = ({ change, kind }, input, counts) => {
  if (change.action !== 'update' || letsThrough(input.overrides, 'updates', change.address)) return null;
  const updated = counts.updatesOf.get(kind.name) ?? 0;
  const live = input.liveCount.get(kind.name) ?? 0;
  const { percent } = input.limits.update;
  const limit = `${updated} of ${live} live ${kind.name} objects updated, over the limit of ${percent} %`;
  return live >= MIN_LIVE_FOR_PERCENT && updated * 100 > live * percent ? blockUnlessAllowed('updates', limit, { limit }) : null;
};

const weakening: Check = ({ change, kind }, input) => {
  if (change.effect !== 'weakens' || input.weakening !== 'block' || letsThrough(input.overrides, 'weakening', change.address)) return null;
  const reason = weakeningReason(change);
  // What somebody deleted by hand was there before.
  const isFirst = change.action === 'create' && isOfRepository(change) && input.liveCount.get(kind.name) === 0;
  const cause = isFirst && kind.type === 'collection' ? kind.whyFirstWeaken : undefined;
  if (cause === undefined) return blockUnlessAllowed('weakening', reason);
  // Where nothing is live, the glob matches creates alone.
  return blockUnlessAllowed('weakening', `${reason} (${cause})`, { allow: `weakening=${kind.name}/*`, cause });
};

function isOfRepository({ origin }: Change): boolean {
  return origin === 'change' || origin === 'unknown';
}

/** Names what weakens protection, and what strengthens it in the same change. */
function weakeningReason(change: Change): string {
  const reasons = reasonsOf(change);
  const [weakens, strengthens] = (['weakens', 'strengthens'] as const).map((effect) => formatReasons(reasons, effect));
  return `it weakens protection: ${weakens}${strengthens ? ` (it also strengthens it: ${strengthens})` : ''}`;
}

/** Blocks losses of playback. */
const playbackLoss: Check = ({ change, kind }, input, counts) => {
  if (input.playbackLoss === 'allow' || letsThrough(input.overrides, 'playback-loss', change.address)) return null;
  const limit = goesOffAir(change) ? tooManyOffAir(kind.name, input, counts) : null;
  const losses = (change.playbackReasons ?? []).flatMap((reason) => {
    if (reason.offAir && limit !== null) return [{ ...reason, text: limit }];
    return isLoss(reason, input.playbackLoss === 'strict') ? [reason] : [];
  });
  const [worst, ...others] = LOSSES.flatMap(({ playback, consequence }) => {
    const texts = losses.filter((loss) => loss.playback === playback).map(({ text }) => text);
    return texts.length === 0 ? [] : [{ consequence, texts }];
  });
  if (!worst) return null;
  const texts = [worst, ...others].flatMap((loss) => loss.texts);
  return blockUnlessAllowed('playback-loss', `${worst.consequence}: ${joinFirst(texts)}`, limit === null ? {} : { limit });
};

/** The losses of playback, worst first, in words. */
const LOSSES: readonly { readonly playback: Playback; readonly consequence: string }[] = [
  { playback: 'stops', consequence: 'viewers lose playback' },
  { playback: 'reduces', consequence: 'it reduces playback' },
  { playback: 'unknown', consequence: 'it may affect playback' },
];

/**
 * Decides whether a reason blocks its change, whatever the limits are (design section 4, rule 9):
 *
 *   reason                                    | block | strict
 *   ------------------------------------------+-------+-------
 *   a class that is not expected to play      | no    | no
 *   it goes off air                           | no    | yes
 *   an expected class plays nothing any more  | yes   | yes
 *   it stops, reduces or may affect playback  | no    | yes
 *   it gains playback                         | no    | no
 */
function isLoss({ playback, devices, expected, offAir }: PlaybackReason, isStrict: boolean): boolean {
  if (expected === false || playback === 'gains') return false;
  return isStrict || (playback === 'stops' && devices !== undefined && !offAir);
}

function goesOffAir({ playbackReasons = [] }: Change): boolean {
  return playbackReasons.some(({ offAir }) => offAir);
}

/** Number of objects on air from which the limit in percent counts. */
export const MIN_ON_AIR_FOR_PERCENT = 10;

function tooManyOffAir(kind: string, input: SafetyInput, counts: Counts): string | null {
  const gone = counts.offAirOf.get(kind) ?? 0;
  const onAir = input.onAirCount.get(kind) ?? 0;
  const { count: maxCount, percent } = input.limits.offAir;
  if (gone >= onAir) return onAir === 1 ? `the only active ${kind} goes off air` : `all ${onAir} active ${kind}s go off air`;
  const reason = `${gone} of ${onAir} active ${kind}s go off air, over the limit of`;
  if (gone > maxCount) return `${reason} ${maxCount}`;
  return onAir >= MIN_ON_AIR_FOR_PERCENT && gone * 100 > onAir * percent ? `${reason} ${percent} %` : null;
}

/** The number of reasons that the safety check names. Reports show all of them at their fields. */
const MAX_REASONS = 3;

/** Joins the first reasons of one effect, each once. */
function formatReasons(reasons: readonly RiskReason[], effect: RiskReason['effect']): string {
  return joinFirst(reasons.flatMap((reason) => (reason.effect === effect ? [reason.text] : [])));
}

/** Joins the first texts, each once. */
function joinFirst(all: readonly string[]): string {
  return firstOf([...new Set(all)], MAX_REASONS).join('; ');
}

const denied: Check = (planned, input) => input.denied.get(planned) ?? null;

/** In order of precedence: checks that no flag overrides come first, then the worse consequence. */
const CHECKS: readonly Check[] = [
  identity,
  observe,
  protect,
  denied,
  ignoredValue,
  suspiciousRead,
  firstApply,
  unknownFields,
  rollback,
  ignoreExpired,
  playbackLoss,
  deletes,
  updates,
  weakening,
];

interface Counts {
  readonly deletes: number;
  readonly deletesOf: ReadonlyMap<string, number>;
  readonly updatesOf: ReadonlyMap<string, number>;
  readonly offAirOf: ReadonlyMap<string, number>;
}

/**
 * Counts the changes of each kind. Limits count neither what the commit to be applied merely lacks, nor what an override lets through by its
 * address.
 */
function count(changes: readonly PlannedChange[], { only }: Overrides): Counts {
  const counts = (check: AllowedCheck, { address }: Change) => !only?.get(check)?.some((glob) => matchesGlob(glob, address));
  const deletesOf = new Map<string, number>();
  const updatesOf = new Map<string, number>();
  const offAirOf = new Map<string, number>();
  const add = (tally: Map<string, number>, { name }: Kind) => tally.set(name, (tally.get(name) ?? 0) + 1);
  for (const { change, kind } of changes.filter((each) => !isBehind(each))) {
    if (change.action === 'delete' && counts('deletes', change)) add(deletesOf, kind);
    if (change.action === 'update' && counts('updates', change)) add(updatesOf, kind);
    if (goesOffAir(change) && counts('playback-loss', change)) add(offAirOf, kind);
  }
  return { deletes: [...deletesOf.values()].reduce((sum, each) => sum + each, 0), deletesOf, updatesOf, offAirOf };
}

/** Returns the reason of a check that no flag overrides. */
function block(check: SafetyCheck, reason: string, edit: string): BlockingCheck {
  return { check, reason, lift: { edit } };
}

/** What is said of a check besides its reason; `allow` is its name, unless it is given. */
type CheckDetails = Pick<BlockingCheck, 'cause' | 'limit'> & Lift;

/** Returns the reason of a check that `--allow` overrides. */
function blockUnlessAllowed(
  check: SafetyCheck,
  reason: string,
  { course, edit, allow = check, ...details }: CheckDetails = {},
): BlockingCheck {
  const lift = { ...(course === undefined ? {} : { course }), ...(edit === undefined ? {} : { edit }), allow };
  return { check, reason, lift, ...details };
}
