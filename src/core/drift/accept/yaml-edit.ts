/**
 * Edits values in a YAML text and leaves everything else unchanged: comments, anchors, order, quotes, indentation, line ends. Replaces only
 * the characters of the values that differ, and inserts or removes the lines of added or removed entries.
 */

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  writeInline,
  writeYaml,
  type YAMLMap,
  type YAMLSeq,
} from '../../config/yaml/syntax-nodes.ts';
import { equal, isJsonObject, isList, type Json } from '../../model/json.ts';
import { alignItems } from './match-list-items.ts';
import { commentsAbove, type EditedText, joinEdits, lineEnd, lineStart, removeLinesAt, type TextEdit } from './text-edits.ts';
import { editFlow } from './yaml-edit-flow.ts';
import { contentEnd, itemsOf, membersOf, type NodeSlot, quoteOf } from './yaml-nodes.ts';

/** Returns the edits that change the value of `root` from `was` to `is`; null where that is not possible in place. */
export function editsOf(source: EditedText, root: Node, was: Json, is: Json): readonly TextEdit[] | null {
  return editSlot(source, { head: 0, opening: 0, node: root, end: contentEnd(source.text, root) }, was, is, false);
}

/** `within` = inside a flow collection. */
function editSlot(source: EditedText, slot: NodeSlot, was: Json | undefined, is: Json, within: boolean): readonly TextEdit[] | null {
  const { node } = slot;
  if (equal(was, is)) return [];
  if (isJsonObject(was) && isJsonObject(is) && isMap(node))
    return node.flow === true ? editFlow(source, node, was, is, editSlot) : editMap(source, node, slot, was, is);
  if (isList(was) && isList(is) && isSeq(node))
    return node.flow === true ? editFlow(source, node, was, is, editSlot) : editList(source, node, slot, was, is);
  return replaceValue(source, slot, is, within);
}

