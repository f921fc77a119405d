/** v2 through the whole client: a read that travels as a form. */
import { expect, it } from 'vitest';
import { bench, faultOf, ORIGIN, OWNER, opened, START } from './harness.ts';

const ASK = { method: 'GET', path: '/api2/thing/get', body: { ids: ['a', 'b'] }, repeatable: true } as const;

import { agentOfEach } from './scripted.ts';

const agent = agentOfEach();

/** A client whose service gives these answers; the messages that it gets are kept. */
function asking(...answers: readonly { readonly status: number; readonly body: unknown }[]) {
  const messages: unknown[] = [];
  for (const { status, body } of answers) {
    agent()
      .get(ORIGIN)
      .intercept({ method: 'POST', path: ASK.path })
      .reply(({ body: form }) => {
        messages.push(opened(new URLSearchParams(String(form)).get('msg')));
        return { statusCode: status, data: JSON.stringify(body) };
      });
  }
  return { ...bench({ dispatcher: agent() }), messages };
}

it('puts what is asked beside owner and time, and counts as a read', async () => {
  const { service, messages, events } = asking({ status: 200, body: { error: 0, things: [] } });
  expect((await service.send(ASK)).body).toEqual({ error: 0, things: [] });
  expect(messages).toEqual([{ ids: ['a', 'b'], _owner: OWNER, _timestamp: START / 1000 }]);
  expect(service.counts).toEqual({ reads: 1, writes: 0, retries: 0 });
  expect(events).toMatchObject([{ method: 'GET', path: ASK.path }]);
});

it('is tried again as a read, and has surely written nothing', async () => {
  const { service, messages } = asking({ status: 503, body: {} }, { status: 200, body: { error: 1, msg: 'no such call' } });
  expect(await faultOf(service.send(ASK))).toMatchObject({
    kind: 'rejected',
    mayHaveWritten: 'no',
    message: 'GET /api2/thing/get: the service answered error 1: "no such call" (after 2 tries)',
  });
  expect(messages).toHaveLength(2);
});
