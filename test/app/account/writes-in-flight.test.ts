import { describe, expect, it } from 'vitest';
import { watchWrites } from '../../../src/app/account/writes-in-flight.ts';
import type { ApiRequest, ApiResponse } from '../../../src/core/kinds/kind.ts';

const get: ApiRequest = { method: 'GET', path: '/list', repeatable: true };
const write = (path: string): ApiRequest => ({ method: 'POST', path, body: {}, repeatable: false });

/** A service whose answers come when `answer` is called; the last one sent first. */
function slowService() {
  const waiting: { resolve(response: ApiResponse): void; reject(error: Error): void }[] = [];
  return {
    service: watchWrites({ send: () => new Promise<ApiResponse>((resolve, reject) => waiting.push({ resolve, reject })) }),
    waiting,
  };
}

describe('the writes in flight', () => {
  it('are those that were sent and not answered, with their addresses; reads are none', async () => {
    const { service, waiting } = slowService();
    expect(service.inFlight()).toBeNull();
    const read = service.send(get);
    expect(service.inFlight()).toBeNull();
    const [first, second] = [service.send(write('/a'), ['playlist/a', 'playlist/b']), service.send(write('/b'))];
    expect(service.inFlight()).toBe(
      'in flight, and perhaps carried out: POST /a (playlist/a, playlist/b), POST /b; the next plan shows what was done',
    );
    waiting[1]?.resolve({ status: 200, body: {} });
    await first;
    expect(service.inFlight()).toBe('in flight, and perhaps carried out: POST /b; the next plan shows what was done');
    waiting[2]?.reject(new Error('broken'));
    await expect(second).rejects.toThrow('broken');
    expect(service.inFlight()).toBeNull();
    waiting[0]?.resolve({ status: 200, body: {} });
    await read;
  });

  it('are counted beyond five', () => {
    const { service } = slowService();
    for (let index = 1; index <= 7; index++) void service.send(write(`/${index}`));
    expect(service.inFlight()).toMatch(/POST \/5 and 2 more; the next plan/);
  });
});
