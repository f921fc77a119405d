/** A place in the user's files: `file` relative to the folder of `upkeep.yaml`, with `/`; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Error findings stop a command before any request; warnings do not. */
export type Severity = 'error' | 'warning';

/** What to do about a finding. A function where that is looked up, which is done for findings that are listed only. */
export type Hint = string | (() => string);

/** The text of a finding; `severity` is `error` by default. */
export interface FindingText {
  readonly severity?: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: Hint | undefined;
  readonly address?: string | undefined;
  /** Where the other of two equal values is, for a finding about one of them. Without a file, it is in the same file. */
  readonly otherPlace?: { readonly file?: string; readonly line: number } | undefined;
  /** For how many findings of its kind and file it stands that are not listed; absent = it is a finding itself. */
  readonly unlisted?: number | undefined;
}

/** An error or a warning about the user's configuration. */
export interface Finding extends SourcePosition {
  readonly severity: Severity;
  /** A short, stable name in lower case with dashes. `rules` in upkeep.yaml sets the severity by it. */
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
  readonly address?: string;
  /** The line of the file, for the code frame of text output; not part of the JSON documents. */
  readonly excerpt?: string;
  /** For how many findings of its kind and file it stands that are not listed; absent = it is a finding itself. */
  readonly unlisted?: number;
  /** Present where the configuration with which this one is compared, or that was last applied, did not have it. */
  readonly isNew?: true;
  /** Present where a rule for its place says `off`: documents count it, and do not list it. */
  readonly accepted?: true;
}

/** The code of findings about a setting of upkeep.yaml that holds changes back, and less after an edit. */
export const LOWERED_CODE = 'safeguard-lowered';

/** Counts the findings of a severity, with those that are not listed. */
export function countFindings(findings: readonly Finding[], severity: Severity): number {
  return findings.reduce((sum, finding) => (finding.severity === severity ? sum + (finding.unlisted ?? 1) : sum), 0);
}

/** Compares findings by their order in every report: file, line, column, then code (design section 5, reports for people). */
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