/** Rewrites the value after a key or a dash. Returns null where a comment would be lost. */
function replaceValue(
  { text, eol }: EditedText,
  { head, opening, node, end }: NodeSlot,
  is: Json,
  within: boolean,
): readonly TextEdit[] | null {
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
  if (isBlock && is === null && opening > 0 && text[head] !== '-') return replaceBlockWithNull(text, opening, end);
  if (isBlock || node === null || !node.range || /^[|>].*#/.test(text.slice(node.range[0], end))) return null;
  const isNested = typeof is === 'object' && is !== null && Object.keys(is).length > 0;
  if (!isNested || within || text[head] === '-' || isSeq(node) || isMap(node)) {
    const quote = quoteOf(node);
    const inserted = within || isNested || quote !== 'plain' ? writeInline(is, quote) : writeYaml({ is }).trimEnd().slice('is: '.length);
    const [spaceBefore, spaceAfter] = [text[node.range[0] - 1] === ':' ? ' ' : '', text[end] === '#' ? ' ' : ''];
    return [{ start: node.range[0], end: Math.max(end, node.range[0]), text: spaceBefore + inserted + spaceAfter }];
  }
  if (text.slice(opening, node.range[0]).includes('#')) return null;
  return [{ start: opening, end, text: indentBlock(writeYaml(is), head - lineStart(text, head) + 2, eol) }];
}

/** Replaces a block with null, which removes what earlier sources define. A comment on the line of the key stays. */
function replaceBlockWithNull(text: string, opening: number, end: number): readonly TextEdit[] {
  return [
    { start: opening, end: opening, text: ' null' },
    { start: lineEnd(text, opening), end, text: '' },
  ];
}

function indentBlock(yaml: string, column: number, eol: string): string {
  return yaml
    .trimEnd()
    .split('\n')
    .map((line) => eol + ' '.repeat(column) + line)
    .join('');
}

function editMap(
  source: EditedText,
  map: YAMLMap,
  slot: NodeSlot,
  was: { readonly [key: string]: Json },
  is: { readonly [key: string]: Json },
): readonly TextEdit[] | null {
  const { text, eol } = source;
  const members = membersOf(text, map);
  const removedKeys = Object.keys(was).filter((key) => is[key] === undefined);
  const added = Object.keys(is).filter((key) => was[key] === undefined);
  if (removedKeys.length === Object.keys(was).length) return added.length > 0 ? null : emptyBlock(text, slot, [...members.values()], '{}');
  const edits: (readonly TextEdit[] | null)[] = [];
  for (const [key, member] of members) {
    const value = is[key];
    if (removedKeys.includes(key)) edits.push(removeSlot(text, member));
    else if (value !== undefined) edits.push(editSlot(source, member, was[key], value, false));
  }
  const remaining = [...members].filter(([key]) => !removedKeys.includes(key)).map(([, member]) => member);
  const column = [...members.values()].slice(0, 1).map(({ head }) => head - lineStart(text, head))[0] ?? 0;
  for (const key of added) {
    const value = is[key] ?? null;
    const above = insertionPoint(remaining, value);
    const at = above && lineEnd(text, above.end);
    edits.push(at === undefined ? null : [{ start: at, end: at, text: indentBlock(writeYaml({ [key]: value }), column, eol) }]);
  }
  return joinEdits(edits);
}

/** Returns the member below which a new one is inserted: a scalar below the last scalar, everything else at the end. */
function insertionPoint(members: readonly NodeSlot[], value: Json): NodeSlot | undefined {
  const lastScalar = typeof value === 'object' ? undefined : members.findLast(({ node }) => isScalar(node) || isAlias(node));
  return lastScalar ?? members.at(-1);
}

function editList(
  source: EditedText,
  list: YAMLSeq,
  slot: NodeSlot,
  was: readonly Json[],
  is: readonly Json[],
): readonly TextEdit[] | null {
  const { text, eol } = source;
  const slots = itemsOf(text, list.items, list.range?.[0] ?? 0);
  if (is.length === 0) return emptyBlock(text, slot, slots, '[]');
  const aligned = alignItems(was, is);
  const remaining = new Set(aligned.flatMap(({ from }) => from ?? []));
  const edits: (readonly TextEdit[] | null)[] = slots.map((item, index) => (remaining.has(index) ? [] : removeSlot(text, item)));
  const [first] = slots;
  if (!first) return null;
  const column = first.head - lineStart(text, first.head);
  let above: NodeSlot | undefined;
  for (const { from, to } of aligned) {
    const value = is[to] ?? null;
    const item = from === null ? undefined : slots[from];
    if (item) {
      edits.push(editSlot(source, item, was[from ?? 0], value, false));
      above = item;
    } else edits.push([newItem(source, value, first, above, column, eol)]);
  }
  return joinEdits(edits);
}

/** Returns the edit that inserts a new item below the one before it, or above all. */
function newItem({ text }: EditedText, value: Json, first: NodeSlot, above: NodeSlot | undefined, column: number, eol: string): TextEdit {
  const isInline = isMap(first.node) ? first.node.flow === true : !isJsonObject(value);
  const [head = '', ...rest] = (isInline ? writeInline(value, quoteOf(first.node)) : writeYaml(value)).trimEnd().split('\n');
  const lines = [`- ${head}`, ...rest.map((line) => `  ${line}`)].map((line) => ' '.repeat(column) + line);
  const at = above ? lineEnd(text, above.end) : commentsAbove(text, first.head, column);
  return { start: at, end: at, text: above ? lines.map((line) => eol + line).join('') : lines.map((line) => line + eol).join('') };
}

/** Removes a member or an item with its lines. Returns null where it shares its first line with something else. */
function removeSlot(text: string, { head, end }: NodeSlot): readonly TextEdit[] | null {
  return text.slice(lineStart(text, head), head).trim() === '' ? [removeLinesAt(text, head, end)] : null;
}

/** Replaces a block with an empty collection: `{}` or `[]` after its key, and removes its lines. */
function emptyBlock(text: string, { head, opening }: NodeSlot, slots: readonly NodeSlot[], empty: string): readonly TextEdit[] | null {
  if (opening === 0 || text[head] === '-') return null;
  return joinEdits([[{ start: opening, end: opening, text: ` ${empty}` }], ...slots.map((slot) => removeSlot(text, slot))]);
}
