/** Words and a place make a finding. */
import { compareFindings, type Finding, type Severity, type SourcePosition } from '../model/finding.ts';

/** What a finding says; an error unless it says otherwise. */
export interface FindingText {
  readonly severity?: Severity;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string | undefined;
  readonly address?: string | undefined;
}

/** A finding at a place, with the line that stands there where it may be shown. */
export function findingAt(place: SourcePosition & { readonly excerpt?: string | undefined }, words: FindingText): Finding {
  const { severity = 'error', code, summary, hint, address } = words;
  const { file, line, column, excerpt } = place;
  return {
    severity,
    code,
    summary,
    file,
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** Of several findings about one misread value the one that names the cause; the others only follow from it. */
const causes: { readonly [code: string]: number } = {
  'unquoted-id': 3,
  'ambiguous-number': 2,
  'wrong-type': 1,
  'out-of-range': 1,
  'invalid-value': 1,
};

/** Findings in the order of every report (design section 5), without those that only follow from another one at the same place. */
export function dedupeFindings(findings: readonly Finding[]): readonly Finding[] {
  const strongest = new Map<string, number>();
  const rank = (finding: Finding) => causes[finding.code] ?? 0;
  const place = (finding: Finding) => JSON.stringify([finding.file, finding.line, finding.column]);
  for (const finding of findings) strongest.set(place(finding), Math.max(rank(finding), strongest.get(place(finding)) ?? 0));
  const follows = (finding: Finding) => rank(finding) > 0 && rank(finding) < (strongest.get(place(finding)) ?? 0);
  return findings.filter((finding) => !follows(finding)).sort(compareFindings);
}
