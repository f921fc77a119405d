/** What the run over several targets (the fleet) and the runs of the single ones (its members) say to each other. All of it is JSON. */
import { isObject } from '../../model/json.ts';
import type { Document } from '../../report/index.ts';
import type { Event } from '../../report/ndjson.ts';
import type { Look } from '../options.ts';

/** A question about a target. */
export interface Question {
  readonly question: string;
  /** What the user is to know before answering: a word, and what stands beside it. */
  readonly facts: readonly (readonly [word: string, text: string])[];
  /** The one answer that is a yes: `yes`, or the name of the target. */
  readonly yes: string;
}

/** What a member says, in order. */
export type Told =
  /** For stderr, whole lines. */
  | { readonly type: 'say'; readonly text: string }
  /** As `Reports.add` and `Reports.show`. */
  | { readonly type: 'add' | 'show'; readonly document: Document; readonly look: Look }
  /** As `Reports.tell`. */
  | { readonly type: 'tell'; readonly events: readonly Event[] }
  /** Files of the configuration that it has read: absolute, behind all links. */
  | { readonly type: 'read'; readonly files: readonly string[] }
  /** A question for the user; the answer follows. */
  | { readonly type: 'ask'; readonly question: Question };

/** What a member is told. */
export type Order = { readonly type: 'answer'; readonly yes: boolean } | { readonly type: 'interrupt' };

/** The line to the fleet, as a member holds it. */
export interface Line {
  /** The name of its target. */
  readonly target: string;
  tell(told: Told): void;
  /** Has the user asked, once it is this member's turn. */
  ask(question: Question): Promise<boolean>;
}

/** A member, as the fleet holds it. */
export interface Member {
  /** Nothing happens where it has ended. */
  order(order: Order): void;
  /** Its exit code, or in words how else it ended; all that it said has been heard by then. */
  readonly ended: Promise<number | string>;
}

/** What a member is started with: its target, the arguments of the fleet, and an environment of its own. */
export interface Start {
  readonly target: string;
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string | undefined };
}

/** Starts a member; `hear` is told all that it says. */
export type StartMember = (start: Start, hear: (told: Told) => void) => Member;

const TOLD: ReadonlySet<unknown> = new Set<Told['type']>(['say', 'add', 'show', 'tell', 'read', 'ask']);
const ORDERS: ReadonlySet<unknown> = new Set<Order['type']>(['answer', 'interrupt']);

/** Whether a member said this: at the other end is this very program, so that the tag tells the rest. */
export function isTold(message: unknown): message is Told {
  return isObject(message) && TOLD.has(message.type);
}

/** Whether the fleet ordered this; as for `isTold`. */
export function isOrder(message: unknown): message is Order {
  return isObject(message) && ORDERS.has(message.type);
}
