/** A place in the user's files: `file` relative to the folder of `upkeep.yaml`, with `/`; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Error findings stop a command before any request; warnings do not. */
export type Severity = 'error' | 'warning';

/** The text of a problem or a finding; `severity` is `error` by default. */
export interface FindingText {
  readonly severity?: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string | undefined;
  readonly address?: string | undefined;
}

/** An error or a warning about the user's configuration. */
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

/** Compares findings by their order in every report: file, line, column, then code (design section 5). */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareStrings(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareStrings(a.code, b.code) ||
    compareStrings(a.summary, b.summary)
  );
}

/** Compares strings by UTF-16 code units, so that the order is the same in every locale. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Codes of warnings about the live account. Their severity can be set under `rules`, like that of the two lists below. */
export const LIVE_WARNING_CODES = ['adopt-target-missing', 'id-changes', 'section-removed', 'looks-like-rename', 'drift-overwritten'];

/** Codes of findings of the user's guards. */
export const GUARD_CODES = ['guard', 'guard-failed'];

/** Codes of findings of the look-up of references. */
export const REFERENCE_CODES = ['references-not-checked'];
