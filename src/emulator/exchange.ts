/** One request from its arrival to its answer: fault, gate, record, route. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Manners, Reply, Route } from '../kinds/emulation.ts';
import { RouteError } from '../kinds/emulation.ts';
import { refusal, success } from './answer.ts';
import type { FaultRule, Faults, Outgoing } from './faults.ts';
import { mutilated, staged } from './faults.ts';
import type { Admission, Arrival, Gate } from './gate.ts';
import { mannered } from './manners.ts';
import type { RequestLog } from './requests.ts';
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
}

/** Answers a request; `reset` asks for the connection to be destroyed instead. */
export async function exchange(desk: Desk, incoming: Incoming): Promise<Outgoing | 'reset'> {
  const rule: FaultRule = desk.faults()(incoming.method, incoming.path) ?? {};
  const admission = refusable(() => desk.gate(incoming, desk.now()));
  const { owner, body } = admission instanceof RouteError ? { owner: null, body: undefined } : admission;
  const { method, path, query } = incoming;
  const answered = desk.log.record({ method, path, query: withoutSignature(query), body, owner, at: desk.now() });
  const delay = desk.latencyMs + (rule.delayMs ?? 0);
  if (delay > 0 && (await interrupted(delay, desk.closing))) return 'reset';
  if (rule.edit !== undefined) desk.edit(rule.edit, owner ?? undefined);
  const outgoing = rule.reset === 'before' ? 'reset' : play(desk, incoming, admission, rule);
  // Reads wait too: nobody may be told of a write that a power cut could still take back.
  await desk.store.durable();
  answered(outgoing === 'reset' ? null : outgoing.status);
  return outgoing;
}

/** Waits, and says whether the emulator closed meanwhile. */
async function interrupted(delayMs: number, closing: AbortSignal): Promise<boolean> {
  try {
    await wait(delayMs, undefined, { signal: closing });
    return false;
  } catch (error) {
    if (closing.aborted) return true;
    throw error;
  }
}

/** The route's answer, or what the rule puts in its place. */
function play(desk: Desk, incoming: Incoming, admission: Admission | RouteError, rule: FaultRule): Outgoing | 'reset' {
  const instead = staged(rule);
  if (instead !== undefined && rule.afterWrite === undefined) return instead;
  const reply = respond(desk, incoming, admission, rule);
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

function respond(desk: Desk, incoming: Incoming, admission: Admission | RouteError, rule: FaultRule): Reply {
  const { dialect } = incoming.route;
  // A request that is not well formed is HTTP 400 on v3 too (facts.md section 1, replays); one that is not believed is `error` 1.
  if (admission instanceof RouteError) return refusal(dialect, describe(admission), admission.status === 400 ? 400 : 200);
  const reply = refusable(() => handle(desk, incoming, admission, rule));
  if (reply instanceof RouteError) return refusal(dialect, describe(reply));
  return success(dialect, reply.body === undefined ? reply : { ...reply, body: mannered(reply.body, desk.manners) });
}

function describe({ status, code, message }: RouteError) {
  return { status, code, title: message };
}

function handle(desk: Desk, incoming: Incoming, { owner, body }: Admission, rule: FaultRule): Reply {
  const manners = rule.merge ? { ...desk.manners, patchMerges: true } : desk.manners;
  const { params, query, route, emulation } = incoming;
  return desk.store.transact(owner, emulation, (collection) =>
    route.handle({ params, query: withoutSignature(query), body, owner, now: desk.now(), newId, collection, manners }),
  );
}

/** The query's members but for `msg` and `sig`. */
function withoutSignature(query: URLSearchParams): { readonly [name: string]: string } {
  return Object.fromEntries(Array.from(query).filter(([name]) => name !== 'msg' && name !== 'sig'));
}
