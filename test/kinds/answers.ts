import { expect } from 'vitest';
import {
  ApiError,
  type ApiRequest,
  type ApiService,
  type DeclareContext,
  type LiveObject,
  type LiveSetting,
  type UnlocatedFinding,
} from '../../src/kinds/kind.ts';
import type { JsonObject } from '../../src/model/json.ts';

/** What a fake service answers, by method and path; a fault is thrown. */
export type Answers = { readonly [request: string]: unknown };

/** A service that knows a few requests and remembers all that it was sent. */
export function answering(answers: Answers): { readonly service: ApiService; readonly sent: readonly ApiRequest[] } {
  const sent: ApiRequest[] = [];
  const send: ApiService['send'] = async (request) => {
    sent.push(request);
    const key = `${request.method} ${request.path}`;
    if (!Object.hasOwn(answers, key)) throw fault('unreachable', key);
    const body = answers[key];
    if (body instanceof Error) throw body;
    return { status: 200, body };
  };
  return { service: { send }, sent };
}

export function fault(kind: ApiError['kind'], doing = 'GET /'): ApiError {
  return new ApiError({ kind, operation: doing, what: 'it went wrong', advice: 'look', mayHaveWritten: 'no' });
}

/** Expects a promise to fail as malformed, with the text at the end of its message. */
export async function expectMalformed(promise: Promise<unknown>, text: string): Promise<void> {
  await expect(promise).rejects.toSatisfy((error) => error instanceof ApiError && error.kind === 'malformed');
  const message = await promise.then(String, (error) => (error instanceof Error ? error.message : ''));
  expect(message.slice(-text.length)).toBe(text);
}

export function theOnly<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`expected one item, not ${items.length}`);
  return item;
}

/** The engine's tools, of which these kinds ask nothing. */
export const tools: DeclareContext = {
  readText: (path) => ({ problem: { severity: 'error', code: 'unasked', summary: 'nobody asks for files here', path } }),
};

/** Problems as a user reads them: severity, code and place; then what is wrong; then what to do. */
export function told(findings: readonly UnlocatedFinding[]): string {
  return findings
    .map(({ severity, code, path, summary, hint }) => `${severity} ${code} at ${path.join('/')}\n  ${summary}\n  ${hint}`)
    .join('\n');
}

export const settings = { smartStartBatch: 100 };

export function live(fields: JsonObject, more: Partial<LiveObject> = {}): LiveObject {
  return { id: 'live', label: '', fields, matchableByName: false, configSection: 'any', unknown: [], ...more };
}

/** A setting as the account holds it. */
export function liveSetting<const Fields extends JsonObject>(fields: Fields): LiveSetting<Fields> {
  return { id: null, fields, unknown: [] };
}
