/** Changes of songs, and the input of the safety checks. */
import type { Limits } from '../../../src/core/config/project.ts';
import type { CollectionKind } from '../../../src/core/kinds/kind.ts';
import type { Action, Change, FieldChange, OverridableCheck, RiskReason } from '../../../src/core/model/change.ts';
import { applySafetyChecks, type SafetyInput } from '../../../src/core/safety/checks.ts';
import type { Overrides } from '../../../src/core/safety/overrides.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { song } from '../../support/fake-kinds.ts';
import { type ChangeParts, changed, plannedOf } from '../../support/planned-changes.ts';

/** Overrides these checks, and allows so many deletes. */
export function allowed(deletes: number, ...checks: OverridableCheck[]): Overrides {
  return { deletes, checks: new Set(checks) };
}

export const LIMITS: Limits = { delete: { count: 5, percent: 30 }, update: { percent: 50 }, offAir: { count: 5, percent: 10 } };

/** The target `stage` of a hundred songs, all on air. */
export function safetyInput(more: Partial<SafetyInput> = {}): SafetyInput {
  return {
    target: 'stage',
    ownership: 'shared',
    protect: [],
    limits: LIMITS,
    weakening: 'block',
    playbackLoss: 'block',
    overrides: allowed(0),
    resettableMembers: [],
    liveCount: new Map([['song', 100]]),
    onAirCount: new Map([['song', 100]]),
    suspiciousReads: new Map(),
    firstApply: null,
    denied: new Map(),
    ...more,
  };
}

export function liveSongs(count: number): Pick<SafetyInput, 'liveCount'> {
  return { liveCount: new Map([['song', count]]) };
}

/** A change of the song `a`, or of the live song `one`. */
export function changeOf(action: Action, more: ChangeOptions = {}): PlannedChange {
  const { kind = song, live: object, desired, effect = 'neutral', movedFrom, reasons = [], fields = [], ...rest } = more;
  const { identityProblem = null, rollback = null, whyNotSendable, replacementAddress, ...members } = rest;
  const planned = plannedOf(kind, action, { effect, ...(desired ? { desired } : {}), ...(object ? { live: object } : {}) });
  const because = reasons.map((reason): FieldChange => ({ ...fieldOf('/because'), effect: reason.effect, reasons: [reason] }));
  const { change } = changed(planned, { fields: [...fields, ...because], ...members });
  return {
    ...planned,
    change: (change.action === 'update' || change.action === 'move') && movedFrom !== undefined ? { ...change, movedFrom } : change,
    identityProblem,
    rollback,
    ...(whyNotSendable === undefined ? {} : { whyNotSendable }),
    ...(replacementAddress === undefined ? {} : { replacementAddress }),
  };
}

/** What differs from a change of the song `a`. */
type ChangeOptions = ChangeParts &
  Partial<Pick<Change, 'address' | 'name' | 'origin' | 'fields' | 'playback' | 'playbackReasons'>> &
  Partial<Pick<PlannedChange, 'identityProblem' | 'rollback' | 'whyNotSendable' | 'replacementAddress'>> & {
    readonly kind?: CollectionKind;
    readonly movedFrom?: string;
    /** Why its fields weaken or strengthen protection. */
    readonly reasons?: readonly RiskReason[];
  };

/** A field that differs. */
export function fieldOf(path: string): FieldChange {
  return { path, before: 0, after: 1, origin: 'unknown', effect: 'neutral' };
}

/** Changes of as many resources, all alike. */
export function many(count: number, action: Action, kind: CollectionKind = song): readonly PlannedChange[] {
  return Array.from({ length: count }, (_, index) => changeOf(action, { address: `${kind.name}/${index}`, kind }));
}

/** Returns the safety check that blocks the first of the changes; null where none does. */
export function blockingCheck(changes: readonly PlannedChange[], input: SafetyInput): string | null {
  return applySafetyChecks(changes, input)[0]?.change.blocked?.check ?? null;
}

/** Returns why a change is blocked; throws where it is not. */
export function blockOf(one: PlannedChange, input: SafetyInput) {
  const [only] = applySafetyChecks([one], input);
  if (!only?.change.blocked) throw new Error('expected the change to be blocked');
  return only.change.blocked;
}

/** What a change has by which a song goes off air. */
export const OFF_AIR = { playback: 'stops', playbackReasons: [{ playback: 'stops', text: 'it goes off air', offAir: true }] } as const;

/** Changes by which songs go off air. */
export function goingOffAir(count: number, action: Action = 'update'): readonly PlannedChange[] {
  return many(count, action).map((planned) => changed(planned, OFF_AIR));
}

export function onAir(count: number): Pick<SafetyInput, 'onAirCount'> {
  return { onAirCount: new Map([['song', count]]) };
}
