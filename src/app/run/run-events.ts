/** What happens in a run, as the log tells it: the one list of events. */
import type { ApiClientEvent } from '../../core/api-client/client.ts';
import type { JsonObject } from '../../core/model/json.ts';

/** The levels of events, most verbose first. */
export const EVENT_LEVELS = ['trace', 'debug', 'info'] as const;

/** The level of an event. */
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** The phases of a run for one target, in their order; a command has some of them. They are not the phases of a plan. */
export const RUN_PHASES = ['prepare', 'lock', 'read', 'plan', 'write', 'verify', 'ledger'] as const;

/** A phase of a run. */
export type RunPhase = (typeof RUN_PHASES)[number];

/** The level, the own members and the meaning of each event. */
export const RUN_EVENTS = {
  'run started': { level: 'info', members: ['command'], meaning: 'the first event of a run' },
  'configuration loaded': { level: 'info', members: ['dirty'], meaning: 'from now on the commit is known; `null` outside git' },
  'phase started': { level: 'debug', members: [], meaning: `one of ${RUN_PHASES.map((phase) => `\`${phase}\``).join(', ')}` },
  request: {
    level: 'debug',
    members: ['method', 'path', 'status', 'tookMs', 'attempt', 'address', 'addresses', 'requestId', 'category', 'what'],
    meaning: 'one attempt of a request was answered; `category` and `what` where an object does not exist (404)',
  },
  'request failed': {
    level: 'info',
    members: ['method', 'path', 'status', 'tookMs', 'attempt', 'address', 'addresses', 'requestId', 'category', 'what', 'retryInMs'],
    meaning: 'one attempt of a request failed; `retryInMs` is absent after the last one',
  },
  'request detail': {
    level: 'trace',
    members: ['method', 'path', 'attempt', 'requestBody', 'responseBytes', 'responseHeaders', 'responseBody'],
    meaning: 'the form of the same attempt: names and types of the members of both bodies, size and names of headers, never a value',
  },
  'plan made': {
    level: 'info',
    members: ['fingerprint', 'create', 'update', 'delete', 'blocked'],
    meaning: 'the account was read and compared',
  },
  'change applied': {
    level: 'info',
    members: ['address', 'result', 'tookMs', 'error'],
    meaning: 'the result of a change, as it becomes known; `tookMs` includes waiting, for example for `http.requests_per_second`',
  },
  'lock waited for': { level: 'info', members: [], meaning: 'another run holds the lock' },
  'lock taken': { level: 'info', members: ['lock'], meaning: 'this run holds the lock' },
  'lock lost': { level: 'info', members: ['lock'], meaning: 'the lock was taken away, or can no longer be read' },
  'lock released': { level: 'info', members: ['lock'], meaning: 'the lock is free again' },
  'entry pushed': { level: 'info', members: ['entry'], meaning: 'the apply is recorded in the ledger' },
  'entry kept': { level: 'info', members: ['reason'], meaning: 'the entry could not be pushed; the next run pushes it' },
  'kept entry pushed': { level: 'info', members: [], meaning: 'the entry of an earlier apply was pushed' },
  'push failed': {
    level: 'info',
    members: ['refs', 'reason'],
    meaning: 'a push was refused, or its answer was lost; the remote is asked whether it was made',
  },
  'notification sent': {
    level: 'info',
    members: ['notification', 'receiver'],
    meaning: 'a receiver of `notify` has accepted a notification',
  },
  'target ended': { level: 'info', members: ['exit'], meaning: 'a target is done' },
  'run ended': { level: 'info', members: ['exit', 'tookMs'], meaning: 'the last event of a run' },
} as const satisfies {
  readonly [name: string]: { readonly level: EventLevel; readonly members: readonly string[]; readonly meaning: string };
};

/** The name of an event. */
export type EventName = keyof typeof RUN_EVENTS;

/** Where in a run an event belongs. Null where it is not known yet, or where the event belongs to no single target. */
export interface EventContext {
  readonly target: string | null;
  readonly commit: string | null;
  readonly phase: RunPhase | null;
}

/** One event of a run. */
export interface RunEvent extends EventContext {
  readonly name: EventName;
  /** Unix milliseconds. */
  readonly at: number;
  readonly members: JsonObject;
}

/** Receives the events of a run. */
export interface EventSink {
  /** Decides whether events of this name are wanted. */
  wants(name: EventName): boolean;
  record(event: RunEvent): void;
}

/** What a sink needs of the context of a target, or of the run as a whole. */
export interface EventStreams {
  readonly stderr: { write(text: string): unknown };
}

/** Creates a sink for a target, or for the run as a whole. */
export type OpenSink = (streams: EventStreams) => EventSink;

/** Observes a run, or a target of it. */
export interface Telemetry {
  emit(name: EventName, members?: JsonObject): void;
  /** Tells an attempt of a request. */
  request(attempt: ApiClientEvent): void;
  /** Begins a phase, which ends the one before. */
  enter(phase: RunPhase): void;
  /** Tells the commit of the configuration. */
  configured(state: { readonly commit: string; readonly dirty: boolean } | null): void;
  /** Returns the observation of one target; `streams` are its own. */
  forTarget(target: string, streams: EventStreams): Telemetry;
}
