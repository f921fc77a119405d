import { type Change, isDeniedByGuardsOnly, liftsText, worstPlayback } from '../model/change.ts';
import type { CheckOverride } from '../model/decision.ts';
import { matchesGlob } from '../model/glob.ts';
import { equal, type Json, stableJson } from '../model/json.ts';
import type { Plan, ReadStatus } from '../model/plan.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { PlanResult } from './build-plan.ts';
import { planDocument, planFingerprint } from './plan-document.ts';
import { risksOf } from './risks.ts';

/** The result of comparing a saved plan with the current one. */
export type SavedPlanCheck =
  /** The changes to apply, and the addresses of current changes that the saved plan does not contain, which are not applied. */
  | { readonly changes: readonly PlannedChange[]; readonly notInPlan: readonly string[] }
  /** Why the saved plan cannot be applied: one sentence for each difference, or for each part that does not fit its changes. */
  | { readonly stale: readonly string[] };

/** Returns a part of a plan as a saved plan holds it, in which secrets are hidden. */
export type HideSecrets = <Part>(part: Part) => Part;

/**
 * Compares a saved plan with the plan of the account as it is now (design section 4, rule 2). Both compute the digests of their changes
 * before secrets are hidden, so digests are compared as they are; all other parts are compared after `hideSecrets`.
 */
export function verifySavedPlan(saved: Plan, current: PlanResult, hideSecrets: HideSecrets = (part) => part): SavedPlanCheck {
  if (saved.target !== current.context.target) return { stale: [`the plan is for target ${saved.target}, not ${current.context.target}`] };
  if (saved.fingerprint === undefined) return { stale: ['nothing was read when it was made'] };
  const digests = digestsOf(saved.changes);
  if (planFingerprint(current.context, digests, saved) !== saved.fingerprint) {
    return { stale: ['the plan does not match its own fingerprint: it was edited, or made for another base URL or owner'] };
  }
  const savedChanges = [...saved.changes, ...(saved.behind ?? [])];
  const byDigest = new Map(current.changes.map(({ change }) => [change.digest, change]));
  const overrides = current.overridesOf(new Set(savedChanges.map(({ address }) => address)));
  const byAddress = new Map(current.changes.map(({ change }) => [change.address, change]));
  const stale = savedChanges.flatMap((change) => {
    const currentChange = byDigest.get(change.digest);
    if (!currentChange) {
      const sameAddress = byAddress.get(change.address);
      return describeDifference(change, sameAddress && hideSecrets(sameAddress), current.plan.readStatus[change.kind]);
    }
    const hidden = hideSecrets(currentChange);
    if (!equal(comparablePart(hidden), comparablePart(change)))
      return [`${change.address}: the plan was edited, or it contained a secret, which was redacted when it was saved`];
    return [...describeShown(change, hidden), ...describeBlocked(change, hidden, overrides)];
  });
  if (stale.length > 0) return { stale };
  const savedDigests = new Set(digestsOf(savedChanges));
  const changes = current.changes.filter(({ change }) => savedDigests.has(change.digest));
  const inconsistent = describeInconsistency(saved, changes, current, hideSecrets);
  if (inconsistent.length > 0) return { stale: inconsistent };
  return {
    changes,
    notInPlan: current.changes.filter(({ change }) => !savedDigests.has(change.digest)).map(({ change }) => change.address),
  };
}

function describeDifference(planned: Change, currentChange: Change | undefined, readStatus: ReadStatus | undefined): readonly string[] {
  const stateNow = readStatus === 'complete' ? 'there is nothing to do' : `${planned.kind} is ${readStatus ?? 'unknown'}`;
  if (!currentChange) return [`${planned.address}: planned was ${planned.action}; now ${stateNow}`];
  if (currentChange.action !== planned.action)
    return [`${planned.address}: planned was ${planned.action}; now it would be ${currentChange.action}`];
  const before = new Map(planned.fields.map((field) => [field.path, field]));
  const after = new Map(currentChange.fields.map((field) => [field.path, field]));
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const fields = paths.filter((path) => !equal(valuesOf(before.get(path)), valuesOf(after.get(path))));
  const text = fields.map((path) => `${path} planned ${formatField(before.get(path))}, now ${formatField(after.get(path))}`);
  return [`${planned.address}: ${text.length > 0 ? text.join('; ') : 'its object or its requests are not those that were planned'}`];
}

