/** As much of GitHub's expressions as the recipes use: paths, texts in quotes, ==, !=, &&, ||, one level of brackets, `always()` and `!cancelled()`. */
import { isObject } from '../../src/core/model/json.ts';

/** What expressions may name, by path: `github`, `secrets`, `vars`, `runner`, `needs`, `steps`, `inputs`. */
export type ExpressionValues = { readonly [name: string]: unknown };

/** Evaluates an expression. @throws Error where it names an unknown value: GitHub would use an empty string, and nobody would notice */
export function evaluate(expression: string, names: ExpressionValues): unknown {
  const brackets = /^(.*?)(?<![\w])\(([^()]*)\)(.*)$/s.exec(expression);
  if (brackets) {
    const [, before = '', inner = '', after = ''] = brackets;
    return evaluate(`${before}brackets${after}`, { ...names, brackets: evaluate(inner, names) });
  }
  const or = expression.split('||');
  if (or.length > 1) return or.map((part) => evaluate(part, names)).find(Boolean) ?? false;
  const and = expression.split('&&');
  if (and.length > 1) return and.every((part) => Boolean(evaluate(part, names)));
  const comparison = /^(.+?)\s*(==|!=)\s*(.+)$/.exec(expression.trim());
  if (comparison) {
    const [, left = '', operator, right = ''] = comparison;
    return (evaluate(left, names) === evaluate(right, names)) === (operator === '==');
  }
  const text = /^'([^']*)'$/.exec(expression.trim());
  if (text) return text[1];
  if (['always()', '!cancelled()'].includes(expression.trim())) return true;
  return expression
    .trim()
    .split('.')
    .reduce<unknown>((rest, name) => {
      if (!isObject(rest) || !(name in rest)) throw new Error(`nobody knows \${{ ${expression.trim()} }}`);
      return rest[name];
    }, names);
}

/** A text with its expressions put in. */
export function substitute(text: unknown, names: ExpressionValues): string {
  return String(text).replace(/\$\{\{(.+?)\}\}/g, (_all, expression: string) => String(evaluate(expression, names)));
}
