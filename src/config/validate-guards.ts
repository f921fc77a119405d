/** Validates the guards of upkeep.yaml before any request: syntax, types, names. */

import type { Path } from '../model/json.ts';
import { environment, typeError } from './cel.js';
import { suggest } from './did-you-mean.ts';
import { GUARD_VARIABLES, KNOWN_VARIABLES } from './guard-variables.ts';

/** A guard as written in upkeep.yaml. */
export interface RawGuard {
  readonly id: string;
  readonly when?: string;
  readonly deny?: string;
  readonly warn?: string;
  readonly message: string;
}

/** An error in an expression, with its path and offset. */
export interface ExpressionError {
  readonly path: Path;
  /** The expression. */
  readonly value: string;
  readonly offset: number;
  readonly summary: string;
  readonly hint: string;
}

/** Returns the errors in the expressions of guards; `path` is the path of the list. */
export function validateGuards(guards: readonly RawGuard[], path: Path): readonly ExpressionError[] {
  if (guards.length === 0) return [];
  const env = environment(GUARD_VARIABLES);
  return guards.flatMap((guard, index) =>
    (['when', 'deny', 'warn'] as const).flatMap((part): ExpressionError[] => {
      const value = guard[part];
      const found = value === undefined ? undefined : typeError(env, value);
      if (value === undefined || !found) return [];
      const { offset, code, what } = found;
      const summary = `guard \`${guard.id}\`, \`${part}\`: ${what}`;
      return [{ path: [...path, index, part], value, offset, summary, hint: hintFor(code, value.slice(offset)) }];
    }),
  );
}

const VARIABLES = Object.keys(GUARD_VARIABLES.variables).toSorted().join(', ');

function hintFor(code: string, rest: string): string {
  const [name = ''] = /^\w*/.exec(rest) ?? [];
  const near = suggest(name, KNOWN_VARIABLES);
  if (code === 'no_such_key' || code === 'unknown_variable') {
    const all = `A guard sees ${VARIABLES}; schemas/guard.schema.json lists what they hold.`;
    return near === undefined || near === name ? all : `Did you mean \`${near}\`? ${all}`;
  }
  return 'Guards are written in CEL (Common Expression Language) and must be true or false, for example `change.effect == "loosens"`.';
}
