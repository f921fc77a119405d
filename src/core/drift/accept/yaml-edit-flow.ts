/** Edits flow collections of YAML: `{ a: 1 }` and `[a, b]`. */

import { isMap, writeInline, type YAMLMap, type YAMLSeq } from '../../config/yaml/syntax-nodes.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { alignItems } from './match-list-items.ts';
import { type EditedText, joinEdits, lineEnd, type TextEdit } from './text-edits.ts';
import { contentEnd, membersOf, type NodeSlot, nodeOf, quoteOf } from './yaml-nodes.ts';

/** Returns the edits within one member or item. */
type EditSlot = (source: EditedText, slot: NodeSlot, was: Json | undefined, is: Json, within: boolean) => readonly TextEdit[] | null;

/** One member or item: its value before and after (undefined = added or removed), and the text of an added one. */
interface Entry {
  readonly slot: NodeSlot | undefined;
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  readonly text?: string;
}

/** Returns the edits of a flow collection. Rewrites it where several entries are added or removed, unless it spans lines (comments). */
export function editFlow(source: EditedText, node: YAMLMap | YAMLSeq, was: Json, is: Json, editSlot: EditSlot): readonly TextEdit[] | null {
  const { text } = source;
  const entries = isMap(node) ? entriesOfMap(text, node, was, is) : entriesOfList(text, node, was, is);
  const gone = entries.filter((entry) => entry.is === undefined);
  const added = entries.filter((entry) => entry.slot === undefined);
  if (gone.length + added.length > 1 || (gone.length > 0 && entries.length === 1) || entries.length === added.length)
    return rewriteWhole(source, node, is);
  const edits = entries.map((entry, index): readonly TextEdit[] | null => {
    const { slot, text: addedText = '' } = entry;
    if (slot === undefined) return [insertEntry(addedText, entries[index - 1]?.slot, entries[index + 1]?.slot)];
    return entry.is === undefined
      ? removeEntry(text, slot, entries[index - 1]?.slot, entries[index + 1]?.slot)
      : editSlot(source, slot, entry.was, entry.is, true);
  });
  return joinEdits(edits);
}

function entriesOfMap(text: string, node: YAMLMap, was: Json, is: Json): readonly Entry[] {
  const [before, after] = [isJsonObject(was) ? was : {}, isJsonObject(is) ? is : {}];
  const members = membersOf(text, node);
  const added = Object.keys(after).filter((key) => before[key] === undefined);
  return [
    ...[...members].map(([key, slot]): Entry => ({ slot, was: before[key], is: after[key] })),
    ...added.map(
      (key): Entry => ({
        slot: undefined,
        was: undefined,
        is: after[key],
        text: withoutBraces(writeInline({ [key]: after[key] ?? null })),
      }),
    ),
  ];
}

function entriesOfList(text: string, node: YAMLSeq, was: Json, is: Json): readonly Entry[] {
  const before = listOf(was);
  const after = listOf(is);
  const slots = node.items.map((item): NodeSlot => {
    const own = nodeOf(item);
    const head = own?.range?.[0] ?? 0;
    return { head, opening: head, node: own, end: contentEnd(text, own) };
  });
  const aligned = alignItems(before, after);
  const entries: Entry[] = [];
  let next = 0;
  const addRemoved = (limit: number): void => {
    for (; next < limit; next++) entries.push({ slot: slots[next], was: before[next], is: undefined });
  };
  for (const { from, to } of aligned) {
    const value = after[to] ?? null;
    if (from === null)
      entries.push({ slot: undefined, was: undefined, is: value, text: writeInline(value, quoteOf(slots[0]?.node ?? null)) });
    else {
      addRemoved(from);
      entries.push({ slot: slots[from], was: before[from], is: value });
      next = from + 1;
    }
  }
  addRemoved(slots.length);
  return entries;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the member of a map with one member, without the braces. */
function withoutBraces(map: string): string {
  return map.slice(1, -1).trim();
}

/** Inserts an entry beside another one. An empty collection is rewritten instead. */
function insertEntry(added: string, before: NodeSlot | undefined, after: NodeSlot | undefined): TextEdit {
  if (before) return { start: before.end, end: before.end, text: `, ${added}` };
  const at = after?.head ?? 0;
  return { start: at, end: at, text: `${added}, ` };
}

/** Removes an entry with its comma and the comment after it on its line. Returns null where another comment precedes its neighbor. */
function removeEntry(text: string, slot: NodeSlot, before: NodeSlot | undefined, after: NodeSlot | undefined): readonly TextEdit[] | null {
  if (after)
    return text.slice(lineEnd(text, slot.end), after.head).includes('#') ? null : [{ start: slot.head, end: after.head, text: '' }];
  const start = before?.end ?? slot.head;
  return text.slice(start, slot.head).includes('#') ? null : [{ start, end: slot.end, text: '' }];
}

function rewriteWhole({ text }: EditedText, node: YAMLMap | YAMLSeq, is: Json): readonly TextEdit[] | null {
  const [start, end] = [node.range?.[0] ?? 0, contentEnd(text, node)];
  const old = text.slice(start, end);
  if (old.includes('\n') || old.includes('*') || old.includes('&')) return null;
  const inline = writeInline(is);
  const isPadded = /^.[ \]}]/.test(old);
  return [{ start, end, text: isPadded ? inline : inline.replace(/^([[{]) (.*) ([\]}])$/, '$1$2$3') }];
}
