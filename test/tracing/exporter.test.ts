import { describe, expect, test } from 'vitest';
import { tracingSettings } from '../../src/tracing/environment.ts';
import { BATCH_SIZE, createExporter, MAX_WAITING, type SpanExporter } from '../../src/tracing/exporter.ts';
import type { Span } from '../../src/tracing/otlp.ts';
import { unreachableAddress } from '../api-client/servers.ts';
import { type ReceiverAnswer, startReceiver, type TestReceiver } from '../support/receiver.ts';

function exporterTo(url: string, elapsed: () => number = () => performance.now()): SpanExporter {
  const settings = tracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  if (settings === null || 'problem' in settings) throw new Error('no settings');
  return createExporter(settings, { version: '1.2.3', elapsed });
}

function span(name = 'GET'): Span {
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: null };
  return { ...ids, name, kind: 'client', startedAt: 1, endedAt: 2, attributes: {}, events: [] };
}

/** Returns the number of spans in each request. */
function batches({ received }: TestReceiver): readonly number[] {
  return received.map(({ body }) => body.split('"spanId"').length - 1);
}

describe('a collector that works', () => {
  test('gets few spans at the end, in one request', async () => {
    const collector = await startReceiver();
    const exporter = exporterTo(collector.url);
    for (let count = 0; count < 3; count++) exporter.add(span());
    expect(collector.received).toEqual([]);
    expect(await exporter.finish()).toBeNull();
    expect(batches(collector)).toEqual([3]);
    expect(collector.received[0]).toMatchObject({ method: 'POST', path: '/v1/traces' });
  });

  test('gets many spans in batches', async () => {
    const collector = await startReceiver();
    const exporter = exporterTo(collector.url);
    for (let count = 0; count < 2 * BATCH_SIZE + 1; count++) exporter.add(span());
    expect(await exporter.finish()).toBeNull();
    expect(batches(collector)).toEqual([BATCH_SIZE, BATCH_SIZE, 1]);
  });

  test('is not asked where there is no span', async () => {
    const collector = await startReceiver();
    expect(await exporterTo(collector.url).finish()).toBeNull();
    expect(collector.received).toEqual([]);
  });

  test('gets a request again after an answer that asks for it', async () => {
    const collector = await startReceiver((number) => ({ status: number === 1 ? 503 : 200, body: '{}' }));
    const exporter = exporterTo(collector.url);
    exporter.add(span());
    expect(await exporter.finish()).toBeNull();
    expect(batches(collector)).toEqual([1, 1]);
  });
});

describe('a collector that does not work', () => {
  test.each<[string, ReceiverAnswer, string, number]>([
    ['that stays overloaded', { status: 503 }, 'it answered HTTP 503', 2],
    ['that refuses', { status: 401, body: 'no' }, 'it answered HTTP 401', 1],
    ['that redirects', { status: 302, headers: { location: 'https://elsewhere.example' } }, 'it answered HTTP 302', 1],
    ['that answers rubbish', { status: 200, body: '<html>' }, 'its answer is none of OTLP', 1],
    ['that answers a list', { status: 200, body: '[]' }, 'its answer is none of OTLP', 1],
    ['that takes a part', { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2"}}' }, 'it refused 2 spans', 1],
  ])('%s is told by a clause', async (_name, answer, problem, requests) => {
    const collector = await startReceiver(() => answer);
    const exporter = exporterTo(collector.url);
    exporter.add(span());
    expect(await exporter.finish()).toBe(problem);
    expect(collector.received).toHaveLength(requests);
  });

  test('that is down is told', async () => {
    const exporter = exporterTo(await unreachableAddress());
    exporter.add(span());
    expect(await exporter.finish()).toMatch(/^no connection to http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/);
  });

  test('that never answers ends with the time that is left', async () => {
    const collector = await startReceiver(() => null);
    // All but the last milliseconds of the time to send have passed.
    let calls = 0;
    const exporter = exporterTo(collector.url, () => (calls++ === 0 ? 0 : 2_950));
    exporter.add(span());
    expect(await exporter.finish()).toBe('no complete answer within 0.1 s');
    expect(collector.received).toHaveLength(1);
  });

  test('gets no further batch after a failure, and no memory is kept for it', async () => {
    const collector = await startReceiver(() => ({ status: 400 }));
    const exporter = exporterTo(collector.url);
    for (let count = 0; count < 3 * BATCH_SIZE; count++) exporter.add(span());
    expect(await exporter.finish()).toBe('it answered HTTP 400');
    expect(collector.received).toHaveLength(1);
  });

  test('that falls behind loses what is beyond the limit', async () => {
    const collector = await startReceiver();
    const exporter = exporterTo(collector.url);
    for (let count = 0; count < MAX_WAITING + BATCH_SIZE + 10; count++) exporter.add(span());
    expect(await exporter.finish()).toBe('more than 4,096 spans waited for it');
    expect(batches(collector).reduce((sum, count) => sum + count, 0)).toBe(MAX_WAITING + BATCH_SIZE);
  });
});
