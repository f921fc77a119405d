/** The rows of the step of a probe that writes, and what their questions have in common. */
import { type Found, NO_ANSWER, type Row } from './answers.ts';
import { type Exchange, type Exchanges, isSuccess, refusalOf } from './exchange.ts';
import type { ScratchObject } from './scratch.ts';

/** A row, with the scratch object that may exist once it was sent. */
export interface WriteRow extends Row {
  readonly intends?: ScratchObject;
}

/** The scratch objects of one probe, and how its requests carry data. */
export interface Step {
  readonly asset: string;
  readonly playlist: ScratchObject;
  /** A second playlist with the description of the first. */
  readonly twin: ScratchObject;
  readonly smartStart: ScratchObject;
  readonly policy: ScratchObject;
  readonly configuredPost: 'form' | 'json';
  readonly hasScopedKey: boolean;
  readonly otherPost: 'form' | 'json';
}

/** Length of a `desc` that may be too long, characters. */
const LONG = 1_000;

/** The name with which a playlist and a policy are renamed: a decomposed accent, characters of HTML, a space at the end. */
export const oddName = (name: string): string => `${name} Cafe\u0301 & <b> `;
/** A name with a control character. */
export const nameWithControl = (name: string): string => `${name}\u0007x`;
/** A name that may be too long. */
export const longName = (name: string): string => name + 'x'.repeat(LONG - name.length);

/** Decides whether an answer is a refusal. */
export function isRefused(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && refusalOf(exchange) !== undefined;
}

/** Decides whether a request was answered with a success. */
export function succeeded(seen: Exchanges, name: string): boolean {
  const answer = seen.get(name);
  return answer !== undefined && isSuccess(answer);
}

/** Reads how a second delete was answered; `expected` are the refusals that upkeep understands. */
export function deletedAgain(answer: Exchange | undefined, expected: readonly string[]): Found {
  if (answer === undefined) return NO_ANSWER;
  if (isSuccess(answer)) return { found: 'a success', detail: `HTTP ${answer.status}` };
  const refusal = refusalOf(answer);
  if (refusal === undefined) return NO_ANSWER;
  return expected.includes(refusal) ? { found: refusal } : { found: 'another status', detail: refusal };
}
