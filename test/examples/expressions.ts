/** As much of GitHub's expressions as the recipes use: paths, texts in quotes, ==, && and ||, and `always()`. */
import { isObject } from '../../src/model/json.ts';

/** What expressions may name, by path: `github`, `secrets`, `needs`, `steps`, `inputs`. */
export type Names = { readonly [name: string]: unknown };

/** The value of an expression. @throws where it names what is not there: on GitHub that would be an empty text, and nobody would notice */
export function meaning(expression: string, names: Names): unknown {
  const or = expression.split('||');
  if (or.length > 1) return or.map((part) => meaning(part, names)).find(Boolean) ?? false;
  const and = expression.split('&&');
  if (and.length > 1) return and.every((part) => Boolean(meaning(part, names)));
  const comparison = /^(.+?)\s*(==|!=)\s*(.+)$/.exec(expression.trim());
  if (comparison) {
    const [, left = '', how, right = ''] = comparison;
    return (meaning(left, names) === meaning(right, names)) === (how === '==');
  }
  const text = /^'([^']*)'$/.exec(expression.trim());
  if (text) return text[1];
  if (expression.trim() === 'always()') return true;
  return expression
    .trim()
    .split('.')
    .reduce<unknown>((rest, name) => {
      if (!isObject(rest) || !(name in rest)) throw new Error(`nobody knows \${{ ${expression.trim()} }}`);
      return rest[name];
    }, names);
}

/** A text with its expressions put in. */
export function filled(text: unknown, names: Names): string {
  return String(text).replace(/\$\{\{(.+?)\}\}/g, (_all, expression: string) => String(meaning(expression, names)));
}
