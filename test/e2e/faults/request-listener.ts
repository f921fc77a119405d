/** Listens to the HTTP client: records the signatures of a cell's requests, and the journal at each request. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { isObject } from '../../../src/core/model/json.ts';
import type { Canary, OutputText } from '../../support/canary.ts';
import { localFile } from '../../support/local-files.ts';

/** The channel on which undici publishes every request before it is sent. */
const CHANNEL = 'undici:request:create';

/** What was heard so far. */
export interface RequestListener {
  /** Every `msg` and `sig`. */
  readonly signatures: readonly Canary[];
  /** The journal at each request before which there was one. */
  readonly journals: readonly OutputText[];
  close(): void;
}

/** Listens to what is sent to this origin from the project in this folder. */
export function listenToRequests(origin: string, folder: string): RequestListener {
  const signatures: Canary[] = [];
  const journals: OutputText[] = [];
  const journal = localFile(folder, 'journal.jsonl');
  const onRequest = (message: unknown): void => {
    const request = isObject(message) ? message.request : undefined;
    if (!isObject(request) || request.origin !== origin) return;
    const query = String(request.path).split('?')[1] ?? '';
    const members = new URLSearchParams(query.includes('msg=') ? query : String(request.body));
    signatures.push(...['msg', 'sig'].map((name) => ({ name, value: members.get(name) ?? '' })));
    if (existsSync(journal)) journals.push({ where: 'the journal', text: readFileSync(journal, 'utf8') });
  };
  subscribe(CHANNEL, onRequest);
  return { signatures, journals, close: () => void unsubscribe(CHANNEL, onRequest) };
}
