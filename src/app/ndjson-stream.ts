import type { Document } from '../report/index.ts';
import { type Event, eventLine, eventsOf } from '../report/machine/ndjson.ts';
import type { CliContext } from './runtime.ts';

/** Events on stdout, a line each. */
export interface NdjsonStream {
  /** Says what happens as it happens. */
  tell(events: readonly Event[]): void;
  /** Says all of a document that was not told before. */
  complete(document: Document): void;
}

/** The stream of one run. The secrets are hidden in it. */
export function createNdjsonStream({ stdout, secrets }: Pick<CliContext, 'stdout' | 'secrets'>): NdjsonStream {
  const told = new Set<string>();
  const linesOf = (events: readonly Event[]) => secrets.hiddenIn(events).map((event) => `${eventLine(event)}\n`);
  return {
    tell(events) {
      for (const line of linesOf(events)) {
        stdout.write(line);
        told.add(line);
      }
    },
    complete(document) {
      for (const line of linesOf(eventsOf(document))) if (!told.delete(line)) stdout.write(line);
    },
  };
}
