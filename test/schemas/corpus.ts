/** The source files and the texts of upkeep.yaml in the examples and in the tests, as YAML or as objects, valid ones and invalid ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parse } from 'yaml';
import { expandedSchema } from '../../src/core/config/source-schema.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { isObject } from '../../src/core/model/json.ts';

const top = fileURLToPath(new URL('../..', import.meta.url));

const SOURCE_KEYS = Object.keys(Object(expandedSchema(kinds).properties));
const CONFIGURATION_KEYS = ['version', 'targets', 'guards'];
const KEYS = [...SOURCE_KEYS, ...CONFIGURATION_KEYS];

/** What stands for an expression within a template. */
const SUBSTITUTE = '10c5467d77c54dc4b739db2cd832143a';

/** JSON texts by the schema that they are meant for. */
export interface Corpus {
  readonly source: readonly string[];
  readonly configuration: readonly string[];
}

/** Reads all of them, each once. */
export function readCorpus(): Corpus {
  const values = [...examples(), ...valuesInTests()].filter(isObject);
  const withKey = (names: readonly string[]) => values.filter((value) => names.some((name) => Object.hasOwn(value, name)));
  const texts = (names: readonly string[]) => [...new Set(withKey(names).map((value) => JSON.stringify(value)))];
  return { source: texts(SOURCE_KEYS), configuration: texts(CONFIGURATION_KEYS) };
}

function examples(): readonly unknown[] {
  return filesIn('examples/streaming-account', '.yaml').map((file) => parsed(readFileSync(file, 'utf8')));
}

function filesIn(folder: string, end: string): readonly string[] {
  const names = readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(end)).map((name) => join(top, folder, name));
}

/** Returns the values of the texts and of the object literals of all test files. */
function valuesInTests(): readonly unknown[] {
  const values: unknown[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) values.push(valueIn(node));
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) values.push(parsed(textOf(node)));
    ts.forEachChild(node, visit);
  };
  for (const file of filesIn('test', '.ts')) {
    const text = readFileSync(file, 'utf8');
    if (KEYS.some((key) => text.includes(`${key}:`))) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return values;
}

function textOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => SUBSTITUTE + literal.text).join('');
}

/** Returns the value of an expression as far as it is written out. */
function valueIn(node: ts.Expression): unknown {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return textOf(node);
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) return -Number(node.operand.text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueIn);
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(
      node.properties.flatMap((property) => {
        const name =
          property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) ? property.name.text : undefined;
        return name !== undefined && ts.isPropertyAssignment(property) ? [[name, valueIn(property.initializer)]] : [];
      }),
    );
  const words = new Map<ts.SyntaxKind, unknown>([
    [ts.SyntaxKind.NullKeyword, null],
    [ts.SyntaxKind.TrueKeyword, true],
    [ts.SyntaxKind.FalseKeyword, false],
  ]);
  return words.has(node.kind) ? words.get(node.kind) : SUBSTITUTE;
}

/** Returns the value of a YAML text; undefined for text that is none, or too short to be a map. */
function parsed(text: string): unknown {
  if (!/\w["']?: */.test(text)) return undefined;
  try {
    return parse(text, { merge: true, logLevel: 'silent' });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
