/** Package yaml, which nothing else imports: values to text, and text to syntax nodes for edits that keep what people wrote around the values. */

import type { Alias, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import * as yaml from 'yaml';
import type { Json } from '../../model/json.ts';

export type { Node, YAMLMap, YAMLSeq } from 'yaml';

export function isAlias(node: unknown): node is Alias {
  return yaml.isAlias(node);
}

export function isMap(node: unknown): node is YAMLMap {
  return yaml.isMap(node);
}

export function isScalar(node: unknown): node is Scalar {
  return yaml.isScalar(node);
}

export function isSeq(node: unknown): node is YAMLSeq {
  return yaml.isSeq(node);
}

/** The root nodes of the documents that have content. Only for texts that were parsed without a mistake (`parse.ts`): a deeply nested text ends the process. */
export function composeYaml(text: string): readonly Node[] {
  const documents = yaml.parseAllDocuments(text, { schema: 'core', merge: false, stringKeys: true, uniqueKeys: false, logLevel: 'silent' });
  const roots = [...documents].flatMap(({ contents }) => contents ?? []);
  return roots.filter((root) => !yaml.isScalar(root) || root.value !== null || root.source !== '');
}

/** A value as YAML in block style, one line for each scalar; what `parseYaml` or an older YAML reader would take for something else is quoted. */
export function writeYaml(value: Json): string {
  return write(value, 'block');
}

/** How a text is written: as plainly as it can be, or in quotes. */
export type Quote = 'plain' | 'single' | 'double';

/** A value in one line, as it may stand within brackets; a text in these quotes, unless only others can hold it. */
export function writeInline(value: Json, quote: Quote = 'plain'): string {
  return write([value], 'inline', quote).trim().slice(1, -1).trim();
}

function write(value: Json, style: 'block' | 'inline', quote: Quote = 'plain'): string {
  const { Document, Scalar, visit } = yaml;
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string') return;
      if (key !== 'key' && quote === 'single') node.type = Scalar.QUOTE_SINGLE;
      if (escaped.test(node.value) || command.test(node.value) || (key !== 'key' && quote === 'double')) node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection: (_key, node) => {
      if (style === 'inline') node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, blockQuote: false, flowCollectionPadding: true });
  return text.replaceAll(new RegExp(escaped, 'gu'), escaping).replaceAll(/##(?=\w*\[)/g, '\\x23#');
}

/** Characters that do not stand in a file as they are, because the eye of a reviewer does not see them: controls, format and bidi characters. */
const escaped = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

/** What a CI system obeys where it logs the file: new commands at the beginning of a line, where no quote is, old ones anywhere. */
const command = /^::|##\w*\[/;

function escaping(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
