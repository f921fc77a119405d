/** What the steps of a probe have in common: rows of requests, and readers of their answers. */
import { type Exchange, type Exchanges, outcomeOf, type ProbeRequest, type ProbeService } from './exchange.ts';

/** A request of a step. */
export interface Row extends ProbeRequest {
  /** Whether it is sent twice even if it succeeds: a refusal is expected. */
  readonly twice?: true;
  /** Whether it creates an object, and so is never sent again. */
  readonly creates?: true;
  /** Returns what depends on earlier answers; null if the request is left out. */
  fill?(seen: Exchanges): Partial<ProbeRequest> | null;
}

/** The answer to a question: one of the words of the assumption, or a figure; null with the reason if it was not found out. */
export interface Found {
  readonly found: string | null;
  readonly detail?: string;
}

/** Reads the answer to a question from what was answered to the requests of a step. */
export type Reader = (seen: Exchanges) => Found;

/** Returns the answer that nothing was found out. */
export function notFound(detail: string): Found {
  return { found: null, detail };
}

/** The reason where an answer is missing, or no usable one. */
export const NO_ANSWER = notFound('no usable answer');

/** Returns the one answer on which all agree; those that are undefined do not count. */
export function agreed(answers: readonly (string | undefined)[], detail = 'no usable answer'): Found {
  const words = [...new Set(answers.filter((answer) => answer !== undefined))];
  const [word] = words;
  if (word === undefined) return notFound(detail);
  return words.length === 1 ? { found: word } : notFound('the answers contradict one another');
}

/** Sends a row as it must be: a create once, a row that expects a refusal twice, and any other again where it is refused. */
export async function sendRow(service: ProbeService, row: Row): Promise<Exchange | undefined> {
  if (row.creates) return service.once(row);
  if (!row.twice) return service.send(row);
  const [first, second] = [await service.once(row), await service.once(row, 2)];
  return first !== undefined && second !== undefined && outcomeOf(first) === outcomeOf(second) ? second : undefined;
}
