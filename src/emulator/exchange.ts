/** One request from its arrival to its answer: fault, gate, record, route. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Manners, Reply, Route } from '../kinds/emulation.ts';
import { RouteError } from '../kinds/emulation.ts';
import { refusal, success } from './answer.ts';
import type { FaultRule, Faults, Outgoing, Transit } from './faults.ts';
import { mutilated, staged } from './faults.ts';
import type { Admission, Arrival, Gate } from './gate.ts';
import { mannered } from './manners.ts';
import type { Course, RequestLog } from './requests.ts';
import { newId } from './seed.ts';
import type { Store } from './store.ts';
import type { Edit } from './write.ts';

/** A request with the route that was found for it. */
export interface Incoming extends Arrival {
  /** As received, without the query. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly route: Route;
  /** The emulation that the route belongs to. */
  readonly emulation: string;
}

/** What the exchange works with. */
export interface Desk {
  readonly store: Store;
  readonly gate: Gate;
  readonly log: RequestLog;
  readonly manners: Manners;
  readonly latencyMs: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Ends all waiting. */
  readonly closing: AbortSignal;
  /** The rules in force. */
  faults(): Faults;
  /** Carries out a change behind the client's back; `owner` is the account where the edit names none. */
  edit(edit: Edit, owner?: string): void;
  /** Refuses new connections for so many milliseconds. */
  refuse(ms: number): void;
}

/** The record of a request, to be kept up. */
type Entry = { -readonly [member in keyof Course]: Course[member] };

/** What came of a request: `reset` asks for the connection to be destroyed; `entry` counts what is sent of a flood. */
export interface Exchanged {
  readonly outgoing: (Outgoing & { readonly transit: Transit }) | 'reset';
  readonly entry: Entry;
}

/** Answers a request. */
export async function exchange(desk: Desk, incoming: Incoming): Promise<Exchanged> {
  const arrived = performance.now();
  const rule: FaultRule = desk.faults()(incoming.method, incoming.path) ?? {};
  const admission = refusable(() => desk.gate(incoming, desk.now()));
  const { owner, body } = admission instanceof RouteError ? { owner: null, body: undefined } : admission;
  const { method, path, query } = incoming;
  const entry = desk.log.record({ method, path, query: withoutSignature(query), body, owner, at: desk.now() });
  const delay = desk.latencyMs + (rule.delayMs ?? 0);
  if (delay > 0 && (await interrupted(arrived + delay, desk.closing))) return { outgoing: 'reset', entry };
  if (rule.edit !== undefined) desk.edit(rule.edit, owner ?? undefined);
  const outgoing = rule.reset === 'before' ? 'reset' : play(desk, incoming, admission, rule, entry);
  // Reads wait too: nobody may be told of a write that a power cut could still take back.
  await desk.store.durable();
  entry.status = outgoing === 'reset' ? null : outgoing.status;
  if (rule.refuseMs !== undefined) desk.refuse(rule.refuseMs);
  return { outgoing: outgoing === 'reset' ? outgoing : inTransit(outgoing, rule), entry };
}

/** An answer with what its rule does to it on its way; before connections are refused, this one must end. */
function inTransit(outgoing: Outgoing, rule: FaultRule): Outgoing & { readonly transit: Transit } {
  const headers = rule.refuseMs === undefined ? outgoing.headers : { ...outgoing.headers, connection: 'close' };
  return { ...outgoing, headers, transit: rule };
}

/** Waits until then, by `performance.now()`, and no less; says whether the emulator closed meanwhile. */
async function interrupted(due: number, closing: AbortSignal): Promise<boolean> {
  try {
    // Timers count whole milliseconds, and the last one may be cut short.
    await wait(Math.max(0, due - performance.now()), undefined, { signal: closing });
    while (performance.now() < due) await turn(undefined, { signal: closing });
    return false;
  } catch (error) {
    if (closing.aborted) return true;
    throw error;
  }
}

/** The route's answer, or what the rule puts in its place. */
function play(desk: Desk, incoming: Incoming, admission: Admission | RouteError, rule: FaultRule, entry: Entry): Outgoing | 'reset' {
  const instead = staged(rule);
  if (instead !== undefined && rule.afterWrite === undefined) return instead;
  const reply = respond(desk, incoming, admission, rule, entry);
  return rule.reset === 'after' ? 'reset' : (instead ?? mutilated(rule, reply.status, reply.body));
}

/** The work's result, or the RouteError that it threw. */
function refusable<T>(work: () => T): T | RouteError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RouteError) return error;
    throw error;
  }
}

function respond(desk: Desk, incoming: Incoming, admission: Admission | RouteError, rule: FaultRule, entry: Entry): Reply {
  const { dialect } = incoming.route;
  // A request that is not well formed is HTTP 400 on v3 too (facts.md section 1, replays); one that is not believed is `error` 1.
  if (admission instanceof RouteError) return refusal(dialect, describe(admission), admission.status === 400 ? 400 : 200);
  const reply = refusable(() => handle(desk, incoming, admission, rule, entry));
  if (reply instanceof RouteError) return refusal(dialect, describe(reply));
  return success(dialect, reply.body === undefined ? reply : { ...reply, body: mannered(reply.body, desk.manners) });
}

function describe({ status, code, message }: RouteError) {
  return { status, code, title: message };
}

function handle(desk: Desk, incoming: Incoming, { owner, body }: Admission, rule: FaultRule, entry: Entry): Reply {
  const manners = rule.merge ? { ...desk.manners, patchMerges: true } : desk.manners;
  const { params, query, route, emulation } = incoming;
  const call = { params, query: withoutSignature(query), body, owner, now: desk.now(), newId, manners };
  return desk.store.transact(
    owner,
    emulation,
    (collection) => route.handle({ ...call, collection }),
    (count) => {
      entry.changes = count;
    },
  );
}

/** The query's members but for `msg` and `sig`. */
function withoutSignature(query: URLSearchParams): { readonly [name: string]: string } {
  return Object.fromEntries(Array.from(query).filter(([name]) => name !== 'msg' && name !== 'sig'));
}
