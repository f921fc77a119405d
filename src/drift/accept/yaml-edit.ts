/**
 * A YAML text that says something else, with everything but that left as it is: comments, anchors, order, quotes, indentation, line ends.
 * Only the characters of the values that differ are replaced, and lines of what is new or gone put in or taken away.
 */

import { isAlias, isMap, isScalar, isSeq, type Node, writeInline, writeYaml, type YAMLMap, type YAMLSeq } from '../../config/yaml/yaml.ts';
import { equal, isJsonObject, isList, type Json } from '../../model/json.ts';
import { alignItems } from './list-alignment.ts';
import { commentsAbove, type EditedText, joined, lineEnd, lineStart, type TextEdit, withoutLines } from './text-edits.ts';
import { editFlow } from './yaml-edit-flow.ts';
import { contentEnd, itemsOf, membersOf, type NodeSlot, quoteOf } from './yaml-nodes.ts';

/** The edits after which `root` says `is` instead of `was`; null where it cannot be done in place. */
export function editsOf(written: EditedText, root: Node, was: Json, is: Json): readonly TextEdit[] | null {
  return revise(written, { head: 0, opening: 0, node: root, end: contentEnd(written.text, root) }, was, is, false);
}

/** `within` = inside brackets. */
function revise(written: EditedText, slot: NodeSlot, was: Json | undefined, is: Json, within: boolean): readonly TextEdit[] | null {
  const { node } = slot;
  if (equal(was, is)) return [];
  if (isJsonObject(was) && isJsonObject(is) && isMap(node))
    return node.flow === true ? editFlow(written, node, was, is, revise) : reviseMap(written, node, slot, was, is);
  if (isList(was) && isList(is) && isSeq(node))
    return node.flow === true ? editFlow(written, node, was, is, revise) : reviseList(written, node, slot, was, is);
  return replaced(written, slot, is, within);
}

