/** A place in the user's files: `file` relative to the folder of `upkeep.yaml`, with `/`; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Error findings stop a command before any request; warnings do not. */
export type Severity = 'error' | 'warning';

/** The text of a finding; `severity` is `error` by default. */
export interface FindingText {
  readonly severity?: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string | undefined;
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
}

/** Counts the findings of a severity, with those that are not listed. */
export function countFindings(findings: readonly Finding[], severity: Severity): number {
  return findings.reduce((sum, finding) => (finding.severity === severity ? sum + (finding.unlisted ?? 1) : sum), 0);
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

/** The codes of findings that no kind reports, with their meaning. `rules` of upkeep.yaml can set their severity. */
export const GENERAL_CODES: { readonly [code: string]: string } = {
  'ignores-nothing': 'an entry of `ignore_changes` matches no declared resource',
  'unused-parameter': 'a template does not use one of its parameters',
  'unused-template': 'a template that nothing uses',
  'unused-entry-list': 'an entry list that no list includes',
  'references-not-checked': 'IDs could not be checked; the summary says why',
  'adopt-target-missing': '`adopt` names an object that the account does not have',
  'id-changes': 'an address cannot have the object that `adopt` or the ledger names, and gets one with another ID',
  'section-removed': 'a section is no longer declared, and objects of it that were applied are left as they are',
  'undone-adoption': 'going back to an apply leaves an object that was adopted since with its values',
  'undone-edit': 'an apply that `undo` reverts had overwritten an edit by hand, which is not restored',
  'looks-like-rename': 'a create differs only in its name from a delete, or from an undeclared live object',
  'cannot-be-declared': '`exclusive` keeps an object that nobody declares, because no configuration can declare it',
  'sent-whole': '`--only-origin` cannot leave a field alone, because its object is always sent whole',
  guard: 'a guard warns',
  'guard-failed': 'a guard could not be evaluated, and blocks',
};
