/** Builds the source map of a YAML text: the offset of each key and value of its documents. */
import {
  ABSENT,
  EVENT_ID,
  type Event,
  EventReader,
  isAbsent,
  type ScalarEvent,
  scalarEnd,
  scalarStart,
  scalarText,
} from './js-yaml-events.ts';

/** The start and end of a node, as offsets into the text. */
export interface NodeOffsets {
  readonly start: number;
  /** Offset after a scalar, quotes included; absent for maps, lists and aliases. */
  readonly end?: number;
  /** Whether a scalar is empty, apart from quotes. */
  readonly isEmpty?: boolean;
  /** The members of a map by key. Of two equal keys, it contains the first. */
  readonly members?: ReadonlyMap<string, Member>;
  readonly items?: readonly NodeOffsets[];
}

/** A member of a map. */
export interface Member {
  /** Offset of its key. */
  readonly key: number;
  readonly value: NodeOffsets;
}

/** Returns the offsets of the root nodes of the documents that have content. */
export function nodeOffsets(text: string, events: readonly Event[]): readonly NodeOffsets[] {
  const reader = new EventReader(text, events);
  const roots: NodeOffsets[] = [];
  while (reader.peek !== undefined) {
    reader.next();
    if (isAbsent(reader.peek)) reader.next();
    else roots.push(readNode(reader));
    reader.next();
  }
  return roots;
}

function readNode(reader: EventReader): NodeOffsets {
  const { offset: before, peek: ahead } = reader;
  if (ahead?.type === EVENT_ID.SCALAR) return readScalarNode(ahead, before, reader);
  const event = reader.next();
  if (event.type === EVENT_ID.ALIAS) return { start: event.anchorStart - 1 };
  if (event.type === EVENT_ID.MAPPING) return { start: event.start, members: readMembers(reader) };
  if (event.type === EVENT_ID.SEQUENCE) return { start: event.start, items: readItems(reader) };
  throw new Error('js-yaml gives a node no event');
}

function readScalarNode(event: ScalarEvent, before: number, reader: EventReader): NodeOffsets {
  if (event.valueStart === ABSENT) return readAbsentNode(event, reader);
  const start = scalarStart(reader.text, event, before);
  reader.next();
  return { start, end: scalarEnd(event), ...(event.valueStart === event.valueEnd ? { isEmpty: true } : null) };
}

/** Reads an absent node. Its offset is after its colon, dash or anchor and the white space behind that. */
function readAbsentNode(event: ScalarEvent, reader: EventReader): NodeOffsets {
  const { nextTokenOffset, offset, text } = reader;
  let start = Math.max(event.anchorEnd, event.tagEnd, /[-:?]/.test(text.charAt(nextTokenOffset)) ? nextTokenOffset + 1 : offset);
  while (/[ \t]/.test(text.charAt(start))) start += 1;
  reader.next();
  reader.advanceTo(start);
  return { start, end: start, isEmpty: true };
}

function readItems(reader: EventReader): readonly NodeOffsets[] {
  const items: NodeOffsets[] = [];
  while (!reader.consumeEnd()) items.push(readNode(reader));
  return items;
}

function readMembers(reader: EventReader): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  while (!reader.consumeEnd()) {
    const { peek: ahead, offset } = reader;
    reader.skip();
    const key =
      ahead?.type === EVENT_ID.SCALAR && ahead.valueStart !== ABSENT ? scalarStart(reader.text, ahead, offset) : reader.nextTokenOffset;
    const isMissing = isAbsent(reader.peek) && reader.text.charAt(reader.nextTokenOffset) !== ':';
    const offsets = readNode(reader);
    const value = isMissing ? { start: key } : offsets;
    const name = ahead?.type === EVENT_ID.SCALAR ? scalarText(reader.text, ahead) : undefined;
    if (name !== undefined && !members.has(name)) members.set(name, { key, value });
  }
  return members;
}
