/** Guards as upkeep.yaml writes them, checked before anything is asked: syntax, types, names. */
import type { Path } from '../../model/json.ts';
import { nearestName } from '../desired/nearest.ts';
import { environment, objection } from './cel.js';
import { KNOWN, NAMES } from './names.ts';

/** A guard as written. */
export interface WrittenGuard {
  readonly id: string;
  readonly when?: string;
  readonly deny?: string;
  readonly warn?: string;
  readonly message: string;
}

/** What is wrong with an expression: where it stands, and at which of its characters. */
export interface Misexpression {
  readonly path: Path;
  /** The expression. */
  readonly value: string;
  readonly offset: number;
  readonly summary: string;
  readonly hint: string;
}

/** The mistakes in the expressions of guards, `path` being that of the list. */
export function checkGuards(guards: readonly WrittenGuard[], path: Path): readonly Misexpression[] {
  if (guards.length === 0) return [];
  const within = environment(NAMES);
  return guards.flatMap((guard, index) =>
    (['when', 'deny', 'warn'] as const).flatMap((part): Misexpression[] => {
      const value = guard[part];
      const wrong = value === undefined ? undefined : objection(within, value);
      if (value === undefined || !wrong) return [];
      const { offset, code, what } = wrong;
      const summary = `guard \`${guard.id}\`, \`${part}\`: ${what}`;
      return [{ path: [...path, index, part], value, offset, summary, hint: hintFor(code, value.slice(offset)) }];
    }),
  );
}

const VARIABLES = Object.keys(NAMES.variables).toSorted().join(', ');

function hintFor(code: string, rest: string): string {
  const [name = ''] = /^\w*/.exec(rest) ?? [];
  const near = nearestName(name, KNOWN);
  if (code === 'no_such_key' || code === 'unknown_variable') {
    const all = `A guard sees ${VARIABLES}; schemas/guard.schema.json lists what they hold.`;
    return near === undefined || near === name ? all : `Did you mean \`${near}\`? ${all}`;
  }
  return 'Guards are written in CEL (Common Expression Language) and must be true or false, for example `change.effect == "loosens"`.';
}
