/** Applies the severity rules of upkeep.yaml (`rules`): the severity of a finding by its code (design section 3). */

import type { Kind, UnlocatedFinding } from '../kinds/kind.ts';
import type { Finding, FindingText, Severity } from '../model/finding.ts';
import type { FindingCode } from '../model/finding-codes.ts';
import { suggest } from './did-you-mean.ts';
import type { Project } from './project.ts';
import type { SourceModel } from './source-model.ts';

/** Returns a finding with the severity that `rules` sets for a warning of its code. Returns none where that is `off`. */
export function withSeverity(finding: Finding, rules: Project['rules']): readonly Finding[] {
  const severity = finding.severity === 'warning' ? (rules[finding.code] ?? finding.severity) : finding.severity;
  return severity === 'off' ? [] : [{ ...finding, severity }];
}

/** Returns the severity of a kind's finding under the severity rules. A rule applies to every warning, and to errors whose code is not fixed. */
export function severityOf(finding: UnlocatedFinding, { findingCodes }: Kind, rules: Project['rules']): Severity | 'off' {
  const code = findingCodes[finding.code];
  const canSet = finding.severity === 'warning' || (code !== undefined && !code.isFixed);
  return (canSet ? rules[finding.code] : undefined) ?? finding.severity ?? 'error';
}

/** Returns warnings, with paths in upkeep.yaml, about severity rules without effect. */
export function unusedSeverityRules(
  { rules, within }: Pick<Project, 'rules' | 'within'>,
  { findingCodes: known }: SourceModel,
): readonly UnlocatedFinding[] {
  const settable = known.flatMap(([code, { isFixed }]) => (isFixed ? [] : [code]));
  const named = (name: string) => known.flatMap(([code, meaning]) => (code === name ? [meaning] : []));
  const unused = Object.keys(rules).flatMap((code): UnlocatedFinding[] => {
    const text = whyUnused(code, named(code), settable);
    return text === undefined ? [] : [{ severity: 'warning', code: 'unknown-rule', ...text, path: ['rules', code], part: 'key' }];
  });
  const withoutEvent = Object.keys(within).flatMap((code): UnlocatedFinding[] => {
    if (named(code).some(({ hasDate }) => hasDate) || unused.some(({ path }) => path[1] === code)) return [];
    const withDate = known.flatMap(([each, { hasDate }]) => (hasDate ? [`\`${each}\``] : []));
    const summary = `\`${code}\` is about no event, so that \`within\` has no effect`;
    const hint = `Leave it out. \`within\` works only for ${withDate.join(' and ')}.`;
    return [{ severity: 'warning', code: 'unknown-rule', summary, hint, path: ['rules', code, 'within'], part: 'key' }];
  });
  return [...unused, ...withoutEvent];
}

function whyUnused(
  code: string,
  named: readonly FindingCode[],
  settable: readonly string[],
): Pick<FindingText, 'summary' | 'hint'> | undefined {
  if (named.some(({ isFixed }) => !isFixed)) return undefined;
  if (named.length > 0)
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; fix what it names.' };
  const near = suggest(code, settable);
  return {
    summary: `\`rules\` knows no code \`${code}\``,
    hint: near === undefined ? 'Every finding shows its code.' : `Did you mean \`${near}\`?`,
  };
}