/** What stands behind a key or a dash, written anew; null where a comment would go with it. */
function replaced(
  { text, eol }: EditedText,
  { head, opening, node, end }: NodeSlot,
  is: Json,
  within: boolean,
): readonly TextEdit[] | null {
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
  if (isBlock && is === null && opening > 0 && text[head] !== '-') return nothing(text, opening, end);
  if (isBlock || node === null || !node.range || /^[|>].*#/.test(text.slice(node.range[0], end))) return null;
  const isNested = typeof is === 'object' && is !== null && Object.keys(is).length > 0;
  if (!isNested || within || text[head] === '-' || isSeq(node) || isMap(node)) {
    const quote = quoteOf(node);
    const put = within || isNested || quote !== 'plain' ? writeInline(is, quote) : writeYaml({ is }).trimEnd().slice('is: '.length);
    const [before, behind] = [text[node.range[0] - 1] === ':' ? ' ' : '', text[end] === '#' ? ' ' : ''];
    return [{ start: node.range[0], end: Math.max(end, node.range[0]), text: before + put + behind }];
  }
  if (text.slice(opening, node.range[0]).includes('#')) return null;
  return [{ start: opening, end, text: block(writeYaml(is), head - lineStart(text, head) + 2, eol) }];
}

/** A block makes way for null, which takes away what earlier sources say; what stands beside its key stays. */
function nothing(text: string, opening: number, end: number): readonly TextEdit[] {
  return [
    { start: opening, end: opening, text: ' null' },
    { start: lineEnd(text, opening), end, text: '' },
  ];
}

/** Lines below a key, each with its indentation. */
function block(yaml: string, column: number, eol: string): string {
  return yaml
    .trimEnd()
    .split('\n')
    .map((line) => eol + ' '.repeat(column) + line)
    .join('');
}

function reviseMap(
  written: EditedText,
  map: YAMLMap,
  slot: NodeSlot,
  was: { readonly [key: string]: Json },
  is: { readonly [key: string]: Json },
): readonly TextEdit[] | null {
  const { text, eol } = written;
  const members = membersOf(text, map);
  const gone = Object.keys(was).filter((key) => is[key] === undefined);
  const added = Object.keys(is).filter((key) => was[key] === undefined);
  if (gone.length === Object.keys(was).length) return added.length > 0 ? null : emptied(text, slot, [...members.values()], '{}');
  const edits: (readonly TextEdit[] | null)[] = [];
  for (const [key, member] of members) {
    const value = is[key];
    if (gone.includes(key)) edits.push(removed(text, member));
    else if (value !== undefined) edits.push(revise(written, member, was[key], value, false));
  }
  const staying = [...members].filter(([key]) => !gone.includes(key)).map(([, member]) => member);
  const column = [...members.values()].slice(0, 1).map(({ head }) => head - lineStart(text, head))[0] ?? 0;
  for (const key of added) {
    const value = is[key] ?? null;
    const above = neighbour(staying, value);
    const at = above && lineEnd(text, above.end);
    edits.push(at === undefined ? null : [{ start: at, end: at, text: block(writeYaml({ [key]: value }), column, eol) }]);
  }
  return joined(edits);
}

/** Below which member a new one comes: a setting below the last one that is a single value, all else at the end. */
function neighbour(members: readonly NodeSlot[], value: Json): NodeSlot | undefined {
  const setting = typeof value === 'object' ? undefined : members.findLast(({ node }) => isScalar(node) || isAlias(node));
  return setting ?? members.at(-1);
}

function reviseList(
  written: EditedText,
  list: YAMLSeq,
  slot: NodeSlot,
  was: readonly Json[],
  is: readonly Json[],
): readonly TextEdit[] | null {
  const { text, eol } = written;
  const slots = itemsOf(text, list.items, list.range?.[0] ?? 0);
  if (is.length === 0) return emptied(text, slot, slots, '[]');
  const aligned = alignItems(was, is);
  const staying = new Set(aligned.flatMap(({ from }) => from ?? []));
  const edits: (readonly TextEdit[] | null)[] = slots.map((item, index) => (staying.has(index) ? [] : removed(text, item)));
  const [first] = slots;
  if (!first) return null;
  const column = first.head - lineStart(text, first.head);
  let above: NodeSlot | undefined;
  for (const { from, to } of aligned) {
    const value = is[to] ?? null;
    const item = from === null ? undefined : slots[from];
    if (item) {
      edits.push(revise(written, item, was[from ?? 0], value, false));
      above = item;
    } else edits.push([newItem(written, value, first, above, column, eol)]);
  }
  return joined(edits);
}

/** A line for a new item: below the one before it, or above all. */
function newItem({ text }: EditedText, value: Json, first: NodeSlot, above: NodeSlot | undefined, column: number, eol: string): TextEdit {
  const isInline = isMap(first.node) ? first.node.flow === true : !isJsonObject(value);
  const [head = '', ...rest] = (isInline ? writeInline(value, quoteOf(first.node)) : writeYaml(value)).trimEnd().split('\n');
  const lines = [`- ${head}`, ...rest.map((line) => `  ${line}`)].map((line) => ' '.repeat(column) + line);
  const at = above ? lineEnd(text, above.end) : commentsAbove(text, first.head, column);
  return { start: at, end: at, text: above ? lines.map((line) => eol + line).join('') : lines.map((line) => line + eol).join('') };
}

/** Takes a member or an item away with its lines; null where it shares its first line with something else. */
function removed(text: string, { head, end }: NodeSlot): readonly TextEdit[] | null {
  return text.slice(lineStart(text, head), head).trim() === '' ? [withoutLines(text, head, end)] : null;
}

/** Nothing is left of a block: its key says so, and the lines go. */
function emptied(text: string, { head, opening }: NodeSlot, slots: readonly NodeSlot[], sign: string): readonly TextEdit[] | null {
  if (opening === 0 || text[head] === '-') return null;
  return joined([[{ start: opening, end: opening, text: ` ${sign}` }], ...slots.map((slot) => removed(text, slot))]);
}
