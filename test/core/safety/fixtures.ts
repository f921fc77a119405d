/** Changes of songs, and the input of the safety checks. */
import type { Limits } from '../../../src/core/config/project.ts';
import type { CollectionKind } from '../../../src/core/kinds/kind.ts';
import type { Action, FieldChange, OverridableCheck } from '../../../src/core/model/change.ts';
import { applySafetyChecks, type Overrides, type SafetyInput } from '../../../src/core/safety/checks.ts';
import type { ScheduledChange } from '../../../src/core/state/change-draft.ts';
import { type DraftParts, draftOf } from '../../support/drafts.ts';
import { song } from '../../support/fake-kinds.ts';

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
    liveCount: new Map([['song', 100]]),
    onAirCount: new Map([['song', 100]]),
    suspiciousReads: new Map(),
    denied: new Map(),
    ...more,
  };
}

export function liveSongs(count: number): Pick<SafetyInput, 'liveCount'> {
  return { liveCount: new Map([['song', count]]) };
}

/** A change of the song `a`, or of the live song `one`. */
export function changeOf(action: Action, more: ChangeOptions = {}): ScheduledChange {
  const { kind = song, live: object, desired, ...rest } = more;
  const draft = draftOf(kind, action, { ...(desired ? { desired } : {}), ...(object ? { live: object } : {}) });
  return { ...draft, phase: 'strengthen', wave: 0, dependsOn: null, identityProblem: null, ...rest };
}

/** What differs from a change of the song `a`. */
type ChangeOptions = DraftParts &
  Partial<
    Pick<ScheduledChange, 'address' | 'name' | 'fields' | 'reasons' | 'playback' | 'playbackReasons' | 'identityProblem' | 'rollback'>
  > & {
    readonly kind?: CollectionKind;
    readonly movedFrom?: string;
    readonly whyNotSendable?: string;
    readonly replacementAddress?: string;
  };

/** A field that differs. */
export function fieldOf(path: string): FieldChange {
  return { path, before: 0, after: 1, origin: 'unknown', effect: 'neutral' };
}

/** Changes of as many resources, all alike. */
export function many(count: number, action: Action, kind: CollectionKind = song): readonly ScheduledChange[] {
  return Array.from({ length: count }, (_, index) => changeOf(action, { address: `${kind.name}/${index}`, kind }));
}

/** Returns the safety check that blocks the first of the changes; null where none does. */
export function blockingCheck(changes: readonly ScheduledChange[], input: SafetyInput): string | null {
  return applySafetyChecks(changes, input)[0]?.blocked?.check ?? null;
}

/** Returns why a change is blocked; throws where it is not. */
export function blockOf(one: ScheduledChange, input: SafetyInput) {
  const [only] = applySafetyChecks([one], input);
  if (!only?.blocked) throw new Error('expected the change to be blocked');
  return only.blocked;
}

/** What a change has by which a song goes off air. */
export const OFF_AIR = { playback: 'stops', playbackReasons: [{ playback: 'stops', text: 'it goes off air', offAir: true }] } as const;

/** Changes by which songs go off air. */
export function goingOffAir(count: number, action: Action = 'update'): readonly ScheduledChange[] {
  return many(count, action).map((change) => ({ ...change, ...OFF_AIR }));
}

export function onAir(count: number): Pick<SafetyInput, 'onAirCount'> {
  return { onAirCount: new Map([['song', count]]) };
}
