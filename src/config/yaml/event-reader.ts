/** Goes through the events of a YAML text one by one, and knows where in the text it is. */
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

  /** The next event, which is not passed; undefined behind the last one. */
  get ahead(): Event | undefined {
    return this.#events[this.#at];
  }

  /** Index of the next event. */
  get index(): number {
    return this.#at;
  }

  /** A reader of the same events, from an earlier one on. */
  from(index: number): EventReader {
    const again = new EventReader(this.text, this.#events);
    again.#at = index;
    return again;
  }

  /** Passes an event. */
  next(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw new Error('the events of js-yaml end within a document');
    this.#at += 1;
    this.#end = endOf(event, this);
    return event;
  }

  /** Notes that the text is read up to there: where a node is not written, its event does not say. */
  pass(end: number): void {
    this.#end = end;
  }

  /** Whether the map or list that the reader is in ends here; its end is passed. */
  ends(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false;
    this.#at += 1;
    return true;
  }

  /** Passes a node with all that it holds; gives how many levels it has. */
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

  /** Offset behind the last event that has a place. */
  get end(): number {
    return this.#end;
  }

  /** Offset of the colon, question mark or dash of a node that is not written, where it is the next one. */
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
