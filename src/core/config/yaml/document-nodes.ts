/** Converts the documents of package yaml to the nodes that js-yaml gives, too. */
import type { ScalarNode, YamlNode } from './nodes.ts';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from './syntax-nodes.ts';
import { skipBlank } from './text.ts';

/** Returns the root node of a document. */
export function rootOf({ contents, range }: Document.Parsed, text: string): YamlNode {
  return nodeOf(contents, range[0], text);
}

/** Converts a node. `at` is the offset of a node that is missing. */
function nodeOf(node: unknown, at: number, text: string): YamlNode {
  if (isAlias(node)) {
    const [start, end] = node.range ?? [at, at];
    return { type: 'alias', name: node.source, start, end, anchor: undefined, tag: undefined };
  }
  if (isMap(node)) {
    const members = node.items.map((pair) => {
      const key = keyOf(nodeOf(pair.key, at, text), text);
      return { key, value: nodeOf(pair.value, key.start, text) };
    });
    return { type: 'map', isFlow: node.flow === true, members, ...placeOf(node, at, text) };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => nodeOf(item, at, text));
    return { type: 'list', isFlow: node.flow === true, items, ...placeOf(node, at, text) };
  }
  if (isScalar(node) && (node.type !== 'PLAIN' || node.source !== '')) return scalarOf(node, at, text);
  const place = placeOf(isScalar(node) ? node : undefined, at, text);
  return { type: 'absent', before: place.start, ...place };
}

/** An absent key is where its colon is. */
function keyOf(key: YamlNode, text: string): YamlNode {
  return key.type === 'absent' ? { ...key, start: skipBlank(text, key.start) } : key;
}

const STYLES: { readonly [type: string]: ScalarNode['style'] } = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single-quoted',
  QUOTE_DOUBLE: 'double-quoted',
};

function scalarOf(node: Scalar, at: number, text: string): YamlNode {
  const { source: value = '', type = 'PLAIN' } = node;
  const style = STYLES[type] ?? 'block';
  const place = placeOf(node, at, text);
  const { start } = place;
  const end = node.range?.[1] ?? start;
  const quote = style === 'single-quoted' || style === 'double-quoted' ? 1 : 0;
  const contentStart = style === 'block' ? Math.min(`${text}\n`.indexOf('\n', start) + 1, end) : start + quote;
  const contentEnd = end - quote;
  const isSimple = style !== 'block' && text.slice(contentStart, contentEnd) === value;
  return { type: 'scalar', style, end, contentStart, contentEnd, value, isSimple, ...place };
}

/** Returns where a node begins, and its anchor and tag, which are in front of it. */
function placeOf(
  node: Exclude<Node, { source: string }> | undefined,
  at: number,
  text: string,
): Pick<ScalarNode, 'start' | 'anchor' | 'tag'> {
  const start = node?.range?.[0] ?? at;
  const name = node?.anchor;
  return {
    start,
    anchor: name === undefined ? undefined : { name, start: text.lastIndexOf(`&${name}`, start) },
    tag: node?.tag === undefined ? undefined : text.lastIndexOf('!', start),
  };
}
