/** The positions of syntax nodes in their text. */
import { isMap, isScalar, isSeq, type Node, type Quote, type YAMLMap } from '../../config/yaml/syntax-nodes.ts';
import { lineEnd, lineStart } from './text-edits.ts';

/** The position of a member of a map, or of an item of a list. */
export interface NodeSlot {
  /** Offset of its key or dash. */
  readonly head: number;
  /** Offset after the colon or the dash. */
  readonly opening: number;
  readonly node: Node | null;
  /** Offset after the last character of its content. */
  readonly end: number;
}

/** Returns the members of a map by key. */
export function membersOf(text: string, map: YAMLMap): ReadonlyMap<string, NodeSlot> {
  return new Map(
    map.items.flatMap(({ key, value }): readonly [string, NodeSlot][] => {
      if (!isScalar(key) || typeof key.value !== 'string' || !key.range) return [];
      const node = nodeOf(value);
      const opening = text.indexOf(':', key.range[1]) + 1;
      return [[key.value, { head: key.range[0], opening, node, end: Math.max(opening, contentEnd(text, node)) }]];
    }),
  );
}

/** Returns the items of a list in block style. */
export function itemsOf(text: string, items: readonly unknown[], first: number): readonly NodeSlot[] {
  const column = first - lineStart(text, first);
  let from = first;
  return items.map((item) => {
    const head = dashFrom(text, from, column);
    const node = nodeOf(item);
    const end = Math.max(head + 1, contentEnd(text, node));
    from = lineEnd(text, end) + 1;
    return { head, opening: head + 1, node, end };
  });
}

/** Returns the offset of the next dash in this column, at the offset itself or in a line below. */
function dashFrom(text: string, from: number, column: number): number {
  if (text[from] === '-') return from;
  const dash = new RegExp(`^ {${column}}-(?=\\s|$)`, 'gm');
  dash.lastIndex = from;
  const found = dash.exec(text);
  return found ? found.index + column : text.length;
}

/** Returns the offset after the last character of a node; of a block, after its last entry. */
export function contentEnd(text: string, node: Node | null): number {
  if (node === null || !node.range) return 0;
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isMap(node)) return [...membersOf(text, node).values()].at(-1)?.end ?? 0;
    return contentEnd(text, nodeOf(last)) || node.range[1];
  }
  const [start, end] = node.range;
  return start + text.slice(start, end).trimEnd().length;
}

/** Returns the quote style of a scalar. */
export function quoteOf(node: Node | null): Quote {
  const type = isScalar(node) ? node.type : undefined;
  return type === 'QUOTE_SINGLE' ? 'single' : type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
}

/** Returns the value if it is a node, else null. */
export function nodeOf(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}
