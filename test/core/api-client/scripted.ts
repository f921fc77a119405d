import { MockAgent } from 'undici';
import { afterEach, beforeEach } from 'vitest';
import type { ApiRequest } from '../../../src/core/api-client/request.ts';
import { createTestClient, ORIGIN, type Settings, type TestClient } from './harness.ts';

/** One scripted answer, or the code of a broken connection. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | { readonly code: string; readonly syscall?: string };

export const OK: Scripted = { status: 200, body: { error: 0, fine: true } };

/** The agent of the test that runs: one of its own for each test of a file, with no network behind it. Called once, at the top of the file. */
export function agentOfEach(): () => MockAgent {
  let agent: MockAgent | undefined;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
  });
  afterEach(async () => {
    await agent?.close();
  });
  return () => {
    if (agent === undefined) throw new Error('no test runs');
    return agent;
  };
}

/** What gives a service these answers to a request, in order. */
export function scripting(agent: () => MockAgent) {
  return (request: ApiRequest, answers: readonly Scripted[], settings: Settings = {}): TestClient => {
    const pool = agent().get(ORIGIN);
    for (const answer of answers) {
      const interceptor = pool.intercept({ method: request.method, path: (path) => path.startsWith(request.path) });
      if ('code' in answer) interceptor.replyWithError(Object.assign(new Error('broken'), answer));
      else interceptor.reply(answer.status, textOf(answer.body), { headers: answer.headers ?? {} });
    }
    return createTestClient({ dispatcher: agent(), ...settings });
  };
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}
