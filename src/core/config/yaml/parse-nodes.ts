/** Parses a text to nodes: with js-yaml, which is fast, and with package yaml where js-yaml rejects the text. */
import { rootOf } from './document-nodes.ts';
import { parseWithJsYaml } from './js-yaml-nodes.ts';
import type { YamlNode } from './nodes.ts';
import { syntaxError, tooDeep, unexplainedError, type YamlSyntaxError } from './syntax-errors.ts';
import { composeDocuments } from './syntax-nodes.ts';

/** Maximum number of invalid documents that are described. Each may take the time of a search through the text. */
const MAX_ERRORS = 100;

/** The root nodes of the valid documents, and the first error of each other one. */
interface ParsedText {
  readonly roots: readonly YamlNode[];
  readonly errors: readonly YamlSyntaxError[];
}

/**
 * Parses a text. js-yaml rejects some valid layouts of flow collections, and stops at the first error; package yaml reads them, finds the
 * errors of every document, and is slow. A text that is nested too deep has no nodes.
 */
export function parseNodes(text: string): ParsedText {
  const parsed = parseWithJsYaml(text);
  if ('roots' in parsed) return { roots: parsed.roots, errors: [] };
  if (parsed.isTooDeep) return { roots: [], errors: [tooDeep(parsed.errorAt)] };
  const composed = composeDocuments(text);
  if ('tooDeepAt' in composed) return { roots: [], errors: [tooDeep(composed.tooDeepAt)] };
  if ('isTooLong' in composed) return { roots: [], errors: [unexplainedError(parsed.errorAt)] };
  const roots: YamlNode[] = [];
  const errors: YamlSyntaxError[] = [];
  for (const document of composed.documents) {
    const root = rootOf(document, text);
    const error = syntaxError(text, root, document.errors);
    if (error === undefined) roots.push(root);
    else if (errors.push(error) === MAX_ERRORS) break;
  }
  return { roots, errors };
}
