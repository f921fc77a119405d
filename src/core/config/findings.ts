/** Builds findings from their texts and positions, and removes findings that follow from others. */
import type { FindingList, UnlocatedFinding } from '../kinds/kind.ts';
import { groupBy } from '../model/collections.ts';
import { compareFindings, compareStrings, countFindings, type Finding, type FindingText, type SourcePosition } from '../model/finding.ts';
import type { MemberPart, Path } from '../model/json.ts';
import type { AcceptedFindings } from '../model/plan.ts';

/** Maximum length of an excerpt, characters: each of many findings repeats its line, and every secret is looked for in each. */
export const MAX_EXCERPT_LENGTH = 4_096;

/**
 * Builds a finding at a position, with the excerpt if the position has one that is not too long. Of a conflict, the hint names the other
 * place.
 */
export function findingAt(position: SourcePosition & { readonly excerpt?: string | undefined }, text: FindingText): Finding {
  const { severity = 'error', code, summary, otherPlace, address, unlisted } = text;
  const { file, line, column, excerpt } = position;
  const place = otherPlace === undefined ? undefined : `The other one is in ${otherPlace.file ?? file}:${otherPlace.line}.`;
  const advice = typeof text.hint === 'function' ? text.hint() : text.hint;
  const hint = place === undefined ? advice : [place, advice].filter(Boolean).join(' ');
  return {
    severity,
    code,
    summary,
    file,
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(excerpt === undefined || excerpt.length > MAX_EXCERPT_LENGTH ? {} : { excerpt }),
    ...(unlisted === undefined ? {} : { unlisted }),
  };
}

/** Returns a finding about a conflict of two values with the position of the second one; any other finding as it is. */
export function withConflictPosition<Found extends UnlocatedFinding>(
  finding: Found,
  locationOf: (path: Path, part?: MemberPart) => SourcePosition,
): Found {
  const { other } = finding;
  return other === undefined ? finding : { ...finding, otherPlace: other.textFilePosition ?? locationOf(other.path, other.part) };
}

/** Number of findings with the same code and severity that are listed of one file; the others are counted. */
export const MAX_LISTED_FINDINGS = 100;

/**
 * Limits the findings with the same code and severity in one file: the 101st says how many more there are. The findings may be limited
 * already: the numbers of those that are not listed are added up. Called for every report, and while sources are loaded also before
 * positions are computed, so that a file with a million mistakes takes no longer than one with a hundred. Those for which `groupOf` returns
 * different texts are limited on their own.
 */
export function limitFindings<Found extends FindingText>(
  findings: readonly Found[],
  fileOf: (finding: Found) => string,
  maxPerCode = MAX_LISTED_FINDINGS,
  groupOf: (finding: Found) => string = () => '',
): readonly Found[] {
  if (findings.length <= maxPerCode) return findings;
  const groups = groupBy(findings, (finding) => JSON.stringify([fileOf(finding), finding.severity, finding.code, groupOf(finding)]));
  return [...groups.values()].flatMap((group) => limitGroup(group, maxPerCode));
}

/** How many more findings are collected before those that are not listed are left out. */
const MOST_COLLECTED = 10_000;

/** Creates a list of findings that stays short: what is not listed is not kept. */
export function createFindingList<Found extends UnlocatedFinding>(
  limit: (found: readonly Found[]) => readonly Found[],
): FindingList<Found> {
  let kept: Found[] = [];
  let limitAt = MOST_COLLECTED;
  return {
    add(found) {
      for (const finding of found) kept.push(finding);
      if (kept.length < limitAt) return;
      kept = [...limit(kept)];
      limitAt = MOST_COLLECTED + 2 * kept.length;
    },
    all: () => kept,
  };
}

