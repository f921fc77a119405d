/**
 * The diagram of a change, as its kind describes it: plain data. Alignment of lists, folding, counting and request numbers are left to the
 * report. Every text is unescaped data.
 */
import type { FieldChange } from './change.ts';

/** What the diagram of a change shows. A field of the change that it does not contain is shown as text. */
export type Diagram = PlaylistDiagram | PolicyDiagram | AccountSettingDiagram;

/** The list of a playlist, before and after; empty where that side of the field is null. */
export interface PlaylistDiagram {
  readonly type: 'playlist';
  readonly field: FieldChange;
  readonly before: readonly PlaylistEntry[];
  readonly after: readonly PlaylistEntry[];
}

/** An entry of a playlist: an asset by its ID, or an ad break by its length (playlist-api-v4 section 2.2). */
export interface PlaylistEntry {
  readonly type: 'beam' | 'ad';
  /** The ID, or `90 s`. */
  readonly label: string;
  /** Seconds of an ad break; absent for an asset. */
  readonly seconds?: number;
  /** The name of the asset in the catalog; absent without one. */
  readonly name?: string;
}

/** The changed settings of a DRM policy, by system and by the tracks that they apply to. */
export interface PolicyDiagram {
  readonly type: 'policy';
  /** All DRM systems, in order. */
  readonly systems: readonly string[];
  /** The columns to show, in order: tracks, and combinations of tracks. */
  readonly tracks: readonly string[];
  readonly settings: readonly PolicySetting[];
}

/** A changed setting of a DRM policy. */
export interface PolicySetting {
  readonly field: FieldChange;
  /** One of `systems`. */
  readonly system: string;
  /** One of `tracks`. */
  readonly track: string;
  /** JSON Pointer below the track; empty if the field holds all settings of the track. */
  readonly path: string;
}

/** A setting of the account, which requests bring from its value before to its value after. */
export interface AccountSettingDiagram {
  readonly type: 'account-setting';
  readonly fields: readonly FieldChange[];
}
