/** `rules` of upkeep.yaml: the severity of a finding by its code (design section 3). */
import type { Kind, Problem } from '../../kinds/kind.ts';
import type { Severity } from '../../model/finding.ts';
import { GUARD_CODES } from '../guards/judge.ts';
import { NOTE_CODES } from '../notes.ts';
import { REFERENCE_CODES } from '../references.ts';
import type { Project } from './configuration.ts';
import { nearestName } from './nearest.ts';

/** Codes of the engine's own findings: without them corrected there is nothing to reconcile, so no rule lowers them. */
const structural = [
  'alias',
  'ambiguous-number',
  'bad-key',
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

/** The severity that a problem of a kind has under the rules. A kind names the codes that can be set; its other errors stay. */
export function severityOf(problem: Problem, kind: Kind, rules: Project['rules']): Severity | 'off' {
  return (isSettable(problem, kind) && Object.hasOwn(rules, problem.code) ? rules[problem.code] : undefined) ?? problem.severity;
}

/** What is odd about a rule, if anything: it changes nothing, because of its code. The problems of the run tell codes that the kinds do not name. */
export function oddRule(
  code: string,
  kinds: readonly Kind[],
  problems: readonly { readonly kind: Kind; readonly problem: Problem }[],
): { readonly summary: string; readonly hint: string } | undefined {
  const found = problems.filter(({ problem }) => problem.code === code);
  if (found.length > 0 && found.every(({ kind, problem }) => isSettable(problem, kind))) return undefined;
  if (structural.includes(code) || found.length > 0)
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; correct what it names.' };
  const known = [...NOTE_CODES, ...GUARD_CODES, ...REFERENCE_CODES, ...kinds.flatMap((kind) => kind.codes)];
  if (known.includes(code)) return undefined;
  const near = nearestName(code, known);
  return {
    summary: `no finding that rules can set has the code \`${code}\``,
    hint: near === undefined ? 'Codes stand in the findings themselves.' : `Did you mean \`${near}\`?`,
  };
}

/** Whether rules may set the severity of a problem. */
function isSettable(problem: Problem, kind: Kind): boolean {
  return problem.severity === 'warning' || kind.codes.includes(problem.code);
}
