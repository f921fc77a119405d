import { isDay, parseInstant } from '../../core/model/instant.ts';
import type { AskedDate } from '../../core/model/run-of-show.ts';

/** Parses a date, which means its beginning in UTC, or an instant, both as in RFC 3339; null where a text is neither. */
export function parseAskedDate(text: string): AskedDate | null {
  const time = isDay(text) ? Date.parse(text) : parseInstant(text);
  return time === undefined ? null : { text, time };
}
