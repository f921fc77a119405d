/** Traces as a collector gets them: what was sent is read by the message types that OpenTelemetry publishes. */
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { unreachableAddress } from '../api-client/servers.ts';
import { createGitProject } from '../support/git-project.ts';
import { API_KEY, createTestProject, OWNER } from '../support/harness.ts';
import { throughProtocol } from '../support/otlp.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { asset } from './accounts.ts';

const SOURCE = {
  'config/a.yaml': `playlists:\n  one: { playlist: [{ beam: ${asset(1)} }, { beam: ${asset(2)} }] }\nstatic_key: { scope: none }\n`,
};

interface ReceivedSpan {
  readonly traceId: Json;
  readonly spanId: Json;
  readonly parentSpanId: Json;
  readonly name: Json;
  readonly kind: Json;
  readonly status: Json;
  readonly events: readonly JsonObject[];
  readonly attributes: { readonly [name: string]: Json };
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return [value ?? []].flat().filter((each) => isJsonObject(each));
}

/** Returns the value of each attribute, without its type. */
function attributesOf(list: Json | undefined): { readonly [name: string]: Json } {
  return Object.fromEntries(
    objects(list).map(({ key, value }) => [String(key), (isJsonObject(value) ? Object.values(value)[0] : undefined) ?? null]),
  );
}

/** Returns all spans that a collector got, and the attributes of their resource. */
function tracesIn({ received }: TestReceiver): {
  readonly spans: readonly ReceivedSpan[];
  readonly resource: { readonly [name: string]: Json };
} {
  const requests = received.map(({ body }) => throughProtocol(body));
  const resources = requests.flatMap(({ resourceSpans }) => objects(resourceSpans));
  const [resource] = resources.map((each) => attributesOf(isJsonObject(each.resource) ? each.resource.attributes : undefined));
  const spans = resources.flatMap(({ scopeSpans }) => objects(scopeSpans)).flatMap((each) => objects(each.spans));
  return {
    resource: resource ?? {},
    spans: spans.map((span) => ({
      traceId: span.traceId ?? null,
      spanId: span.spanId ?? null,
      parentSpanId: span.parentSpanId ?? null,
      name: span.name ?? null,
      kind: span.kind ?? null,
      status: span.status ?? null,
      events: objects(span.events),
      attributes: attributesOf(span.attributes),
    })),
  };
}

