import type { Severity } from '../model/finding.ts';
import type { Path } from '../model/json.ts';

/** A mistake or doubt found by a kind; the engine turns its path into a place. */
export interface UnlocatedFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address?: string;
  /** Path in the merged sources, for example `['playlists', 'evening-block', 'playlist', 3, 'ad', 'dur']`. */
  readonly path: Path;
  /** A line of a file that the sources name (an `assets_file`), where the mistake stands there. */
  readonly inFile?: { readonly file: string; readonly line: number; readonly column: number };
}

/** A mistake at a path of the merged sources. */
export function errorFinding(code: string, path: Path, summary: string, hint: string): UnlocatedFinding {
  return { severity: 'error', code, path, summary, hint };
}

/** A doubt at a path of the merged sources. */
export function warningFinding(code: string, path: Path, summary: string, hint: string): UnlocatedFinding {
  return { severity: 'warning', code, path, summary, hint };
}
