import type { Document } from '../report/index.ts';
import { type Event, eventLine, eventsOf } from '../report/machine/ndjson.ts';
import type { CliContext } from './runtime.ts';

/** Events on stdout, a line each. */
export interface NdjsonStream {
  /** Writes events as they happen. */
  emit(events: readonly Event[]): void;
  /** Writes the events of a document that were not emitted before. */
  complete(document: Document): void;
}

/** Creates the event stream of one run. Secrets are redacted. */
export function createNdjsonStream({ stdout, secrets }: Pick<CliContext, 'stdout' | 'secrets'>): NdjsonStream {
  const emitted = new Set<string>();
  const linesOf = (events: readonly Event[]) => secrets.hiddenIn(events).map((event) => `${eventLine(event)}\n`);
  return {
    emit(events) {
      for (const line of linesOf(events)) {
        stdout.write(line);
        emitted.add(line);
      }
    },
    complete(document) {
      for (const line of linesOf(eventsOf(document))) if (!emitted.delete(line)) stdout.write(line);
    },
  };
}