type Field = Change['fields'][number];

function valuesOf(field: Field | undefined): Json {
  return field ? [field.before, field.after] : null;
}

function formatField(field: Field | undefined): string {
  return field ? `${JSON.stringify(field.before)} -> ${JSON.stringify(field.after)}` : 'untouched';
}

function comparablePart({ address, kind, name, action, fields }: Change): Json {
  return { address, kind, name, action, fields: fields.map(({ path, before, after }) => ({ path, before, after })) };
}

/**
 * Describes how the statements of a saved plan about a change differ from those computed now, and where its `playback` does not follow from
 * its own reasons. Both changes have the same fields.
 */
function describeShown(planned: Change, now: Change): readonly string[] {
  const shown = (member: string, before: string | undefined, after: string | undefined): readonly string[] =>
    before === after ? [] : [`${planned.address}: ${member} is shown as ${before ?? 'none'}, and is ${after ?? 'none'} now`];
  const bindingOf = (change: Change) => ({
    movedFrom: 'movedFrom' in change ? change.movedFrom : undefined,
    adopts: 'adopts' in change ? change.adopts : undefined,
  });
  const [plannedBinding, bindingNow] = [bindingOf(planned), bindingOf(now)];
  return [
    ...shown('effect', planned.effect, now.effect),
    ...shown('playback', planned.playback, worstPlayback(planned.playbackReasons ?? [])),
    ...shown('the effect on playback', playbackText(planned), playbackText(now)),
    ...shown('phase', planned.phase, now.phase),
    ...shown('movedFrom', plannedBinding.movedFrom, bindingNow.movedFrom),
    ...shown('adopts', plannedBinding.adopts, bindingNow.adopts),
    ...shown('what is left to others', ignoredText(planned), ignoredText(now)),
    ...planned.fields.flatMap((field, index) => {
      const fieldNow = now.fields[index];
      return shown(`the effect of ${field.path}`, effectText(field), fieldNow && effectText(fieldNow));
    }),
  ];
}

/** Returns the effect of a field and its reasons. Each reason whose effect is not that of the field is followed by its own effect. */
function effectText({ effect, reasons = [] }: Field): string {
  const because = reasons.map((reason) => (reason.effect === effect ? reason.text : `${reason.text} (${reason.effect})`)).join(', ');
  return because === '' ? effect : `${effect} because ${because}`;
}

/** Returns the ignored fields, without their live values, which others may change at any time. */
function ignoredText({ ignored }: Change): string | undefined {
  return ignored?.map(({ path, until, why }) => stableJson([path, until ?? null, why ?? null])).join(', ');
}

/** Returns the reasons that follow from a change alone. Reasons about devices are left out: they also depend on unchanged resources. */
function playbackText({ playbackReasons = [] }: Change): string {
  const own = playbackReasons.filter(({ devices }) => !devices).map(({ playback, text }) => `${playback} (${text})`);
  return own.length === 0 ? 'neutral' : own.join(', ');
}

/**
 * Describes a change that is shown as free and is blocked now, and one that is shown as blocked and is free now although its check was not
 * overridden. What only guards deny now is not among the first: they may ask who applies, and where, and the change is blocked all the same.
 */
function describeBlocked(planned: Change, now: Change, overrides: readonly CheckOverride[]): readonly string[] {
  const { address, blocked } = planned;
  if (!blocked && now.blocked && !isDeniedByGuardsOnly(now.blocked))
    return [
      `${address}: it is shown as free, and is blocked now by safety check \`${now.blocked.check}\`: ${now.blocked.reason} (${liftsText(now.blocked)})`,
    ];
  if (
    blocked &&
    !now.blocked &&
    !overrides.some(({ check, only }) => check === blocked.check && (only?.some((glob) => matchesGlob(glob, address)) ?? true))
  )
    return [`${address}: it is shown as blocked by safety check \`${blocked.check}\`, which does not block it now`];
  return [];
}