const OTEL = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('the traces of a run', () => {
  test('have a span for the run, below it one for each phase, and below these one for each request', async () => {
    const collector = await startReceiver();
    const project = await createTestProject(SOURCE);
    const { code } = await project.runWith({ env: { [OTEL]: collector.url } }, 'apply', '--yes');
    expect(code).toBe(0);
    const { spans, resource } = tracesIn(collector);
    expect(resource).toEqual({ 'service.name': 'upkeep', 'service.version': '0.1.0' });
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === null);
    expect(roots).toMatchObject([{ name: 'upkeep apply', kind: 'SPAN_KIND_INTERNAL', attributes: { 'upkeep.exit_code': '0' } }]);
    const phases = spans.filter(({ parentSpanId }) => parentSpanId === roots[0]?.spanId);
    expect(phases.map(({ name }) => name)).toEqual(['prepare', 'plan', 'write', 'verify']);
    for (const phase of phases) expect(phase.attributes).toMatchObject({ 'upkeep.target': 'live' });
    const requests = spans.filter(({ kind }) => kind === 'SPAN_KIND_CLIENT');
    expect(requests).toHaveLength(spans.length - 1 - phases.length);
    const phaseOf = new Map(phases.map(({ spanId, name }) => [spanId, name]));
    const create = requests.find(({ name }) => name === 'POST');
    expect(phaseOf.get(create?.parentSpanId ?? null)).toBe('write');
    const { hostname, port } = new URL(project.emulator.url);
    expect(create?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'url.full': `${project.emulator.url}/api/v4/linear-playlist`,
      'server.address': hostname,
      'server.port': port,
      'http.response.status_code': '201',
      'upkeep.address': 'playlist/one',
    });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  test('continue the trace of TRACEPARENT, with the service and the headers of the environment', async () => {
    const collector = await startReceiver();
    const project = await createTestProject(SOURCE);
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20CollectorToken4711',
      OTEL_SERVICE_NAME: 'streaming-config',
      TRACEPARENT: `00-${traceId}-${spanId}-01`,
    };
    expect((await project.runWith({ env }, 'plan')).code).toBe(0);
    const { spans, resource } = tracesIn(collector);
    expect(resource['service.name']).toBe('streaming-config');
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name)).toEqual(['upkeep plan']);
    expect(collector.received[0]).toMatchObject({ path: '/own', headers: { authorization: 'Bearer CollectorToken4711' } });
  });

  test('tell failed requests, retries and a failed run', async () => {
    const collector = await startReceiver();
    const faults = [{ method: 'GET', path: '/api/v4/linear-playlist', status: 500 }];
    const project = await createTestProject(SOURCE, { faults, target: 'http: { requests_per_second: 0, give_up_seconds: 1 }' });
    const { code } = await project.runWith({ env: { [OTEL]: collector.url } }, 'plan');
    expect(code).toBe(10);
    const { spans } = tracesIn(collector);
    const failed = spans.filter(({ attributes }) => attributes['error.type'] === '500');
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.map(({ status }) => status)).toContainEqual({ code: 'STATUS_CODE_ERROR', message: expect.stringContaining('500') });
    expect(failed.at(-1)?.attributes['http.request.resend_count']).toBe(String(failed.length - 1));
    expect(spans.find(({ name }) => name === 'upkeep plan')?.status).toEqual({ code: 'STATUS_CODE_ERROR', message: 'exit code 10' });
  });

  test('of a probe have one span for each of its requests, below the phases of its steps', async () => {
    const collector = await startReceiver();
    const project = await createTestProject(SOURCE);
    const { code } = await project.runWith({ env: { [OTEL]: collector.url } }, 'probe', '--write', '--yes');
    expect(code).toBe(0);
    const { spans } = tracesIn(collector);
    const phaseOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
    const requests = spans.filter(({ kind }) => kind === 'SPAN_KIND_CLIENT');
    expect(requests).toHaveLength(project.emulator.requests().length);
    expect(new Set(requests.map(({ parentSpanId }) => phaseOf.get(parentSpanId)))).toEqual(new Set(['read', 'write']));
    expect(requests.filter(({ attributes }) => /[?]|msg=|sig=/.test(String(attributes['url.full'])))).toEqual([]);
  });

  test('have lock and ledger as events of the phases', async () => {
    const collector = await startReceiver();
    const project = await createGitProject(SOURCE);
    const { code } = await project.runWith({ env: { ...project.env, [OTEL]: collector.url } }, 'apply', '--yes');
    expect(code).toBe(0);
    const events = tracesIn(collector).spans.flatMap(({ name, events: all }) => all.map((event) => [name, event.name]));
    expect(events).toEqual(
      expect.arrayContaining([
        ['lock', 'lock taken'],
        ['record', 'entry pushed'],
        ['record', 'lock released'],
      ]),
    );
  });

  test('hold no key, no owner and no signature', async () => {
    const collector = await startReceiver();
    const project = await createTestProject({
      'config/a.yaml': `playlists:\n  one: { desc: "${OWNER}", playlist: [{ beam: ${asset(1)} }, { beam: ${asset(2)} }] }\n`,
    });
    await project.runWith({ env: { [OTEL]: collector.url } }, 'apply', '--yes');
    const sent = collector.received.map(({ body, headers }) => body + JSON.stringify(headers)).join('');
    expect(sent).not.toBe('');
    for (const secret of [API_KEY, OWNER, 'msg=', 'sig=']) expect(sent).not.toContain(secret);
  });
});

describe('a collector that does not work', () => {
  test.each<[string, () => Promise<string>]>([
    ['is down', unreachableAddress],
    ['refuses', async () => (await startReceiver(() => ({ status: 403 }))).url],
    ['answers rubbish', async () => (await startReceiver(() => ({ status: 200, body: 'ok?' }))).url],
  ])('and %s changes no exit code and no report, and is said once', async (_name, start) => {
    const project = await createTestProject(SOURCE);
    const plain = await project.run('plan', '--detailed-exitcode');
    const traced = await project.runWith({ env: { [OTEL]: await start() } }, 'plan', '--detailed-exitcode');
    expect([traced.code, traced.stdout]).toEqual([plain.code, plain.stdout]);
    expect(traced.stderr).toMatch(
      /^warning: not all traces were sent to http:\/\/127\.0\.0\.1:\d+: .+\n {2}hint: nothing else is affected; check the OTEL_ variables, or set OTEL_SDK_DISABLED=true\n$/,
    );
  });

  test('by an address that is none is a warning that does not repeat it', async () => {
    const project = await createTestProject(SOURCE);
    const { code, stderr } = await project.runWith({ env: { [OTEL]: 'SecretCollector4711' } }, 'plan');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: no traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address\n/);
    expect(stderr).not.toContain('SecretCollector4711');
  });
});

test('a header of the environment is hidden wherever a text of the account repeats it', async () => {
  const collector = await startReceiver();
  const project = await createTestProject({
    'config/a.yaml': `playlists:\n  one: { desc: "x CollectorToken4711", playlist: [{ beam: ${asset(1)} }, { beam: ${asset(2)} }] }\n`,
  });
  const env = { [OTEL]: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20CollectorToken4711' };
  const { stdout } = await project.runWith({ env }, 'plan');
  expect(stdout).toContain('[hidden]');
  expect(stdout).not.toContain('CollectorToken4711');
});
