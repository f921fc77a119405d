/** Listens at the HTTP client: which secrets a cell's runs really sent, and what their journal said meanwhile. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../src/model/json.ts';
import type { Canary, Trace } from '../../support/canary.ts';

/** The channel on which undici tells of every request before it is sent. */
const CHANNEL = 'undici:request:create';

/** What was heard so far. */
export interface Ear {
  /** Every `msg` and `sig`. */
  readonly signatures: readonly Canary[];
  /** The journal at each request before which there was one. */
  readonly journals: readonly Trace[];
  close(): void;
}

/** Listens to what is sent to this origin from the project in this folder. */
export function listen(origin: string, folder: string): Ear {
  const signatures: Canary[] = [];
  const journals: Trace[] = [];
  const journal = join(folder, '.upkeep/journal/live.jsonl');
  const hear = (message: unknown): void => {
    const request = isObject(message) ? message.request : undefined;
    if (!isObject(request) || request.origin !== origin) return;
    const query = String(request.path).split('?')[1] ?? '';
    const members = new URLSearchParams(query.includes('msg=') ? query : String(request.body));
    signatures.push(...['msg', 'sig'].map((name) => ({ name, value: members.get(name) ?? '' })));
    if (existsSync(journal)) journals.push({ where: 'the journal', text: readFileSync(journal, 'utf8') });
  };
  subscribe(CHANNEL, hear);
  return { signatures, journals, close: () => void unsubscribe(CHANNEL, hear) };
}
