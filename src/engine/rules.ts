/** `rules` of upkeep.yaml: the severity of a finding by its code (design section 3). */
import type { Kind, Problem } from '../kinds/kind.ts';
import type { Severity } from '../model/finding.ts';
import type { Project } from './configuration.ts';
import { nearestName } from './nearest.ts';
import { NOTE_CODES } from './notes.ts';

/** Codes of the engine's own findings: without them corrected there is nothing to reconcile, so no rule lowers them. */
const structural = [
  'alias',
  'ambiguous-number',
  'bad-key',
  'base-url',
  'credential-source',
  'duplicate-item',
  'duplicate-key',
  'empty-source',
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
  const settable = problem.severity === 'warning' || kind.codes.includes(problem.code);
  return (settable && Object.hasOwn(rules, problem.code) ? rules[problem.code] : undefined) ?? problem.severity;
}

/** What is odd about a rule, if anything: it changes nothing, because of its code. */
export function oddRule(code: string, kinds: readonly Kind[]): { readonly summary: string; readonly hint: string } | undefined {
  if (structural.includes(code))
    return { summary: `the severity of \`${code}\` cannot be set`, hint: 'It is an error of structure; correct what it names.' };
  const known = [...NOTE_CODES, ...kinds.flatMap((kind) => kind.codes)];
  if (known.includes(code)) return undefined;
  const near = nearestName(code, known);
  return {
    summary: `no finding has the code \`${code}\``,
    hint: near === undefined ? 'Codes stand in the findings themselves.' : `Did you mean \`${near}\`?`,
  };
}
