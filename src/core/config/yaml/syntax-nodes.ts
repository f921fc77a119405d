/** Writes YAML, and parses it to syntax nodes for edits that keep comments and formatting. Only this module uses package yaml, which `yaml.cjs` loads. */

import type { Alias, CST, Document, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Json } from '../../model/json.ts';
import { lazy } from '../lazy.ts';
import { MAX_DEPTH } from './nodes.ts';
import { loadYaml } from './yaml.cjs';

export type { Document, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';

/** Loads the package at its first use: most runs need it for nothing. */
const yaml = lazy(loadYaml);

export function isAlias(node: unknown): node is Alias {
  return yaml().isAlias(node);
}

export function isMap(node: unknown): node is YAMLMap {
  return yaml().isMap(node);
}

export function isScalar(node: unknown): node is Scalar {
  return yaml().isScalar(node);
}

export function isSeq(node: unknown): node is YAMLSeq {
  return yaml().isSeq(node);
}

const OPTIONS = { schema: 'core', merge: false, stringKeys: true, uniqueKeys: false, logLevel: 'silent' } as const;

/**
 * Returns the root nodes of the documents that have content. Must be called only with texts that `parse.ts` accepts, because a deeply
 * nested text would crash the process.
 */
export function composeYaml(text: string): readonly Node[] {
  const roots = [...yaml().parseAllDocuments(text, OPTIONS)].flatMap(({ contents }) => contents ?? []);
  return roots.filter((root) => !yaml().isScalar(root) || root.value !== null || root.source !== '');
}

/** Maximum number of tokens that are composed. More would need much memory where many of them are errors. */
const MAX_TOKENS = 1_000_000;

/** The documents of a text, with all their errors; why there are none: an offset where it is nested too deep, or too many tokens. */
type Composed = { readonly documents: readonly Document.Parsed[] } | { readonly tooDeepAt: number } | { readonly isTooLong: true };

/** Composes the documents of any text. Counts the levels before that, because package yaml aborts the process on a deeply nested text. */
export function composeDocuments(text: string): Composed {
  const { Composer, Lexer, Parser } = yaml();
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH + 2) return { tooDeepAt: offset };
    if (++count > MAX_TOKENS) return { isTooLong: true };
  }
  tokens.push(...parser.end());
  const { stackTraceLimit } = Error;
  // The package creates an object for each error. Stacks would take most of the time and memory of a text with very many.
  Error.stackTraceLimit = 0;
  try {
    return { documents: [...new Composer(OPTIONS).compose(tokens, true, text.length)] };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Writes a value as YAML in block style, with one line for each scalar. Quotes texts that `parseYaml` or a YAML 1.1 parser would read as
 * another type.
 */
export function writeYaml(value: Json): string {
  return write(value, 'block');
}

/** Quoting style of a text; `plain` means without quotes where possible. */
export type Quote = 'plain' | 'single' | 'double';

/** Writes a value in one line of flow style. A text gets the given quotes, unless only other quotes can represent it. */
export function writeInline(value: Json, quote: Quote = 'plain'): string {
  return itemOf(write([value], 'inline', quote));
}

/** Writes a value in one line of flow style for people to read: as YAML 1.2, without the quotes that only a YAML 1.1 parser needs. */
export function showInline(value: Json): string {
  return itemOf(write([value], 'shown'));
}

/** Returns the item of a list that is written in one line. */
function itemOf(list: string): string {
  return list.trim().slice(1, -1).trim();
}

function write(value: Json, style: 'block' | 'inline' | 'shown', quote: Quote = 'plain'): string {
  const { Document, Scalar, visit } = yaml();
  const compat = style === 'shown' ? {} : ({ compat: 'yaml-1.1' } as const);
  const document = new Document(value, { ...compat, aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string') return;
      if (key !== 'key' && quote === 'single') node.type = Scalar.QUOTE_SINGLE;
      if (mustBeEscaped(node.value) || (key !== 'key' && quote === 'double')) node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection: (_key, node) => {
      if (style !== 'block') node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, blockQuote: false, flowCollectionPadding: true });
  return text.replaceAll(new RegExp(invisibleCharacters, 'gu'), escapeCharacter).replaceAll(/##(?=\w*\[)/g, '\\x23#');
}

/** Characters that are escaped because a reviewer cannot see them: control, format and bidi characters. */
const invisibleCharacters = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

/** Decides whether a text holds characters that a reviewer cannot see, line breaks excepted, or a workflow command: it must be escaped. */
export function mustBeEscaped(text: string): boolean {
  return invisibleCharacters.test(text) || workflowCommand.test(text);
}

/** Workflow commands that a CI system would execute where it logs the file: new ones at the beginning of a line, old ones anywhere. */
const workflowCommand = /^::|##\w*\[/;

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
