/** YAML texts, their nodes, and edits of them in place. */

import { parseYaml } from '../../../../src/core/config/yaml/parse.ts';
import { composeYaml, isMap, isSeq, type Node, type YAMLMap, type YAMLSeq } from '../../../../src/core/config/yaml/syntax-nodes.ts';
import { applyTextEdits } from '../../../../src/core/drift/accept/text-edits.ts';
import { editsOf } from '../../../../src/core/drift/accept/yaml-edit.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { expectGitApplies } from '../../../support/git-apply.ts';

const encoder = new TextEncoder();

/** The root node of a text of one document. */
export function rootOf(text: string): Node {
  const [problem] = parseYaml(encoder.encode(text)).errors;
  if (problem) throw new Error(`${problem.summary}:\n${text}`);
  const [root] = composeYaml(text);
  if (!root) throw new Error(`an empty text: ${JSON.stringify(text)}`);
  return root;
}

export function mapOf(text: string): YAMLMap {
  const root = rootOf(text);
  if (!isMap(root)) throw new Error(`not a map:\n${text}`);
  return root;
}

export function listOf(text: string): YAMLSeq {
  const root = rootOf(text);
  if (!isSeq(root)) throw new Error(`not a list:\n${text}`);
  return root;
}

function parsedValue(text: string): Json {
  return parseYaml(encoder.encode(text)).documents[0] ?? null;
}

/** Edits a text in place so that its value is `is`; null where that cannot be done in place. */
export function editedText(text: string, is: Json): string | null {
  const edits = editsOf({ text, eol: text.includes('\r\n') ? '\r\n' : '\n' }, rootOf(text), parsedValue(text), is);
  const edited = edits && applyTextEdits(text, edits);
  if (edited === undefined) return 'edits that overlap';
  if (edited !== null) expectGitApplies([{ file: 'a.yaml', lines: [], before: encoder.encode(text), after: encoder.encode(edited) }]);
  return edited;
}
