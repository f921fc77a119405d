/** The impact of policies on devices, as plain data for reports, guards and JSON documents. */

/** Stands in place of an address for content that has no policy of its own. */
export const DEFAULT_POLICY = 'default policy';

/** The field of the rejected VMP statuses, and of the rules for them. */
export const VMP_FIELD = '/vmp_reject_statuses';

const UNEXPECTED_VMP_STATUSES: readonly unknown[] = ['PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED'];

/** Decides whether devices with a VMP status are those that hardening is meant to keep out. */
export function isUnexpectedStatus(status: unknown): boolean {
  return UNEXPECTED_VMP_STATUSES.includes(status);
}

/** To which content the Widevine settings per track apply. */
export const CONTENT_KEY_SPECS = 'content_key_specs of Widevine apply only to content that has no policy of its own (drm-api-v3 2.3).';

/** Maximum number of policies that are named. */
const MAX_NAMED_POLICIES = 4;

/** Names policies, or counts many: `drm-policy/hd, drm-policy/sd and the default policy`, `12 policies and the default policy`. */
export function namePolicies(policies: readonly string[]): string {
  const own = policies.filter((address) => address !== DEFAULT_POLICY);
  const named = own.length > MAX_NAMED_POLICIES ? [`${own.length} policies`] : own;
  const parts = own.length < policies.length ? [...named, 'the default policy'] : named;
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** Resolutions of a video track, smallest first: 576p or less; 720p and 1080p; 4K; 8K (drm-api-v3 section 2.3). */
export const RESOLUTIONS = ['SD', 'HD', 'UHD1', 'UHD2'] as const;

/** A resolution of a video track. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** The DRM systems that a policy has rules for (drm-api-v3 section 1). */
export type System = 'fairplay' | 'widevine' | 'playready';

/** The names of the DRM systems. */
export const SYSTEM_NAMES: { readonly [system in System]: string } = { fairplay: 'FairPlay', widevine: 'Widevine', playready: 'PlayReady' };

/**
 * What a device plays on: the built-in display, a cable, a cable through an HDCP repeater, an analog cable, casting, the AV adapter; or
 * `offline`, all of its playback without a connection.
 */
export type Output = 'internal' | 'digital' | 'repeater' | 'analog' | 'airplay' | 'av_adapter' | 'offline';

/** `restricted`: plays, but not on all outputs or not in full. `unknown`: the API documents leave a question open, or a fact is unknown. */
export type PlaybackLevel = 'refused' | 'unknown' | 'restricted' | 'plays';

/** One rule by which a policy affects a device. */
export interface Rule {
  /** The outcome of this rule alone; `plays` is a condition of playback (an expiry, a copy mark). */
  readonly outcome: PlaybackLevel;
  /** With the required and the actual value: `security_level 3 required, 1 present`. */
  readonly text: string;
  /** JSON Pointer to the setting behind the rule: into the policy's fields, or `/vmp_reject_statuses` for the VMP set. */
  readonly field: string;
  /** The section of the API documents, for example `drm-api-v3 2.3`. */
  readonly section: string;
  /** The output that it affects; absent = the whole device. */
  readonly output?: Output;
  /** The time after which it ends or prevents playback, in seconds; absent where it is no limit in time. */
  readonly seconds?: number;
}

/** The playback of one resolution on a device, and all rules that affect it, whichever of them decides. */
export interface Judgement {
  readonly playback: PlaybackLevel;
  readonly rules: readonly Rule[];
}

/** A judgement for each resolution. */
export type Row = { readonly [resolution in Resolution]: Judgement };

/** One row of the matrix: a device under a policy. */
export interface DeviceRow {
  /** ID of the device class: `iphone`, or the key under which the user declared it. */
  readonly device: string;
  readonly name: string;
  readonly system: System;
  readonly row: Row;
}

/** The impact of a change on a device. A resolution may be listed in several of `restricted`, `unrestricted` and `uncertain`. */
export interface DeviceImpact {
  /** Address of the policy. */
  readonly address: string;
  readonly device: string;
  readonly name: string;
  readonly system: System;
  readonly before: Row;
  readonly after: Row;
  /** Played, or may have played; is now refused. */
  readonly lost: readonly Resolution[];
  /** Was refused; now plays, or may play. */
  readonly gained: readonly Resolution[];
  /** Plays on, or may, with a new or shorter limit. */
  readonly restricted: readonly Resolution[];
  /** Plays on, or may; a limit is gone or is longer. */
  readonly unrestricted: readonly Resolution[];
  /** Played, and it is unknown whether it still does; or it was unknown, and it plays now. */
  readonly uncertain: readonly Resolution[];
  /** Plays on, or may, under other conditions that are no limits. */
  readonly changed: readonly Resolution[];
}

/** The possible outcomes for a resolution, in the order of reports. */
export const OUTCOMES = ['lost', 'uncertain', 'gained', 'restricted', 'unrestricted', 'changed'] as const;

/** One of `OUTCOMES`; `DeviceImpact` defines each. */
export type ImpactOutcome = (typeof OUTCOMES)[number];

/** The lists of resolutions, by outcome. */
export type ImpactLists = Pick<DeviceImpact, ImpactOutcome>;

/** A class of devices, as reports name it. */
export type DeviceClass = Pick<DeviceRow, 'device' | 'name' | 'system'>;

/** One effect on playback, with all devices and policies that have it in common. */
export interface ImpactSummary {
  readonly outcome: ImpactOutcome;
  readonly resolutions: readonly Resolution[];
  /** Whether playback is unknown, not certain, on the side on which it plays: before the change where it is lost, else after it. */
  readonly uncertain: boolean;
  readonly devices: readonly DeviceClass[];
  /** Addresses of the policies; `default policy` stands for content that has none of its own. */
  readonly policies: readonly string[];
  /** Addresses of the changes that cause it. */
  readonly changes: readonly string[];
  /** The side of the change that has these rules. */
  readonly side: 'before' | 'after';
  /** The rules that cause it, or whose removal does. */
  readonly rules: readonly Rule[];
}

/** The playback of each resolution on a device, without rules. */
export type Playbacks = { readonly [resolution in Resolution]: PlaybackLevel };

/** One device on which a plan has an impact. */
export interface PlanMatrixRow extends DeviceClass {
  readonly before: Playbacks;
  readonly after: Playbacks;
  /** Resolutions whose playback or restrictions change. */
  readonly noticed: readonly Resolution[];
}

/** Playback on devices before and after a plan, under all policies with the same impact on the same devices. */
export interface PlanMatrix {
  /** Addresses, or `default policy`. */
  readonly policies: readonly string[];
  readonly devices: readonly PlanMatrixRow[];
}

/** The impact of a plan on devices. */
export interface PlanImpact {
  /** Losses first. */
  readonly summaries: readonly ImpactSummary[];
  /** The devices of the summaries, by resolution. */
  readonly matrices: readonly PlanMatrix[];
  /** Remarks, as sentences. */
  readonly notes: readonly string[];
}

/** Which sides of the account a report on devices shows. */
export const IMPACT_SIDES = ['desired', 'live', 'difference'] as const;

/** One of `IMPACT_SIDES`. */
export type ImpactSide = (typeof IMPACT_SIDES)[number];

/** One device under the policies of a matrix; a side that is not shown is null, and without both sides the lists are empty. */
export interface MatrixRow extends DeviceClass, ImpactLists {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Playback on devices under policies with equal results. */
export interface Matrix {
  /** Addresses. */
  readonly policies: readonly string[];
  readonly devices: readonly MatrixRow[];
}

/** The document of `impact`. `before` is live, `after` is desired. */
export interface ImpactReport {
  readonly schemaVersion: 1;
  readonly target: string;
  readonly of: ImpactSide;
  readonly matrices: readonly Matrix[];
  /** Policies that are omitted because no device is affected; only in reports of differences. */
  readonly unchanged: readonly string[];
  /** Remarks, as sentences. */
  readonly notes: readonly string[];
}
