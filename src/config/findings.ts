/** Builds findings from their texts and positions, and removes findings that follow from others. */
import { groupBy } from '../model/collections.ts';
import { compareFindings, type Finding, type FindingText, type SourcePosition } from '../model/finding.ts';

/** Builds a finding at a position, with the excerpt if the position has one. */
export function findingAt(position: SourcePosition & { readonly excerpt?: string | undefined }, text: FindingText): Finding {
  const { severity = 'error', code, summary, hint, address } = text;
  const { file, line, column, excerpt } = position;
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

/** Number of findings of one kind (severity and code) in one file that are listed; the others are counted. */
export const MAX_LISTED_FINDINGS = 100;

/**
 * Limits findings of one kind in one file: after the first 100, one finding in place of the next says how many more there are. Called
 * before positions are computed, so that a file with a million mistakes takes no longer than one with a hundred.
 */
export function limitFindings<Found extends FindingText>(
  findings: readonly Found[],
  fileOf: (finding: Found) => string,
  most = MAX_LISTED_FINDINGS,
): readonly Found[] {
  if (findings.length <= most) return findings;
  const groups = groupBy(findings, (finding) => JSON.stringify([fileOf(finding), finding.severity, finding.code]));
  return [...groups.values()].flatMap((group) => {
    const next = group[most];
    if (next === undefined) return group;
    const summary = `${group.length - most} more findings of this kind in this file are not listed`;
    return [...group.slice(0, most), { ...next, summary, hint: 'Fix those that are listed, and run again.' }];
  });
}

/** Precedence of findings about one value. The one with the highest number names the cause; the others only follow from it. */
const precedence: { readonly [code: string]: number } = {
  'unquoted-id': 3,
  'ambiguous-number': 2,
  'wrong-type': 1,
  'out-of-range': 1,
  'invalid-value': 1,
};

/** Sorts findings for reports (design section 5), and removes those that only follow from another finding at the same position. */
export function dedupeFindings(findings: readonly Finding[]): readonly Finding[] {
  const strongest = new Map<string, number>();
  const rank = (finding: Finding) => precedence[finding.code] ?? 0;
  const positionKey = (finding: Finding) => JSON.stringify([finding.file, finding.line, finding.column]);
  for (const finding of findings) strongest.set(positionKey(finding), Math.max(rank(finding), strongest.get(positionKey(finding)) ?? 0));
  const isConsequence = (finding: Finding) => rank(finding) > 0 && rank(finding) < (strongest.get(positionKey(finding)) ?? 0);
  return findings.filter((finding) => !isConsequence(finding)).sort(compareFindings);
}
