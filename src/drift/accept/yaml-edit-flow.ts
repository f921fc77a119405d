/** What stands in brackets: `{ a: 1 }` and `[a, b]`. */

import { isMap, writeInline, type YAMLMap, type YAMLSeq } from '../../config/yaml/yaml.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { alignItems } from './list-alignment.ts';
import { type EditedText, joined, lineEnd, type TextEdit } from './text-edits.ts';
import { contentEnd, membersOf, type NodeSlot, nodeOf, quoteOf } from './yaml-nodes.ts';

/** The edits within one of the things in the brackets. */
type Revise = (written: EditedText, slot: NodeSlot, was: Json | undefined, is: Json, within: boolean) => readonly TextEdit[] | null;

/** One thing in brackets: what it was and is to be (undefined = gone or new), and how a new one is written. */
interface Piece {
  readonly slot: NodeSlot | undefined;
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  readonly text?: string;
}

/** The edits in a collection in brackets. Where several things go or come it is written anew, unless it has lines and so perhaps comments. */
export function editFlow(written: EditedText, node: YAMLMap | YAMLSeq, was: Json, is: Json, revise: Revise): readonly TextEdit[] | null {
  const { text } = written;
  const pieces = isMap(node) ? membersOfMap(text, node, was, is) : itemsOfList(text, node, was, is);
  const gone = pieces.filter((piece) => piece.is === undefined);
  const added = pieces.filter((piece) => piece.slot === undefined);
  if (gone.length + added.length > 1 || (gone.length > 0 && pieces.length === 1) || pieces.length === added.length)
    return anew(written, node, is);
  const edits = pieces.map((piece, index): readonly TextEdit[] | null => {
    const { slot, text: fresh = '' } = piece;
    if (slot === undefined) return [put(fresh, pieces[index - 1]?.slot, pieces[index + 1]?.slot)];
    return piece.is === undefined
      ? taken(text, slot, pieces[index - 1]?.slot, pieces[index + 1]?.slot)
      : revise(written, slot, piece.was, piece.is, true);
  });
  return joined(edits);
}

function membersOfMap(text: string, node: YAMLMap, was: Json, is: Json): readonly Piece[] {
  const [before, after] = [isJsonObject(was) ? was : {}, isJsonObject(is) ? is : {}];
  const members = membersOf(text, node);
  const added = Object.keys(after).filter((key) => before[key] === undefined);
  return [
    ...[...members].map(([key, slot]): Piece => ({ slot, was: before[key], is: after[key] })),
    ...added.map(
      (key): Piece => ({ slot: undefined, was: undefined, is: after[key], text: bare(writeInline({ [key]: after[key] ?? null })) }),
    ),
  ];
}

function itemsOfList(text: string, node: YAMLSeq, was: Json, is: Json): readonly Piece[] {
  const before = listOf(was);
  const after = listOf(is);
  const slots = node.items.map((item): NodeSlot => {
    const own = nodeOf(item);
    const head = own?.range?.[0] ?? 0;
    return { head, opening: head, node: own, end: contentEnd(text, own) };
  });
  const aligned = alignItems(before, after);
  const pieces: Piece[] = [];
  let next = 0;
  const takeUntil = (limit: number): void => {
    for (; next < limit; next++) pieces.push({ slot: slots[next], was: before[next], is: undefined });
  };
  for (const { from, to } of aligned) {
    const value = after[to] ?? null;
    if (from === null)
      pieces.push({ slot: undefined, was: undefined, is: value, text: writeInline(value, quoteOf(slots[0]?.node ?? null)) });
    else {
      takeUntil(from);
      pieces.push({ slot: slots[from], was: before[from], is: value });
      next = from + 1;
    }
  }
  takeUntil(slots.length);
  return pieces;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A member as it stands among others: without the brackets of a map of its own. */
function bare(map: string): string {
  return map.slice(1, -1).trim();
}

/** There is a thing beside it: brackets that held nothing are written anew. */
function put(added: string, before: NodeSlot | undefined, after: NodeSlot | undefined): TextEdit {
  if (before) return { start: before.end, end: before.end, text: `, ${added}` };
  const at = after?.head ?? 0;
  return { start: at, end: at, text: `${added}, ` };
}

/** With the comma towards its neighbour, and the comment behind it on its line; null where a comment about something else stands between the two. */
function taken(text: string, slot: NodeSlot, before: NodeSlot | undefined, after: NodeSlot | undefined): readonly TextEdit[] | null {
  if (after)
    return text.slice(lineEnd(text, slot.end), after.head).includes('#') ? null : [{ start: slot.head, end: after.head, text: '' }];
  const start = before?.end ?? slot.head;
  return text.slice(start, slot.head).includes('#') ? null : [{ start, end: slot.end, text: '' }];
}

function anew({ text }: EditedText, node: YAMLMap | YAMLSeq, is: Json): readonly TextEdit[] | null {
  const [start, end] = [node.range?.[0] ?? 0, contentEnd(text, node)];
  const old = text.slice(start, end);
  if (old.includes('\n') || old.includes('*') || old.includes('&')) return null;
  const inline = writeInline(is);
  const isPadded = /^.[ \]}]/.test(old);
  return [{ start, end, text: isPadded ? inline : inline.replace(/^([[{]) (.*) ([\]}])$/, '$1$2$3') }];
}
