/** Reads the events of a YAML text one by one, and tracks the offset in the text. */
import { pastBlank } from './blank-space.ts';
import { ABSENT, EVENT_ID, type Event, scalarEnd } from './yaml-parser.ts';

/** Reads events in order. */
export class EventReader {
  readonly text: string;
  readonly #events: readonly Event[];
  #at = 0;
  #end = 0;

  constructor(text: string, events: readonly Event[]) {
    this.text = text;
    this.#events = events;
  }

  /** The next event, without consuming it; undefined after the last one. */
  get ahead(): Event | undefined {
    return this.#events[this.#at];
  }

  /** Index of the next event. */
  get index(): number {
    return this.#at;
  }

  /** Returns a new reader of the same events, starting at an earlier one. */
  from(index: number): EventReader {
    const reader = new EventReader(this.text, this.#events);
    reader.#at = index;
    return reader;
  }

  /** Consumes and returns the next event. */
  next(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw new Error('the events of js-yaml end within a document');
    this.#at += 1;
    this.#end = endOf(event, this);
    return event;
  }

  /** Sets the offset up to which the text is read, since the event of an absent node does not contain it. */
  pass(end: number): void {
    this.#end = end;
  }

  /** Decides whether the current map or list ends here; consumes its end. */
  ends(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes a node with its descendants, and returns its number of levels. */
  skip(): number {
    let open = 0;
    let deepest = 0;
    do {
      const { type } = this.next();
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) deepest = Math.max(deepest, ++open);
      if (type === EVENT_ID.POP) open -= 1;
    } while (open > 0);
    return deepest;
  }

  /** Offset after the last event that has a position. */
  get end(): number {
    return this.#end;
  }

  /** Offset of the colon, question mark or dash of the next node, where that node is absent. */
  get gap(): number {
    return pastBlank(this.text, this.#end, ']},');
  }
}

function endOf(event: Event, reader: EventReader): number {
  if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return reader.end;
  if ('start' in event) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorEnd;
  if (event.valueStart !== ABSENT) return scalarEnd(event);
  return Math.max(event.anchorEnd, event.tagEnd, reader.end);
}