function limitGroup<Found extends FindingText>(group: readonly Found[], maxPerCode: number): readonly Found[] {
  const single = group.filter(({ unlisted }) => unlisted === undefined);
  const unlisted = group.reduce((sum, finding) => sum + (finding.unlisted ?? 0), Math.max(0, single.length - maxPerCode));
  const next = group.find((finding) => finding.unlisted !== undefined) ?? single[maxPerCode];
  if (next === undefined) return group;
  const summary = `${unlisted} more findings of this kind in this file are not listed`;
  return [...single.slice(0, maxPerCode), { ...next, summary, hint: 'Fix those that are listed, and run again.', unlisted }];
}

/**
 * Marks the findings that an earlier configuration did not have, wherever their lines were: by code, address or file, and summary. Where the
 * earlier ones are not all listed, nothing of their kind is marked.
 */
export function markNewFindings(findings: readonly Finding[], earlier: readonly Finding[]): readonly Finding[] {
  const known = new Set(earlier.map(({ code, address, file, summary }) => JSON.stringify([code, address ?? file, summary])));
  const notListed = new Set(earlier.flatMap(({ code, file, unlisted }) => (unlisted === undefined ? [] : JSON.stringify([code, file]))));
  return findings.map((finding) => {
    const { code, address, file, summary, unlisted } = finding;
    const isKnown = known.has(JSON.stringify([code, address ?? file, summary])) || notListed.has(JSON.stringify([code, file]));
    return isKnown || unlisted !== undefined ? finding : { ...finding, isNew: true };
  });
}

/** Counts the findings that rules accept, by code, the codes sorted; nothing where there are none. */
export function acceptedFindings(findings: readonly Finding[]): { readonly accepted?: AcceptedFindings } {
  const byCode = groupBy(
    findings.filter(({ accepted }) => accepted),
    ({ code }) => code,
  );
  const counts = [...byCode].map(([code, ofCode]): [string, number] => [code, countFindings(ofCode, 'warning')]);
  return counts.length === 0 ? {} : { accepted: Object.fromEntries(counts.toSorted(([a], [b]) => compareStrings(a, b))) };
}

/** Returns the findings of a report in its order, limited (design section 2, imports), without those that rules accept. */
export function listedFindings(all: readonly Finding[]): readonly Finding[] {
  const findings = all.filter(({ accepted }) => !accepted);
  return limitFindings(findings.toSorted(compareFindings), ({ file }) => file).toSorted(compareFindings);
}

/** Precedence of findings about one value. The one with the highest number names the cause; the others only follow from it. */
const precedence: { readonly [code: string]: number } = {
  'yaml-syntax': 3,
  'unquoted-id': 3,
  'ambiguous-number': 2,
  'unknown-key': 2,
  null: 1,
  'wrong-type': 1,
  'out-of-range': 1,
  'invalid-value': 1,
  'hidden-character': 1,
};

/**
 * Sorts findings for reports (design section 5, reports for people), and removes those that only follow from another finding at the same
 * position, or say the same: many resources may have one value of a template.
 */
export function dedupeFindings(findings: readonly Finding[]): readonly Finding[] {
  const strongest = new Map<string, number>();
  const rank = (finding: Finding) => precedence[finding.code] ?? 0;
  const positionKey = (finding: Finding) => JSON.stringify([finding.file, finding.line, finding.column]);
  for (const finding of findings) strongest.set(positionKey(finding), Math.max(rank(finding), strongest.get(positionKey(finding)) ?? 0));
  const isConsequence = (finding: Finding) => rank(finding) > 0 && rank(finding) < (strongest.get(positionKey(finding)) ?? 0);
  const sorted = findings.filter((finding) => !isConsequence(finding)).sort(compareFindings);
  return sorted.filter((finding, index) => !isSame(finding, sorted[index - 1]));
}

function isSame(finding: Finding, other: Finding | undefined): boolean {
  return (
    other !== undefined &&
    compareFindings(finding, other) === 0 &&
    finding.unlisted === other.unlisted &&
    finding.accepted === other.accepted
  );
}
