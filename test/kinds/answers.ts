import { expect } from 'vitest';
import {
  ApiError,
  type ApiRequest,
  type ApiService,
  type DeclareContext,
  type LiveResource,
  type PlannedChange,
  type UnlocatedFinding,
} from '../../src/kinds/kind.ts';
import type { Change } from '../../src/model/change.ts';

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

export function planned(sides: Omit<PlannedChange, 'change'>): PlannedChange {
  const change: Change = {
    address: sides.desired?.address ?? 'unknown',
    kind: 'any',
    name: sides.desired?.name ?? '',
    action: sides.desired ? (sides.live ? 'update' : 'create') : 'delete',
    origin: 'unknown',
    effect: 'neutral',
    fields: [],
    phase: 'tighten',
    wave: 0,
    digest: 'sha256:',
    blocked: null,
  };
  return { ...sides, change };
}

export function live(fields: LiveResource['fields'], more: Partial<LiveResource> = {}): LiveResource {
  return { id: '', label: '', fields, matchableByName: false, configSection: 'any', unknown: [], ...more };
}
