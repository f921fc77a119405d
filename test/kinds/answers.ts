import { expect } from 'vitest';
import { type Live, type Planned, type Problem, type Request, type Service, ServiceError, type Tools } from '../../src/kinds/kind.ts';
import type { Change } from '../../src/model/change.ts';

/** What a fake service answers, by method and path; a fault is thrown. */
export type Answers = { readonly [request: string]: unknown };

/** A service that knows a few requests and remembers all that it was sent. */
export function answering(answers: Answers): { readonly service: Service; readonly sent: readonly Request[] } {
  const sent: Request[] = [];
  const send: Service['send'] = async (request) => {
    sent.push(request);
    const key = `${request.method} ${request.path}`;
    if (!Object.hasOwn(answers, key)) throw fault('unreachable', key);
    const body = answers[key];
    if (body instanceof Error) throw body;
    return { status: 200, body };
  };
  return { service: { send }, sent };
}

export function fault(kind: ServiceError['fault'], doing = 'GET /'): ServiceError {
  return new ServiceError({ fault: kind, doing, what: 'it went wrong', advice: 'look', written: 'no' });
}

/** Expects a promise to fail as malformed, with the text at the end of its message. */
export async function expectMalformed(promise: Promise<unknown>, text: string): Promise<void> {
  await expect(promise).rejects.toSatisfy((error) => error instanceof ServiceError && error.fault === 'malformed');
  const message = await promise.then(String, (error) => (error instanceof Error ? error.message : ''));
  expect(message.slice(-text.length)).toBe(text);
}

export function theOnly<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`expected one item, not ${items.length}`);
  return item;
}

/** The engine's tools, of which these kinds ask nothing. */
export const tools: Tools = {
  readText: (path) => ({ problem: { severity: 'error', code: 'unasked', summary: 'nobody asks for files here', path } }),
};

/** Problems as a user reads them: severity, code and place; then what is wrong; then what to do. */
export function told(problems: readonly Problem[]): string {
  return problems
    .map(({ severity, code, path, summary, hint }) => `${severity} ${code} at ${path.join('/')}\n  ${summary}\n  ${hint}`)
    .join('\n');
}

export const settings = { smartStartBatch: 100 };

export function planned(sides: Omit<Planned, 'change'>): Planned {
  const change: Change = {
    address: sides.desired?.address ?? 'unknown',
    kind: 'any',
    name: sides.desired?.name ?? '',
    action: sides.desired ? (sides.live ? 'update' : 'create') : 'delete',
    origin: 'unknown',
    effect: 'neutral',
    fields: [],
    phase: 1,
    wave: 0,
    digest: 'sha256:',
    held: null,
  };
  return { ...sides, change };
}

export function live(fields: Live['fields'], more: Partial<Live> = {}): Live {
  return { id: '', label: '', fields, nameable: false, section: 'any', unknown: [], ...more };
}
