/** The live account at a glance (`export --format html`): what it holds, without a comparison with the configuration. Plain JSON. */
import type { JsonObject } from './json.ts';
import type { AskedDate, AssetTimes, PlaylistContent } from './run-of-show.ts';

/** A short remark about something live. `alarm` is what weakens protection or stops playback, `warning` what cannot be understood. */
export interface OverviewMark {
  readonly style: 'good' | 'quiet' | 'warning' | 'alarm';
  readonly text: string;
}

/** A live playlist. */
export interface PlaylistOverview {
  readonly id: string;
  /** Its description; it may be empty. */
  readonly name: string;
  readonly content: PlaylistContent;
  /** Whether viewers can play it, or may. */
  readonly isOnAir: boolean;
  /** Whether DRM is required; null where the API documents do not say what its setting means. */
  readonly requiresDrm: boolean | null;
  readonly marks: readonly OverviewMark[];
}

/** A live DRM policy. */
export interface PolicyOverview {
  readonly id: string;
  readonly name: string;
  /** Its settings in canonical form, with every default. */
  readonly settings: JsonObject;
}

/** What a kind shows of its live objects. */
export type KindOverview =
  | { readonly type: 'playlists'; readonly playlists: readonly PlaylistOverview[] }
  | {
      readonly type: 'policies';
      readonly policies: readonly PolicyOverview[];
      readonly defaults: JsonObject;
      /** Titles of the top-level settings. */
      readonly systems: { readonly [key: string]: string };
    }
  | {
      readonly type: 'setting';
      readonly title: string;
      /** One sentence. */
      readonly summary: OverviewMark;
      /** The members of a set. */
      readonly members: readonly OverviewMark[];
    };

/** One kind of the account. */
export interface AccountPart {
  readonly kind: string;
  readonly overview: KindOverview;
  /** What the read of the kind warns about. */
  readonly warnings: readonly string[];
}

/** A live object of which something is not known, or that no configuration can declare. */
export interface AccountRemark {
  readonly kind: string;
  /** The remote ID; null for a setting. */
  readonly id: string | null;
  readonly text: string;
}

/** The live account. */
export interface AccountOverview {
  readonly target: string;
  readonly baseUrl: string;
  /** When it was read, in Unix milliseconds. */
  readonly readAt: number;
  /** The date for which the availability of assets was asked; null = now. */
  readonly at: AskedDate | null;
  readonly parts: readonly AccountPart[];
  /** The kinds that could not be read completely, of which nothing is shown. */
  readonly unread: readonly { readonly kind: string; readonly reason: string; readonly hint: string }[];
  readonly remarks: readonly AccountRemark[];
  /** What is known of assets, by their IDs. */
  readonly assets: { readonly [id: string]: AssetTimes };
  /** Why less is known of assets than there is: one sentence each. */
  readonly assetsUnread: readonly string[];
}
