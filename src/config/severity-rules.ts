/** Applies `rules` of upkeep.yaml: the severity of a finding by its code (design section 3). */

import type { Kind, UnlocatedFinding } from '../kinds/kind.ts';
import type { Severity } from '../model/finding.ts';
import { GUARD_CODES, LIVE_WARNING_CODES, REFERENCE_CODES } from '../model/finding.ts';
import { suggest } from './did-you-mean.ts';
import type { Project } from './project.ts';

/** Codes of errors that no rule can lower, because the configuration cannot be used with them. */
const NOT_OVERRIDABLE = [
  'alias',
  'ambiguous-number',
  'unsupported-key',
  'base-url',
  'credential-source',
  'duplicate-binding',
  'duplicate-item',
  'duplicate-key',
  'duplicate-link',
  'empty-source',
  'guard-expression',
  'invalid-key',
  'invalid-value',
  'literal-credential',
  'missing-file',
  'missing-key',
  'move',
  'not-adoptable',
  'not-text',
  'null',
  'out-of-range',
  'outside-project',
  'removed',
  'too-deep',
  'too-large',
  'undeclared-address',
  'unknown-address',
  'unknown-key',
  'unknown-variable',
  'unquoted-id',
  'unrecognisable',
  'wrong-type',
  'yaml-syntax',
];

/**
 * Returns the severity of a kind's finding under the rules. A kind lists the codes that can be set; its other errors keep their severity.
 */
export function severityOf(finding: UnlocatedFinding, kind: Kind, rules: Project['rules']): Severity | 'off' {
  return (isOverridable(finding, kind) && Object.hasOwn(rules, finding.code) ? rules[finding.code] : undefined) ?? finding.severity;
}

/**
 * Returns a warning about a rule without effect, because its code is unknown or cannot be set. `kindFindings` are the findings of the run,
 * whose codes the kinds may not list.
 */
export function unusedOverride(
  code: string,
  kinds: readonly Kind[],
  kindFindings: readonly { readonly kind: Kind; readonly finding: UnlocatedFinding }[],
): { readonly summary: string; readonly hint: string } | undefined {
  const found = kindFindings.filter(({ finding }) => finding.code === code);
  if (found.length > 0 && found.every(({ kind, finding }) => isOverridable(finding, kind))) return undefined;
  if (NOT_OVERRIDABLE.includes(code) || found.length > 0)
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; fix what it names.' };
  const known = [...LIVE_WARNING_CODES, ...GUARD_CODES, ...REFERENCE_CODES, ...kinds.flatMap((kind) => kind.overridableCodes)];
  if (known.includes(code)) return undefined;
  const near = suggest(code, known);
  return {
    summary: `no finding that rules can set has the code \`${code}\``,
    hint: near === undefined ? 'Every finding shows its code.' : `Did you mean \`${near}\`?`,
  };
}

/** Decides whether rules may set the severity of a finding. */
function isOverridable(finding: UnlocatedFinding, kind: Kind): boolean {
  return finding.severity === 'warning' || kind.overridableCodes.includes(finding.code);
}
