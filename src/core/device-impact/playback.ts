/** Converts the impact of a plan on devices to reasons of its changes: which classes lose all playback, some of it, or gain some. */
import type { PlaybackReason } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import {
  type DeviceClass,
  type DeviceImpact,
  type ImpactOutcome,
  namePolicies,
  OUTCOMES,
  RESOLUTIONS,
  type Resolution,
} from '../model/impact.ts';
import { isRefused } from './compare.ts';
import { type Device, isExpected } from './device.ts';
import type { BeforeAfterPolicies, Impacts } from './plan-impact.ts';
import { causesOf, effectOf } from './summarize.ts';

/** An outcome that is a reason for playback; other conditions that limit nothing are none. */
type PlaybackOutcome = Exclude<ImpactOutcome, 'changed'>;

/** An effect on one device under one policy, and a change that causes it. */
interface DeviceEffect {
  readonly change: string;
  readonly device: DeviceClass;
  readonly policy: string;
  readonly outcome: PlaybackOutcome;
  readonly resolutions: readonly Resolution[];
  /** Whether nothing plays any more. */
  readonly isTotal: boolean;
  /** Whether playback is unknown on the side on which it plays: before the change where it is lost, else after it. */
  readonly uncertain: boolean;
  readonly isExpected: boolean;
}

const PLAYBACK_OUTCOMES = OUTCOMES.filter((outcome): outcome is PlaybackOutcome => outcome !== 'changed');

const PLAYBACK_OF_OUTCOME: { readonly [outcome in PlaybackOutcome]: PlaybackReason['playback'] } = {
  lost: 'reduces',
  uncertain: 'unknown',
  gained: 'gains',
  restricted: 'reduces',
  unrestricted: 'gains',
};

/**
 * Returns the reasons of each change, by its address: one for all devices and policies with the same effect. Limits in time alone are no
 * such reason: the settings themselves give it, whatever devices there are (design section 11).
 */
export function devicePlaybackReasons(
  account: BeforeAfterPolicies,
  impacts: Impacts,
  devices: readonly Device[],
): ReadonlyMap<string, readonly PlaybackReason[]> {
  const expected = new Set(devices.filter(isExpected).map(({ id }) => id));
  const effects = [...impacts].flatMap(([change, ofChange]) =>
    ofChange.flatMap((impact) => deviceEffects(change, impact, account, expected.has(impact.device))),
  );
  const byChange = groupBy(effects, ({ change }) => change);
  return new Map([...byChange].map(([change, all]) => [change, reasonsOf(all, change === account.vmp.address)]));
}

/** Returns the effects on one device under one policy: of a total loss only that. */
function deviceEffects(
  change: string,
  impact: DeviceImpact,
  { vmp }: BeforeAfterPolicies,
  isExpectedDevice: boolean,
): readonly DeviceEffect[] {
  const { device, name, system, address: policy, after } = impact;
  const isTotal = RESOLUTIONS.every((resolution) => isRefused(after[resolution]));
  return PLAYBACK_OUTCOMES.filter((outcome) => !isTotal || outcome === 'lost').flatMap((outcome) => {
    const perCause = impact[outcome].flatMap((resolution) => {
      const { rules, uncertain } = effectOf(outcome, impact.before[resolution], after[resolution]);
      if (rules.every(({ seconds }) => seconds !== undefined)) return [];
      return causesOf(rules, change, vmp).map((cause) => ({ cause, resolution, uncertain }));
    });
    // What plays nothing afterwards has lost what it played for certain, whatever else it may have played.
    const groups = groupBy(perCause, ({ cause, uncertain }) => (isTotal ? cause : `${uncertain} ${cause}`));
    return [...groups.values()].flatMap((each): readonly DeviceEffect[] => {
      const [first] = each;
      if (!first) return [];
      const resolutions = each.map(({ resolution }) => resolution);
      const uncertain = each.every((one) => one.uncertain);
      const effect = { outcome, resolutions, isTotal, uncertain, isExpected: isExpectedDevice };
      return [{ change: first.cause, device: { device, name, system }, policy, ...effect }];
    });
  });
}

/** Combines the effects of one change: equal effects under the same policies are one reason. A change of the VMP statuses names policies. */
function reasonsOf(effects: readonly DeviceEffect[], namesPolicies: boolean): readonly PlaybackReason[] {
  const perDevice = [...groupBy(effects, (effect) => `${effect.device.device} ${effectKey(effect)}`).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, policies: [...new Set(group.map(({ policy }) => policy))] }] : [];
  });
  const groups = groupBy(perDevice, (effect) => `${effectKey(effect)} ${JSON.stringify(effect.policies)}`);
  return [...groups.values()].flatMap((group): readonly PlaybackReason[] => {
    const [first] = group;
    if (!first) return [];
    const { outcome, isTotal, uncertain, isExpected, policies } = first;
    const devices = group.map(({ device }) => device);
    const text = `${describeEffect(first, devices)}${namesPolicies ? ` under ${namePolicies(policies)}` : ''}`;
    const playback = isTotal ? 'stops' : outcome === 'gained' && uncertain ? 'unknown' : PLAYBACK_OF_OUTCOME[outcome];
    const isUncertain = outcome === 'lost' && uncertain ? ({ uncertain: true } as const) : {};
    return [{ playback, text, devices, policies, ...isUncertain, ...(isExpected ? {} : { expected: false }) }];
  });
}

function effectKey({ outcome, resolutions, isTotal, uncertain, isExpected }: DeviceEffect): string {
  return `${outcome} ${isTotal || resolutions} ${uncertain} ${isExpected}`;
}

function describeEffect({ outcome, resolutions, isTotal, uncertain }: DeviceEffect, devices: readonly DeviceClass[]): string {
  const names = devices.map(({ name }) => name).join('; ');
  const tracks = resolutions.join(', ');
  const verb = resolutions.length === 1 ? 'plays' : 'play';
  const maybe = uncertain ? ', which may have played,' : '';
  const ifAtAll = uncertain ? ', if at all' : '';
  if (isTotal) return `${names}${maybe} ${devices.length === 1 ? 'plays' : 'play'} nothing any more`;
  switch (outcome) {
    case 'lost':
      return `${tracks}${maybe} no longer ${verb} on ${names}`;
    case 'uncertain':
      if (uncertain) return `it is not known whether ${tracks} still ${verb} on ${names}`;
      return `${tracks} ${verb} on ${names}, and it is not known whether ${resolutions.length === 1 ? 'it' : 'they'} did before`;
    case 'gained':
      return `${uncertain ? 'it is not known whether ' : ''}${tracks} ${resolutions.length === 1 ? 'becomes' : 'become'} playable on ${names}`;
    case 'restricted':
      return `${tracks} ${verb} with a new limit on ${names}${ifAtAll}`;
    case 'unrestricted':
      return `${tracks} ${verb} with fewer limits on ${names}${ifAtAll}`;
  }
}
