// @ts-check
// Mutants that Stryker does not try: of a condition `a() && b()`, each leaves one operand out. All mutants of a file are written into one text.
import ts from 'typescript';

/** @typedef {{ line: number, column: number, mutator: string, text: string, replacement: string }} Mutant */

const OPERATORS = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '&&'],
  [ts.SyntaxKind.BarBarToken, '||'],
]);

/**
 * Returns the mutants of a source, and its text with all of them: `isMutant(N)` chooses number N.
 *
 * @param {string} file
 * @param {string} source
 */
export function operandMutants(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false);
  /** @type {Mutant[]} */
  const mutants = [];

  /** @param {ts.Node} node @returns {string} */
  const render = (node) => {
    const operator = ts.isBinaryExpression(node) ? OPERATORS.get(node.operatorToken.kind) : undefined;
    if (operator === undefined || !ts.isBinaryExpression(node)) return renderParts(node);
    const operands = operandsOf(node, node.operatorToken.kind);
    const texts = operands.map((operand) => operand.getText(tree));
    const { line, character } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    /** @param {string[]} parts @param {number} index */
    const without = (parts, index) => parts.filter((_, at) => at !== index).join(` ${operator} `);
    const first = mutants.length;
    for (const index of operands.keys())
      mutants.push({
        line: line + 1,
        column: character + 1,
        mutator: 'LogicalOperand',
        text: texts.join(` ${operator} `),
        replacement: without(texts, index),
      });
    const rendered = operands.map((operand) => `(${render(operand)})`);
    const choices = rendered.map((_, index) => `isMutant(${first + index}) ? ${without(rendered, index)} : `);
    return `(${choices.join('')}${rendered.join(` ${operator} `)})`;
  };

  /** @param {ts.Node} node */
  const renderParts = (node) => {
    let [text, at] = ['', node.getStart(tree)];
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.getStart(tree)) + render(child);
      at = child.end;
    });
    return text + source.slice(at, node.end);
  };

  return { mutants, text: source.slice(0, tree.getStart(tree)) + renderParts(tree) };
}

/** Returns the operands of a chain of one operator. @param {ts.Expression} node @param {ts.SyntaxKind} kind @returns {ts.Expression[]} */
function operandsOf(node, kind) {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== kind) return [node];
  return [...operandsOf(node.left, kind), node.right];
}
