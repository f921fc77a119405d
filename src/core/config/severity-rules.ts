/** Applies the severity rules of upkeep.yaml (`rules`): the severity of a finding by its code and its place (design section 3). */

import type { Kind, UnlocatedFinding } from '../kinds/kind.ts';
import type { Finding, FindingText } from '../model/finding.ts';
import type { FindingCode } from '../model/finding-codes.ts';
import { matchesGlob } from '../model/glob.ts';
import { suggest } from './did-you-mean.ts';
import type { SeverityRule } from './project.ts';
import type { SourceModel } from './source-model.ts';

/**
 * Returns a finding with the severity that the rules set for it: where `canSet`, by default for a warning. Returns none where that is `off`
 * everywhere; one that is `off` for its place is accepted, and counted by reports.
 */
export function withSeverity(
  finding: Finding,
  rules: readonly SeverityRule[],
  canSet = finding.severity === 'warning',
): readonly Finding[] {
  const rule = canSet ? rules.findLast((each) => isInEffect(each, finding)) : undefined;
  if (rule === undefined) return [finding];
  if (rule.severity !== 'off') return [{ ...finding, severity: rule.severity }];
  return hasPlace(rule) ? [{ ...finding, severity: 'warning', accepted: true }] : [];
}

/**
 * As `withSeverity`, for a finding that may stand for others of one code: if `addressesOf` tells them from the rest, the rules for its address
 * are those for all of them.
 */
export function withSeverityOfAll(finding: Finding, rules: readonly SeverityRule[], canSet?: boolean): readonly Finding[] {
  const { unlisted, ...first } = finding;
  if (unlisted === undefined || rules.some(({ code, file }) => code === finding.code && file !== null))
    return withSeverity(finding, rules, canSet);
  return withSeverity(first, rules, canSet).map((each) => ({ ...each, unlisted }));
}

/** Returns which rules name the address of a finding, as a text. */
export function addressesOf(code: string, address: string | undefined, rules: readonly SeverityRule[]): string {
  const matching = rules.filter(
    (rule) => rule.address !== null && isAbout({ ...rule, file: null }, { code, file: '', ...(address === undefined ? {} : { address }) }),
  );
  return JSON.stringify(matching.map(({ path }) => path));
}

/** Decides whether the rules can set the severity of a kind's finding: of every warning, and of errors whose code is not fixed. */
export function canSetSeverity({ severity, code }: Pick<FindingText, 'severity' | 'code'>, { findingCodes }: Kind): boolean {
  return severity === 'warning' || (findingCodes[code] !== undefined && !findingCodes[code].isFixed);
}

/** Decides whether no finding with a code is reported or accepted, wherever it is. */
export function isSwitchedOff(code: string, rules: readonly SeverityRule[]): boolean {
  const last = rules.findLast((rule) => rule.code === code && !rule.isExpired);
  return last !== undefined && last.severity === 'off' && !hasPlace(last);
}

/** Returns how long before an event a finding about it is reported, milliseconds; undefined where no rule says so. */
export function withinOf(code: string, address: string, rules: readonly SeverityRule[]): number | undefined {
  const rule = rules.findLast((each) => each.withinMs !== null && isInEffect(each, { code, address, file: '' }));
  return rule?.withinMs ?? undefined;
}

function hasPlace({ address, file }: SeverityRule): boolean {
  return address !== null || file !== null;
}

/** Decides whether a rule counts for a finding. One that stands for several findings is at no single place. */
function isInEffect(rule: SeverityRule, finding: Pick<Finding, 'code' | 'address' | 'file' | 'unlisted'>): boolean {
  return !rule.isExpired && isAbout(rule, finding) && !(hasPlace(rule) && finding.unlisted !== undefined);
}

function isAbout({ code, address, file }: SeverityRule, finding: Pick<Finding, 'code' | 'address' | 'file'>): boolean {
  return (
    code === finding.code &&
    (address === null || (finding.address !== undefined && matchesGlob(address, finding.address))) &&
    (file === null || matchesGlob(file, finding.file))
  );
}

const UNUSED_CODE = 'unused-rule';

/** Returns warnings, with paths in upkeep.yaml, about severity rules without effect, whatever the findings are. */
export function unusedSeverityRules(
  rules: readonly SeverityRule[],
  { findingCodes: known }: Pick<SourceModel, 'findingCodes'>,
): readonly UnlocatedFinding[] {
  const settable = known.flatMap(([code, { isFixed }]) => (isFixed ? [] : [code]));
  return rules.flatMap((rule): UnlocatedFinding[] => {
    const { code, path, withinMs } = rule;
    const named = known.flatMap(([name, meaning]) => (name === code ? [meaning] : []));
    const text = whyUnused(code, named, settable) ?? whyExpired(rule);
    if (text !== undefined) return [{ severity: 'warning', code: UNUSED_CODE, ...text, path, part: 'key' }];
    if (withinMs === null || named.some(({ hasDate }) => hasDate)) return [];
    const withDate = known.flatMap(([each, { hasDate }]) => (hasDate ? [`\`${each}\``] : []));
    const summary = `\`${code}\` is about no event, so that \`within\` has no effect`;
    const hint = `Leave it out. \`within\` works only for ${withDate.join(' and ')}.`;
    return [{ severity: 'warning', code: UNUSED_CODE, summary, hint, path: [...path, 'within'], part: 'key' }];
  });
}

/**
 * Returns warnings, with paths in upkeep.yaml, about the rules in effect that accept or lower what is at a place where none of the findings is.
 * `canFind` says which codes were looked for, `concerns` which rules are meant for this target.
 */
export function rulesWithoutFinding(
  rules: readonly SeverityRule[],
  findings: readonly Finding[],
  canFind: (code: string) => boolean,
  concerns: (rule: SeverityRule) => boolean,
): readonly UnlocatedFinding[] {
  const isFound = (rule: SeverityRule) =>
    findings.some((finding) => isAbout(rule, finding) || (finding.code === rule.code && finding.unlisted !== undefined));
  return rules
    .filter((rule) => hasPlace(rule) && !rule.isExpired && rule.severity !== 'error' && canFind(rule.code))
    .filter((rule) => !isFound(rule) && concerns(rule))
    .map((rule) => {
      const summary = `the entry about ${subjectOf(rule)} matches no finding`;
      return { severity: 'warning', code: UNUSED_CODE, summary, hint: 'Remove it, or correct its place.', path: rule.path, part: 'key' };
    });
}

type Reason = Pick<FindingText, 'summary' | 'hint'>;

function whyUnused(code: string, named: readonly FindingCode[], settable: readonly string[]): Reason | undefined {
  if (named.some(({ isFixed }) => !isFixed)) return undefined;
  if (named.length > 0)
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; fix what it names.' };
  const near = suggest(code, settable);
  return {
    summary: `\`rules\` knows no code \`${code}\``,
    hint: near === undefined ? 'Every finding shows its code.' : `Did you mean \`${near}\`?`,
  };
}

function whyExpired(rule: SeverityRule): Reason | undefined {
  if (!rule.isExpired) return undefined;
  return {
    summary: `the entry about ${subjectOf(rule)} was in effect until ${rule.until}`,
    hint: `Fix what it is about, or enter another last day.${rule.why === null ? '' : ` Its reason was: ${rule.why}`}`,
  };
}

/** Names what a rule is about: its code, and its place. */
function subjectOf({ code, address, file }: SeverityRule): string {
  return [`\`${code}\``, ...(address === null ? [] : [`at ${address}`]), ...(file === null ? [] : [`in ${file}`])].join(' ');
}
