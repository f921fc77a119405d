/** A fake service and small fixtures that the tests of several kinds share. */

import { expect } from 'vitest';
import { createFindingList } from '../../../src/core/config/findings.ts';
import {
  ApiError,
  type ApiRequest,
  type ApiService,
  type DeclareServices,
  type LiveObject,
  type LiveSetting,
  type UnlocatedFinding,
} from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';

/** The responses of a fake service by method and path; an error is thrown. */
export type FakeResponses = { readonly [request: string]: unknown };

/** Returns a service with these responses, and the requests that it received. */
export function fakeService(responses: FakeResponses): { readonly service: ApiService; readonly sent: readonly ApiRequest[] } {
  const sent: ApiRequest[] = [];
  const send: ApiService['send'] = async (request) => {
    sent.push(request);
    const key = `${request.method} ${request.path}`;
    if (!Object.hasOwn(responses, key)) throw apiError('unreachable', key);
    const body = responses[key];
    if (body instanceof Error) throw body;
    return { status: 200, body };
  };
  return { service: { send }, sent };
}

/** Returns an API error of this type. */
export function apiError(category: ApiError['category'], operation = 'GET /'): ApiError {
  return new ApiError({ category, operation, what: 'it went wrong', advice: 'look', mayHaveWritten: 'no' });
}

/** Expects a promise to fail as malformed, with the text at the end of its message. */
export async function expectMalformed(promise: Promise<unknown>, text: string): Promise<void> {
  await expect(promise).rejects.toSatisfy((error) => error instanceof ApiError && error.category === 'malformed');
  const message = await promise.then(String, (error) => (error instanceof Error ? error.message : ''));
  expect(message.slice(-text.length)).toBe(text);
}

/** Returns the only item. @throws Error where there are none or several */
export function onlyItem<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`expected one item, not ${items.length}`);
  return item;
}

/** The services of `declare` for kinds that read no files. */
export const declareServices: DeclareServices = {
  adoptedId: () => undefined,
  findingList: () => createFindingList((found) => found),
  readText: (path) => ({ error: { severity: 'error', code: 'unexpected-read', summary: 'this test reads no files', path } }),
};

/** Formats findings as text: severity, code and path; then the summary; then the hint. */
export function formatFindings(findings: readonly UnlocatedFinding[]): string {
  return findings
    .map(({ severity, code, path, summary, hint }) => `${severity} ${code} at ${path.join('/')}\n  ${summary}\n  ${hint}`)
    .join('\n');
}

export const requestOptions = { bulkLimit: 100 };

/** Returns a live object with these fields. */
export function live(fields: JsonObject, more: Partial<LiveObject> = {}): LiveObject {
  return { id: 'live', remoteName: '', fields, isMatchableByRemoteName: false, configSection: 'any', unknownMembers: [], ...more };
}

/** Returns a live setting with these fields. */
export function liveSetting<const Fields extends JsonObject>(fields: Fields): LiveSetting<Fields> {
  return { id: null, fields, unknownMembers: [] };
}
