import type { FindingText, Hint, SourcePosition } from '../model/finding.ts';
import type { MemberPart, Path } from '../model/json.ts';

/** A finding before its position is known: it is located by a path in the merged sources or in upkeep.yaml. */
export interface UnlocatedFinding extends FindingText {
  /** For example `['playlists', 'evening-block', 'playlist', 3, 'ad', 'dur']`. */
  readonly path: Path;
  /** The part of the member at the path that the finding is about; `value` by default. */
  readonly part?: MemberPart;
  /** The other of two equal values, where the finding is about one of them; its hint names the place. */
  readonly other?: Pick<UnlocatedFinding, 'path' | 'part' | 'textFilePosition'>;
  /** The position in a text file that the sources name (an `assets_file`), where the finding is about a line of that file. */
  readonly textFilePosition?: SourcePosition;
}

/** Builds an error at a path. */
export function errorFinding(code: string, path: Path, summary: string, hint: Hint): UnlocatedFinding {
  return { severity: 'error', code, path, summary, hint };
}

/** Builds a warning at a path. */
export function warningFinding(code: string, path: Path, summary: string, hint: Hint): UnlocatedFinding {
  return { severity: 'warning', code, path, summary, hint };
}
