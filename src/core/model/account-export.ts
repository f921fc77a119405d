import type { Finding } from './finding.ts';
import type { AcceptedFindings } from './plan.ts';

/** How `--group-by` divides playlists among files: by the beginning of their keys, or a file for each. */
export const GROUPINGS = ['prefix', 'file'] as const;

/** A way to divide playlists among files. */
export type Grouping = (typeof GROUPINGS)[number];

/** The document of `export`, and of `init`, which may export. */
export interface AccountExportReport {
  readonly schemaVersion: 1;
  readonly target: string;
  /** The folder of the files; null where they were printed. */
  readonly folder: string | null;
  /** Names of the files, with `/`. */
  readonly files: readonly string[];
  /** Number of live resources that the files declare, by kind. */
  readonly written: { readonly [kind: string]: number };
  /** The live resources that no file declares. */
  readonly leftOut: readonly NotExported[];
  /** What validation warns about, because the account holds it. */
  readonly findings: readonly Finding[];
  readonly accepted?: AcceptedFindings;
}

/** A live resource that an export leaves out. */
export interface NotExported {
  /** The address by its ID: `playlist/~<id>`, or that of a setting. */
  readonly address: string;
  /** Its name in the account; empty where it has none. */
  readonly name: string;
  readonly reason: string;
  /** How it can be managed all the same; absent where the account has to be corrected first. */
  readonly hint?: string;
}
