/** What a policy means for devices, as plain data for reports, guards and JSON documents. */

/** Resolutions of a video track, smallest first: 576p or less; 720p and 1080p; 4K; 8K (drm-api-v3 section 2.3). */
export const RESOLUTIONS = ['SD', 'HD', 'UHD1', 'UHD2'] as const;

/** A resolution of a video track. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** The DRM systems that a policy has rules for (drm-api-v3 section 1). */
export type System = 'fairplay' | 'widevine' | 'playready';

/** A way of the picture to the eye: the built-in display, a cable, a cable through an HDCP repeater, an analog cable, casting, the AV adapter. */
export type Output = 'internal' | 'digital' | 'repeater' | 'analog' | 'airplay' | 'av_adapter';

/** `restricted`: it plays, but not everywhere or not in full. `unknown`: the documents leave a question open, or a fact is not known. */
export type PlaybackLevel = 'refused' | 'unknown' | 'restricted' | 'plays';

/** One thing that a policy does to a device. */
export interface Rule {
  /** What it comes to by itself; `plays` is a condition under which playback goes on (an expiry, a copy mark). */
  readonly outcome: PlaybackLevel;
  /** In words, with what is asked and what is present: `security_level 3 asked, 1 present`. */
  readonly text: string;
  /** JSON Pointer to what makes the rule: into the policy's fields, or `/vmp_reject_statuses` for the VMP set. */
  readonly field: string;
  /** Where the documents say so, for example `drm-api-v3 2.3`. */
  readonly section: string;
  /** The output it concerns; absent = the device as a whole. */
  readonly output?: Output;
}

/** What a device does with content of one resolution, and all the rules that speak of it, whichever of them decides. */
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

/** What a change does to a device. The lists name resolutions; one may stand in `restricted` and in `unrestricted`. */
export interface DeviceImpact {
  /** Address of the policy. */
  readonly address: string;
  readonly device: string;
  readonly name: string;
  readonly system: System;
  readonly before: Row;
  readonly after: Row;
  /** Played, or may have played, and is refused now. */
  readonly lost: readonly Resolution[];
  /** Was refused, and plays now, or may play. */
  readonly gained: readonly Resolution[];
  /** Plays on, with a limit that was not there. */
  readonly restricted: readonly Resolution[];
  /** Played or may have played, and a limit or a doubt is gone. */
  readonly unrestricted: readonly Resolution[];
  /** Played, and now it depends. */
  readonly uncertain: readonly Resolution[];
}

/** What may become of a resolution that a device played, or did not; in the order in which it is told. */
export const OUTCOMES = ['lost', 'uncertain', 'gained', 'restricted', 'unrestricted'] as const;

/** One of them; what each means is said at `DeviceImpact`. */
export type ImpactOutcome = (typeof OUTCOMES)[number];

/** The lists of resolutions, by outcome. */
export type ImpactLists = Pick<DeviceImpact, ImpactOutcome>;

/** A class of devices, as reports name it. */
export type DeviceClass = Pick<DeviceRow, 'device' | 'name' | 'system'>;

/** One thing that devices notice: all devices and all policies of which the same is to be told. */
export interface ImpactSummary {
  readonly outcome: ImpactOutcome;
  readonly resolutions: readonly Resolution[];
  /** Whether it only may play on the side that has more: there it depends. */
  readonly uncertain: boolean;
  readonly devices: readonly DeviceClass[];
  /** Addresses of the policies; `default policy` stands for content that has none of its own. */
  readonly policies: readonly string[];
  /** Addresses of the changes that bring it about. */
  readonly changes: readonly string[];
  /** The rules that make it, or that made it before and are gone. */
  readonly rules: readonly Rule[];
}

/** What a device does at each resolution, without the reasons. */
export type Playbacks = { readonly [resolution in Resolution]: PlaybackLevel };

/** One device that notices a plan. */
export interface PlanMatrixRow extends DeviceClass {
  readonly before: Playbacks;
  readonly after: Playbacks;
  /** Resolutions of which a story tells: playback or its limits change there. */
  readonly noticed: readonly Resolution[];
}

/** What devices do before and after a plan, under all policies under which the same devices notice the same. */
export interface PlanMatrix {
  /** Addresses, or `default policy`. */
  readonly policies: readonly string[];
  readonly devices: readonly PlanMatrixRow[];
}

/** What a plan means for devices. */
export interface PlanImpact {
  /** Losses first. */
  readonly summaries: readonly ImpactSummary[];
  /** The devices of the stories, resolution by resolution. */
  readonly matrices: readonly PlanMatrix[];
  /** What is to be said beside them, in sentences. */
  readonly notes: readonly string[];
}

/** Which sides of the account a report on devices shows. */
export const IMPACT_SIDES = ['desired', 'live', 'difference'] as const;

/** One of them. */
export type ImpactSide = (typeof IMPACT_SIDES)[number];

/** One device under the policies of a matrix; a side that is not shown is null, and without both sides the lists are empty. */
export interface MatrixRow extends DeviceClass, ImpactLists {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** What devices do under policies of which the same is to be told. */
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
  /** Policies that are not shown, because no device sees a difference; only where differences were asked for. */
  readonly unchanged: readonly string[];
  /** What is to be said beside the matrices, in sentences. */
  readonly notes: readonly string[];
}
