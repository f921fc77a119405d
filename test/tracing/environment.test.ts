import { describe, expect, test } from 'vitest';
import { type TracingSettings, tracingSettings } from '../../src/tracing/environment.ts';

function settings(env: { readonly [name: string]: string }): TracingSettings {
  const found = tracingSettings(env);
  if (found === null || 'problem' in found) throw new Error(found?.problem ?? 'traces are switched off');
  return found;
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318' };

describe('where traces go', () => {
  test.each([
    ['https://collector.example', 'https://collector.example/v1/traces'],
    ['https://collector.example/', 'https://collector.example/v1/traces'],
    ['http://collector.example:4318/base/', 'http://collector.example:4318/base/v1/traces'],
    [' https://collector.example/base ', 'https://collector.example/base/v1/traces'],
  ])('the general endpoint %s gets the path of traces', (endpoint, url) => {
    expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).url.href).toBe(url);
  });

  test('the endpoint for traces is used as it is, and comes first', () => {
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?x=1' };
    expect(settings({ ...ENDPOINT, ...own }).url.href).toBe('https://traces.example/in?x=1');
    expect(settings(own).url.href).toBe('https://traces.example/in?x=1');
  });

  test.each(['collector:4318', 'ftp://collector.example', 'nonsense', '//x'])('%s is no endpoint, and is not repeated', (endpoint) => {
    const found = tracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect(found).toEqual({ problem: 'OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address' });
  });

  test('gRPC is refused by name', () => {
    expect(tracingSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({ problem: expect.stringContaining('grpc') });
    expect(settings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }).url.hostname).toBe('collector.example');
  });

  test.each([
    ['no endpoint', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['a disabled SDK', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['no exporter', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['a parent that is not sampled', { ...ENDPOINT, TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` }],
  ])('%s switches traces off', (_name, env) => {
    expect(tracingSettings(env)).toBeNull();
  });

  test('OTEL_SDK_DISABLED with another value than true disables nothing', () => {
    expect(settings({ ...ENDPOINT, OTEL_SDK_DISABLED: '1' }).parent).toBeNull();
  });
});

describe('headers and resource', () => {
  test('headers are percent-decoded pairs, and those for traces come first', () => {
    const env = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: ' api-key = a%20b=c , x-tenant=one,,nonsense',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
    };
    expect(settings(env).headers).toEqual({ 'api-key': 'a b=c', 'x-tenant': 'two' });
  });

  test.each(['a b=c', 'x=a%0d%0ab', 'x=%e2%82%ac', 'x:y=z'])(
    'what cannot be a header is a problem that repeats no value: %s',
    (headers) => {
      const found = tracingSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers });
      if (found !== null && 'problem' in found) expect(found.problem).toBe('OTEL_EXPORTER_OTLP_HEADERS holds what is no header');
      else expect(found?.headers).toEqual({});
    },
  );

  test('the name of the service is upkeep unless the environment says another', () => {
    expect(settings(ENDPOINT).resource).toEqual({ 'service.name': 'upkeep' });
    const resource = { ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment=prod%2F1' };
    expect(settings(resource).resource).toEqual({ 'service.name': 'a', 'deployment.environment': 'prod/1' });
    expect(settings({ ...resource, OTEL_SERVICE_NAME: 'b' }).resource['service.name']).toBe('b');
  });
});

describe('the parent of the trace', () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

  test.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-03`, `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`])(
    'is %s',
    (traceparent) => {
      expect(settings({ ...ENDPOINT, TRACEPARENT: traceparent }).parent).toMatchObject({ traceId, spanId });
    },
  );

  test.each([
    'nonsense',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
  ])('is not %s', (traceparent) => {
    expect(settings({ ...ENDPOINT, TRACEPARENT: traceparent }).parent).toBeNull();
  });
});
