import type { Severity } from '../model/finding.ts';
import type { Path } from '../model/json.ts';

/** An error or warning of a kind, located by a path in the merged sources; the configuration loader adds file, line and column. */
export interface UnlocatedFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address?: string;
  /** Path in the merged sources, for example `['playlists', 'evening-block', 'playlist', 3, 'ad', 'dur']`. */
  readonly path: Path;
  /** The line of a file that the sources name (an `assets_file`), where the finding is about that line. */
  readonly textFilePosition?: { readonly file: string; readonly line: number; readonly column: number };
}

/** Builds an error at a path of the merged sources. */
export function errorFinding(code: string, path: Path, summary: string, hint: string): UnlocatedFinding {
  return { severity: 'error', code, path, summary, hint };
}

/** Builds a warning at a path of the merged sources. */
export function warningFinding(code: string, path: Path, summary: string, hint: string): UnlocatedFinding {
  return { severity: 'warning', code, path, summary, hint };
}
