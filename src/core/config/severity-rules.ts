/** Applies the severity rules of upkeep.yaml (`rules`): the severity of a finding by its code (design section 3). */

import type { Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { type FindingText, GENERAL_CODES, type Severity } from '../model/finding.ts';
import { suggest } from './did-you-mean.ts';
import type { Project } from './project.ts';

/** A finding, and the kind that found it. */
export interface KindFinding {
  readonly kind: Kind;
  readonly finding: UnlocatedFinding;
}

/** Codes of errors whose severity no rule can set, because a configuration with such an error cannot be used. */
const FIXED_SEVERITY_CODES = [
  'alias',
  'ambiguous-number',
  'unsupported-key',
  'base-url',
  'credential-source',
  'csv-cells',
  'csv-header',
  'csv-syntax',
  'duplicate-binding',
  'duplicate-item',
  'duplicate-key',
  'duplicate-link',
  'empty-source',
  'external-id-ambiguous',
  'external-id-not-found',
  'guard-expression',
  'include-cycle',
  'ignore-changes',
  'invalid-key',
  'invalid-value',
  'ledger-address',
  'literal-credential',
  'missing-file',
  'missing-key',
  'missing-parameter',
  'move',
  'not-adoptable',
  'not-text',
  'null',
  'out-of-range',
  'outside-project',
  'parameter-is-variable',
  'removed',
  'template-body',
  'too-deep',
  'too-large',
  'undeclared-address',
  'unknown-address',
  'unknown-entry-list',
  'unknown-key',
  'unknown-parameter',
  'unknown-template',
  'unknown-variable',
  'unquoted-id',
  'unrecognisable',
  'wrong-type',
  'yaml-syntax',
];

/**
 * Returns the severity of a kind's finding under the severity rules. A rule applies to every warning, and to the errors whose codes the
 * kind lists.
 */
export function severityOf(finding: UnlocatedFinding, kind: Kind, rules: Project['rules']): Severity | 'off' {
  return (
    (canSetSeverity(finding, kind) && Object.hasOwn(rules, finding.code) ? rules[finding.code] : undefined) ?? finding.severity ?? 'error'
  );
}

/**
 * Returns warnings, with paths in upkeep.yaml, about severity rules without effect: their code is unknown, or its severity cannot be set.
 * `kindFindings` are the findings of this run. They count, too, since a kind need not list the codes of its warnings.
 */
export function unusedSeverityRules(
  { rules, within }: Pick<Project, 'rules' | 'within'>,
  kinds: readonly Kind[],
  kindFindings: readonly KindFinding[],
): readonly UnlocatedFinding[] {
  const unused = Object.keys(rules).flatMap((code): UnlocatedFinding[] => {
    const text = whyUnused(code, kinds, kindFindings);
    return text === undefined ? [] : [{ severity: 'warning', code: 'unknown-rule', ...text, path: ['rules', code], part: 'key' }];
  });
  const withoutEvent = Object.keys(within).flatMap((code): UnlocatedFinding[] => {
    const known = kinds.flatMap(({ codesWithin = [] }) => codesWithin);
    if (known.includes(code) || unused.some(({ path }) => path[1] === code)) return [];
    const summary = `\`${code}\` is about no event, so that \`within\` has no effect`;
    const hint = `Leave it out. \`within\` works only for ${known.map((each) => `\`${each}\``).join(' and ')}.`;
    return [{ severity: 'warning', code: 'unknown-rule', summary, hint, path: ['rules', code, 'within'], part: 'key' }];
  });
  return [...unused, ...withoutEvent];
}

function whyUnused(
  code: string,
  kinds: readonly Kind[],
  kindFindings: readonly KindFinding[],
): Pick<FindingText, 'summary' | 'hint'> | undefined {
  const found = kindFindings.filter(({ finding }) => finding.code === code);
  if (found.length > 0 && found.every(({ kind, finding }) => canSetSeverity(finding, kind))) return undefined;
  if (FIXED_SEVERITY_CODES.includes(code) || found.length > 0)
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; fix what it names.' };
  const known = [GENERAL_CODES, ...kinds.map((kind) => kind.documentedCodes)].flatMap((codes) => Object.keys(codes));
  if (known.includes(code)) return undefined;
  const near = suggest(code, known);
  return {
    summary: `\`rules\` knows no code \`${code}\``,
    hint: near === undefined ? 'Every finding shows its code.' : `Did you mean \`${near}\`?`,
  };
}

/** Decides whether a rule may set the severity of a finding. */
function canSetSeverity(finding: UnlocatedFinding, kind: Kind): boolean {
  return finding.severity === 'warning' || Object.hasOwn(kind.documentedCodes, finding.code);
}
