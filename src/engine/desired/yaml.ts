/** The one door of package `yaml`: text to syntax nodes, with everything refused that must not reach the nodes' readers; and values to text. */

import type { Alias, Composer, CST, Document, DocumentOptions, Node, ParseOptions, Scalar, SchemaOptions, YAMLMap, YAMLSeq } from 'yaml';
import * as yaml from 'yaml';
import type { Json } from '../../model/json.ts';

export type { Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';

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

/** Tells that something is wrong at an offset of the text. */
export type Report = (offset: number, code: string, summary: string, hint?: string) => void;

/** Nesting above this is refused before anything recursive sees it: package yaml can end the process on deep documents. */
const MAX_DEPTH = 64;
/** YAML 1.2 core, without merge keys and without tags that build objects. One for all documents, whatever their directives ask for. */
function options(): ParseOptions & DocumentOptions & SchemaOptions {
  const schema = new yaml.Schema({ schema: 'core', merge: false, resolveKnownTags: false });
  return { schema, stringKeys: true, uniqueKeys: false, logLevel: 'silent', prettyErrors: false };
}

/** The root nodes of the documents that have content and are well formed; what is not is reported. */
export function composeYaml(text: string, report: Report): readonly Node[] {
  const tokens = shallowTokens(text, report);
  const roots: Node[] = [];
  try {
    for (const document of patientComposer().compose(tokens, true, text.length)) {
      const root = document.contents;
      if (!refused(document, report) && root !== null && !isBlank(root)) roots.push(root);
    }
  } catch (error) {
    if (!(error instanceof OutOfPatience)) throw error;
    report(0, 'yaml-syntax', ...hopeless);
  }
  return roots;
}

/** Errors after which a file is read no further: package yaml keeps an object of 1 KB for each, and a few megabytes of brackets would end the process. */
const MAX_ERRORS = 1_000;
const hopeless = ['this is not YAML, or hardly any of it', 'Check that the file is the one that was meant.'] as const;

class OutOfPatience extends Error {}

/** A composer that gives up; the package offers no bound, only the function that each error is handed to. */
function patientComposer(): Composer {
  const composer = new yaml.Composer(options());
  const tell: unknown = Reflect.get(composer, 'onError');
  if (typeof tell !== 'function') throw new Error('package yaml tells its errors in another way now');
  let errors = 0;
  Reflect.set(composer, 'onError', (...error: readonly unknown[]) => {
    if (++errors > MAX_ERRORS) throw new OutOfPatience();
    Reflect.apply(tell, composer, error);
  });
  return composer;
}

/** The syntax tokens of a text; none where too many are errors, or it is nested too deep, which the parser's own stack of open collections tells. */
function shallowTokens(text: string, report: Report): readonly CST.Token[] {
  const parser = new yaml.Parser();
  const tokens: CST.Token[] = [];
  let stray = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error' || token.type === 'doc-end') stray++;
      tokens.push(token);
    }
    if (stray > MAX_ERRORS) {
      report(0, 'yaml-syntax', ...hopeless);
      return [];
    }
    const open = parser.stack.at(-1);
    const depth = parser.stack.length - 1;
    if (depth <= MAX_DEPTH || open === undefined || !('items' in open)) continue;
    report(parser.offset, 'too-deep', `nested more than ${MAX_DEPTH} levels deep`);
    return [];
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function isBlank(node: Node): boolean {
  return isScalar(node) && node.value === null && node.source === '';
}

/** Reports why a document cannot be used. Of its syntax errors only the first: the others mostly follow from it. */
function refused(document: Document, report: Report): boolean {
  const [error] = document.errors;
  if (error !== undefined) report(error.pos[0], 'yaml-syntax', ...wording(error.code));
  for (const warning of document.warnings) report(warning.pos[0], 'yaml-syntax', ...wording(warning.code));
  return error !== undefined || document.warnings.length > 0;
}

/** Our own words: the package's messages quote the file, which may hold what must not be printed. */
function wording(code: string): readonly [summary: string, hint: string] {
  return wordings[code] ?? ['this is not valid YAML', 'Check indentation, colons and quotes on this line and the one before it.'];
}

const wordings: { readonly [code: string]: readonly [summary: string, hint: string] } = {
  TAB_AS_INDENT: ['a tab is used for indentation', 'YAML is indented with spaces only.'],
  TAG_RESOLVE_FAILED: ['this tag is not supported', 'Write plain values; tags beginning with ! have no meaning here.'],
  NON_STRING_KEY: ['a key must be plain text', 'Quote the key; lists, maps and aliases cannot be keys.'],
  BAD_INDENT: ['the indentation does not fit', 'Keys of one map begin in the same column.'],
  BAD_ALIAS: ['this alias or anchor is not valid', 'Quote the text if it was not meant as an alias.'],
  BAD_DQ_ESCAPE: ['this escape is not valid in a double-quoted text', 'Use single quotes to take every character as it is.'],
  BAD_DIRECTIVE: ['this directive is not supported', 'Leave lines beginning with % out.'],
  MISSING_CHAR: ['a character is missing here', 'Look for a quote, a bracket or a comma that is not there.'],
  MULTILINE_IMPLICIT_KEY: ['a key must stand on one line', 'Check for a missing colon on this line or the one before it.'],
  BLOCK_AS_IMPLICIT_KEY: ['a second colon on one line', 'Quote a text that contains a colon and a space.'],
};

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
