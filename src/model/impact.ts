/** What a policy means for devices, as plain data for reports, guards and JSON documents. */

/** Resolutions of a video track, smallest first: 576p or less; 720p and 1080p; 4K; 8K (drm-api-v3 section 2.3). */
export const RESOLUTIONS = ['SD', 'HD', 'UHD1', 'UHD2'] as const;

/** A resolution of a video track. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** The DRM systems that a policy has rules for (drm-api-v3 section 1). */
export type System = 'fairplay' | 'widevine' | 'playready';

/** A way of the picture to the eye: the built-in display, a cable, a cable through an HDCP repeater, an analog cable, casting, the AV adapter. */
export type Output = 'internal' | 'digital' | 'repeater' | 'analog' | 'airplay' | 'av_adapter';

/** `limited`: it plays, but not everywhere or not in full. `depends`: the documents leave a question open, or a fact is not known. */
export type Playback = 'refused' | 'depends' | 'limited' | 'plays';

/** One thing that a policy does to a device. */
export interface Rule {
  /** What it comes to by itself; `plays` is a condition under which playback goes on (an expiry, a copy mark). */
  readonly outcome: Playback;
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
  readonly playback: Playback;
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

/** What a change does to a device. The lists name resolutions; one may stand in `limited` and in `freed`. */
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
  readonly limited: readonly Resolution[];
  /** Played or may have played, and a limit or a doubt is gone. */
  readonly freed: readonly Resolution[];
  /** Played, and now it depends. */
  readonly unsure: readonly Resolution[];
}
