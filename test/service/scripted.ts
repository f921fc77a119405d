import type { MockAgent } from 'undici';
import type { Request } from '../../src/service/request.ts';
import { type Bench, bench, ORIGIN, type Settings } from './harness.ts';

/** One scripted answer, or the code of a broken connection. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | { readonly code: string; readonly syscall?: string };

export const OK: Scripted = { status: 200, body: { error: 0, fine: true } };

/** What gives a service these answers to a request, in order. */
export function scripting(agent: () => MockAgent) {
  return (request: Request, answers: readonly Scripted[], settings: Settings = {}): Bench => {
    const pool = agent().get(ORIGIN);
    for (const answer of answers) {
      const interceptor = pool.intercept({ method: request.method, path: (path) => path.startsWith(request.path) });
      if ('code' in answer) interceptor.replyWithError(Object.assign(new Error('broken'), answer));
      else interceptor.reply(answer.status, textOf(answer.body), { headers: answer.headers ?? {} });
    }
    return bench({ dispatcher: agent(), ...settings });
  };
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}
