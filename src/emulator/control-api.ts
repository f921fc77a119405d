/**
 * Control endpoints, unsigned and for programs on this machine only:
 * - `GET /__requests`: the decoded requests in order; `DELETE /__requests` clears them
 * - `GET /__state`: the accounts in the form of a seed
 * - `POST /__edit`: an AccountEdit, or a list of them, applied behind the client's back
 * - `PUT /__faults`: a list of FaultRules that replaces the current ones
 */

import type { Json } from '../core/model/json.ts';
import type { EmulatedResponse } from './contract.ts';
import { type AccountEdit, parseEdit } from './edits.ts';
import { type FaultRule, parseFaults } from './faults.ts';
import type { RecordedRequest } from './request-log.ts';

/** The operations behind the control endpoints. */
export interface EmulatorControls {
  requests(): readonly RecordedRequest[];
  clearRequests(): void;
  dump(): Json;
  /** Edits a document behind the client's back; `owner` is the account of an edit that names none, by default the first account. */
  edit(edit: AccountEdit, owner?: string): void;
  setFaults(rules: readonly FaultRule[]): void;
}

/** One control endpoint. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Handles a request with this body. @throws Error if the body is invalid */
  handle(body: unknown): { readonly status: number; readonly body?: unknown };
}

const NO_CONTENT: EmulatedResponse = { status: 204 };

/** Returns the control endpoints of an emulator. */
export function controlRoutes(emulator: EmulatorControls): readonly ControlRoute[] {
  return [
    { method: 'GET', path: '/__requests', handle: () => ({ status: 200, body: emulator.requests() }) },
    { method: 'GET', path: '/__state', handle: () => ({ status: 200, body: emulator.dump() }) },
    {
      method: 'DELETE',
      path: '/__requests',
      handle() {
        emulator.clearRequests();
        return NO_CONTENT;
      },
    },
    {
      method: 'POST',
      path: '/__edit',
      handle(body) {
        const edits = (Array.isArray(body) ? body : [body]).map(parseEdit);
        for (const edit of edits) emulator.edit(edit);
        return NO_CONTENT;
      },
    },
    {
      method: 'PUT',
      path: '/__faults',
      handle(body) {
        emulator.setFaults(parseFaults(body));
        return NO_CONTENT;
      },
    },
  ];
}
