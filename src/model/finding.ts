/** A place in the user's files: `file` relative to the folder of `upkeep.yaml`, with `/`; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Error findings stop a command before any request; warnings do not. */
export type Severity = 'error' | 'warning';

/** A mistake or a doubt about the user's configuration. */
export interface Finding extends SourcePosition {
  readonly severity: Severity;
  /** Short stable name, lower case with dashes; `rules` in upkeep.yaml lowers or raises findings by it. */
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address?: string;
  /** The line of the file, for the code frame of text output; not part of the JSON documents. */
  readonly excerpt?: string;
}

/** Order of findings in every report: by file, line, column, then code (design section 5). */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareStrings(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareStrings(a.code, b.code) ||
    compareStrings(a.summary, b.summary)
  );
}

/** Order of texts by UTF-16 code units: the same on every machine, whatever its locale. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
