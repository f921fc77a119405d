/**
 * Control endpoints, unsigned and for this machine only:
 * - `GET /__requests`: the decoded requests in order; `DELETE /__requests` forgets them
 * - `GET /__state`: the accounts in the form of a seed
 * - `POST /__edit`: an Edit, or a list of them, carried out behind the client's back
 * - `PUT /__faults`: a list of FaultRules in place of the ones in force
 */

import type { Json } from '../model/json.ts';
import type { EmulatedResponse } from './contract.ts';
import type { DocumentEdits } from './edits.ts';
import { parseEdits } from './edits.ts';
import type { FaultRule } from './faults.ts';
import { parseFaults } from './faults.ts';
import type { RecordedRequest } from './request-log.ts';

/** What the endpoints control. */
export interface Controlled {
  requests(): readonly RecordedRequest[];
  clearRequests(): void;
  dump(): Json;
  /** Carries out a change behind the client's back; `owner`, by default the first account, is who it concerns where the edit does not say. */
  edit(edit: DocumentEdits, owner?: string): void;
  setFaults(rules: readonly FaultRule[]): void;
}

/** One control endpoint; `handle` gets the parsed JSON body and throws an Error for what it does not understand. */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  handle(body: unknown): { readonly status: number; readonly body?: unknown };
}

const done: EmulatedResponse = { status: 204 };

/** The endpoints over an emulator. */
export function controls(emulator: Controlled): readonly Control[] {
  return [
    { method: 'GET', path: '/__requests', handle: () => ({ status: 200, body: emulator.requests() }) },
    { method: 'GET', path: '/__state', handle: () => ({ status: 200, body: emulator.dump() }) },
    {
      method: 'DELETE',
      path: '/__requests',
      handle() {
        emulator.clearRequests();
        return done;
      },
    },
    {
      method: 'POST',
      path: '/__edit',
      handle(body) {
        const edits = (Array.isArray(body) ? body : [body]).map(parseEdits);
        for (const edit of edits) emulator.edit(edit);
        return done;
      },
    },
    {
      method: 'PUT',
      path: '/__faults',
      handle(body) {
        emulator.setFaults(parseFaults(body));
        return done;
      },
    },
  ];
}