/**
 * Compares the statements of a saved plan about all its changes (order, waves, requests, overrides, summary, risks, cost, names of assets)
 * with what its changes give now. `changes` are the current versions of the saved changes.
 */
function describeInconsistency(
  saved: Plan,
  changes: readonly PlannedChange[],
  { plan, context, overridesOf }: PlanResult,
  hideSecrets: HideSecrets,
): readonly string[] {
  const [shown, behind] = [byDigestOf(saved.changes), byDigestOf(saved.behind ?? [])];
  const withShownStatus = changes.map((each): PlannedChange => {
    const { digest } = each.change;
    const blocked = (shown.get(digest) ?? behind.get(digest))?.blocked ?? null;
    return { ...each, rollback: behind.has(digest) ? { reason: '', isBehind: true } : null, change: { ...each.change, blocked } };
  });
  const { config, readStatus, unread = [], ignored = [], leftOut, findings, summary, cost } = saved;
  const { unchanged, undeclared, unmanaged, recognized } = summary;
  const overrides = overridesOf(new Set(withShownStatus.flatMap(({ change }) => (change.blocked ? [] : [change.address]))));
  const parts = {
    config,
    readStatus,
    findings,
    unchanged,
    undeclared,
    unmanaged,
    recognized,
    reads: cost.reads,
    impact: null,
    overrides,
    unread,
    ignored,
    leftOut,
  };
  const expected = hideSecrets(planDocument(withShownStatus, context, parts));
  const isInOrder = equal(digestsOf(saved.changes), digestsOf(expected.changes));
  if (!isInOrder || !equal(digestsOf(saved.behind ?? []), digestsOf(expected.behind ?? [])))
    return ['its changes are not in the order in which they are planned'];
  return [
    ...(equal(waveRanks(saved.changes), waveRanks(expected.changes)) ? [] : ['its waves are not those of its changes']),
    ...(equal(requestsAsJson(saved), requestsAsJson(expected)) ? [] : ['its requests are not those of its changes']),
    ...(equal(overridesAsJson(saved), overridesAsJson(expected)) ? [] : ['its overrides are not those of its changes']),
    ...(equal({ ...summary }, { ...expected.summary }) ? [] : ['its summary does not count its changes']),
    ...(saved.risks === hideSecrets(risksOf('plan', saved)) ? [] : ['its risks are not those of its changes']),
    ...(cost.writes === expected.cost.writes ? [] : ['its cost does not count its requests']),
    ...(isNamedAs(saved, hideSecrets(plan)) ? [] : ['its names of assets are not those of the catalog']),
  ];
}

/** Whether each asset that a saved plan names has that name in the current plan. */
function isNamedAs({ assetNames: saved = {} }: Plan, { assetNames = {} }: Plan): boolean {
  return Object.entries(saved).every(([id, name]) => Object.hasOwn(assetNames, id) && assetNames[id] === name);
}

function byDigestOf(changes: readonly Change[]): ReadonlyMap<string, Change> {
  return new Map(changes.map((change) => [change.digest, change]));
}

function digestsOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ digest }) => digest);
}

function overridesAsJson({ overrides = [] }: Plan): Json {
  return overrides.map(({ only, ...override }) => ({ ...override, ...(only === undefined ? {} : { only: [...only] }) }));
}

function requestsAsJson({ requests }: Plan): Json {
  return requests.map((request) => ({ ...request }));
}

/** Returns the wave of each change, counted without waves in which the plan has no change. */
function waveRanks(changes: readonly Change[]): readonly number[] {
  const ranks = [...new Set(changes.map(({ wave }) => wave))].sort((a, b) => a - b);
  return changes.map(({ wave }) => ranks.indexOf(wave));
}
