import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import acceptanceSchema from '../../../schemas/acceptance.schema.json' with { type: 'json' };
import diagnosisSchema from '../../../schemas/diagnosis.schema.json' with { type: 'json' };
import explanationSchema from '../../../schemas/explanation.schema.json' with { type: 'json' };
import exportSchema from '../../../schemas/export.schema.json' with { type: 'json' };
import failureSchema from '../../../schemas/failure.schema.json' with { type: 'json' };
import historySchema from '../../../schemas/history.schema.json' with { type: 'json' };
import impactSchema from '../../../schemas/impact.schema.json' with { type: 'json' };
import outcomeSchema from '../../../schemas/outcome.schema.json' with { type: 'json' };
import planSchema from '../../../schemas/plan.schema.json' with { type: 'json' };
import probeSchema from '../../../schemas/probe.schema.json' with { type: 'json' };
import targetsSchema from '../../../schemas/targets.schema.json' with { type: 'json' };
import testsSchema from '../../../schemas/tests.schema.json' with { type: 'json' };
import validationSchema from '../../../schemas/validation.schema.json' with { type: 'json' };
import { isObject } from '../../../src/core/model/json.ts';
import { type Document, render } from '../../../src/report/index.ts';
import { assertProperty } from '../../support/property.ts';
import {
  change,
  failure,
  field,
  finding,
  history,
  historyEntry,
  impactReport,
  impactSummary,
  matrixRow,
  OPTIONS,
  outcome,
  plan,
  planImpact,
  rule,
  validation,
} from '../documents.ts';

const ajv = new Ajv({ strict: true, allErrors: true });
const schemas = {
  plan: ajv.compile(planSchema),
  drift: ajv.compile(planSchema),
  outcome: ajv.compile(outcomeSchema),
  validation: ajv.compile(validationSchema),
  failure: ajv.compile(failureSchema),
  history: ajv.compile(historySchema),
  impact: ajv.compile(impactSchema),
  diagnosis: ajv.compile(diagnosisSchema),
  probe: ajv.compile(probeSchema),
  acceptance: ajv.compile(acceptanceSchema),
  tests: ajv.compile(testsSchema),
  export: ajv.compile(exportSchema),
  field: ajv.compile(explanationSchema),
  address: ajv.compile(explanationSchema),
  targets: ajv.compile(targetsSchema),
};

const blocked = { check: 'identity', reason: 'two candidates', lift: { edit: 'adopt' } } as const;
const requests = [{ method: 'PATCH', path: '/api/v4/linear-playlist/1', body: { repeat: 1 }, addresses: ['playlist/x'] }] as const;
const full = plan(
  [
    change('playlist/x', { movedFrom: 'playlist/w', adopts: '1', fields: [field('/playlist', [{ ad: { dur: 1 } }], null)] }),
    change('playlist/y', { blocked, action: 'create', fields: [field('/repeat', null, -1, { effect: 'weakens', origin: 'drift' })] }),
  ],
  {
    requests,
    impact: planImpact(impactSummary(), impactSummary({ rules: [rule({ output: 'digital' })] })),
    findings: [finding({ address: 'playlist/x' }), finding({ severity: 'warning' })],
    readStatus: { playlist: 'incomplete', 'static-key': 'skipped' },
  },
);

const documents: readonly Document[] = [
  { type: 'plan', plan: full },
  { type: 'plan', plan: plan([], { config: null }) },
  { type: 'drift', plan: full },
  {
    type: 'outcome',
    outcome: outcome([
      { address: 'a', result: 'failed', error: 'x', tookMs: 1 },
      { address: 'b', result: 'skipped', because: 'y', tookMs: 0.5 },
    ]),
    plan: full,
  },
  { type: 'validation', validation: validation([finding()]) },
  { type: 'failure', failure: failure([finding()]) },
  { type: 'failure', failure: failure([], null) },
  { type: 'history', history: history([historyEntry(), historyEntry({ commit: null })]) },
  {
    type: 'history',
    history: history(
      [
        historyEntry({ changes: [{ address: 'b', result: 'moved', tookMs: 1, movedFrom: 'a', overwritten: [] }] }),
        historyEntry({ fingerprint: null, changes: [] }),
        historyEntry({
          inPart: ['1 failed'],
          changes: [],
          accepted: [
            { address: 'b', fields: [field('/repeat', 1, 2)] },
            { address: 'b', deleted: true, interrupted: true, fields: [] },
          ],
          unread: 'x',
        }),
      ],
      { address: 'b', near: 'c', more: true },
    ),
  },
  { type: 'impact', impact: impactReport([matrixRow(), matrixRow({ after: null, lost: [] })], { unchanged: ['drm-policy/hd'] }) },
  {
    type: 'field',
    field: {
      schemaVersion: 1,
      field: 'targets.http.timeout_seconds',
      file: 'upkeep.yaml',
      description: 'Seconds to wait.',
      type: 'number',
      unit: 'seconds',
      default: 30,
      values: [],
      examples: [],
      rules: ['above 0'],
      section: 'none, section 0',
      members: [{ key: 'odd', description: '' }],
    },
  },
  {
    type: 'address',
    address: {
      schemaVersion: 1,
      target: 'production',
      address: 'playlist/x',
      kind: 'playlist',
      readStatus: 'complete',
      identity: { rule: 'none', id: null, because: 'There is none.' },
      change: change('playlist/x', { blocked, fields: [field('/repeat', 0, 1)] }),
      values: [
        { path: '/repeat', value: 1, file: 'config/a.yaml', line: 1, column: 1, layer: 'document', vars: ['region'], overrides: [] },
      ],
    },
  },
  {
    type: 'tests',
    tests: {
      schemaVersion: 1,
      passed: 1,
      failed: 1,
      cases: [
        { file: 'a.test.yaml', line: 2, name: 'one', target: 'production', result: 'passed', tookMs: 3 },
        {
          file: 'a.test.yaml',
          line: 9,
          name: 'two',
          target: 'production',
          result: 'failed',
          tookMs: 3,
          reasons: ['it is other'],
          diff: '-a\n+b\n',
        },
      ],
    },
  },
  {
    type: 'acceptance',
    acceptance: {
      schemaVersion: 1,
      target: 'live',
      written: true,
      accepted: [{ address: 'playlist/x', result: 'updated', effect: 'neutral', fields: ['/repeat'] }],
      pending: [{ address: 'playlist/y', fields: ['/active'] }],
      shared: ['staging'],
      files: [{ file: 'config/a.yaml', lines: [3], diff: '--- a/config/a.yaml' }],
    },
  },
  {
    type: 'export',
    accountExport: {
      schemaVersion: 1,
      target: 'production',
      folder: 'config',
      files: ['playlists.yaml'],
      written: { playlist: 3 },
      leftOut: [{ address: 'playlist/~x', name: 'x', reason: 'it holds no asset' }],
      findings: [finding()],
    },
  },
  {
    type: 'diagnosis',
    diagnosis: {
      schemaVersion: 1,
      target: 'production',
      healthy: false,
      checks: [
        { check: 'clock', state: 'ok', summary: 'fine' },
        { check: 'ledger', state: 'failed', summary: 'gone', remedy: 'bring it back' },
      ],
    },
  },
  {
    type: 'probe',
    probe: {
      schemaVersion: 1,
      target: 'production',
      at: '2026-01-05T12:00:00.000Z',
      upkeep: '0.1.0',
      steps: ['read', 'write'],
      requests: 90,
      answers: [
        {
          id: 'etag',
          step: 'read',
          question: 'Has it an ETag?',
          assumed: 'None is needed.',
          state: 'not found out',
          found: null,
          detail: 'no list',
        },
        {
          id: 'patch-list',
          step: 'write',
          question: 'Merged?',
          assumed: 'It replaces.',
          state: 'contradicted',
          found: 'merges',
          notFor: 'changes',
        },
      ],
      settings: [{ path: 'service.v3_post', value: 'json' }],
      leftBehind: [],
    },
  },
  { type: 'targets', targets: [{ name: 'production', baseUrl: 'https://services.example.com', ownership: 'observe', ledger: 'none' }] },
];

function read(document: Document): unknown {
  return JSON.parse(render([document], 'json', OPTIONS));
}

describe('renderJson', () => {
  it.each(documents)('renders a document of type $type that its schema accepts', (document) => {
    const accepts = schemas[document.type];
    expect(accepts(read(document)), JSON.stringify(accepts.errors)).toBe(true);
  });

  it('renders an object for one document and an array for several', () => {
    expect(render([{ type: 'plan', plan: full }], 'json', OPTIONS)).toMatch(/^\{\n {2}"schemaVersion": 1,/);
    const two: unknown = JSON.parse(
      render(
        [
          { type: 'plan', plan: full },
          { type: 'failure', failure: failure([]) },
        ],
        'json',
        OPTIONS,
      ),
    );
    expect(two).toMatchObject([{ target: 'production', changes: [{}, {}] }, { error: { exit: 8 } }]);
    expect(JSON.parse(render([], 'json', OPTIONS))).toEqual([]);
  });

  it('omits the excerpts of findings and nothing else', () => {
    const { excerpt: _excerpt, ...rest } = finding();
    expect(read({ type: 'validation', validation: validation([finding()]) })).toEqual({ ...validation([finding()]), findings: [rest] });
    expect(read({ type: 'plan', plan: { ...full, findings: [] } })).toEqual({ ...full, findings: [], verdict: expect.any(String) });
  });

  it('does not depend on the options', () => {
    const options = { ...OPTIONS, color: true, width: 60, requests: true, why: true, undeclared: [{ address: 'playlist/~1', name: 'x' }] };
    expect(render(documents, 'json', options)).toBe(render(documents, 'json', OPTIONS));
  });
});

describe('the schemas of JSON documents', () => {
  /** Returns the paths of all objects in a document. */
  function objectsIn(value: unknown, place: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
    if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, [...place, index]));
    if (!isObject(value)) return [];
    return [place, ...Object.entries(value).flatMap(([member, item]) => objectsIn(item, [...place, member]))];
  }

  function edited(value: unknown, place: readonly (string | number)[], edit: (object: object) => unknown): unknown {
    const [step, ...rest] = place;
    if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? edited(item, rest, edit) : item));
    if (!isObject(value)) return value;
    if (step === undefined) return edit(value);
    return { ...value, [step]: edited(value[String(step)], rest, edit) };
  }

  /** Paths of objects with names or values of the user, which may have any member. */
  const OPEN = /(^|\.)(readStatus|resources|written|body|before|after)(\.|$)/;
  /** Members that may be missing. */
  const OPTIONAL = new Set([
    'hint',
    'address?',
    'error',
    'because',
    'movedFrom',
    'adopts',
    'impact',
    'output',
    'remedy',
    'detail',
    'notFor',
    'unit',
    'default',
    'section',
    'by',
    'where',
    'reasons',
    'errors',
    'diff',
    'changes',
    'decision',
    'overridden',
    'overwritten',
    'near',
    'more',
    'inPart',
    'interrupted',
    'unread',
  ]);

  it.each(documents)('reject a document of type $type with an unknown, a missing or an invalid member', (document) => {
    const accepts = schemas[document.type];
    const whole = read(document);
    const places = objectsIn(whole).filter((place) => !OPEN.test(place.join('.')));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) {
      expect(accepts(edited(whole, place, (object) => ({ ...object, excerpt: 'x' })))).toBe(false);
      edited(whole, place, (object) => {
        for (const member of Object.keys(object).filter((name) => !mayBeMissing(name, place, document))) {
          expect(
            accepts(edited(whole, place, (same) => Object.fromEntries(Object.entries(same).filter(([name]) => name !== member)))),
            `without ${[...place, member].join('.')}`,
          ).toBe(false);
          if (!/^(body|before|after|value)$/.test(member))
            expect(accepts(edited(whole, place, (same) => ({ ...same, [member]: { odd: { odd: 'odd' } } }))), member).toBe(false);
        }
        return object;
      });
    }
  });

  function mayBeMissing(member: string, place: readonly (string | number)[], { type }: Document): boolean {
    if (member === 'address') return place.includes('findings') || (type === 'history' && place.length === 0);
    // Where nothing could be read.
    if (member === 'fingerprint') return type !== 'history';
    if (member === 'error') return place.includes('outcomes');
    if (member === 'accepted' || member === 'deleted') return type === 'history' && place.at(-1) !== 'summary';
    // One of these is enough.
    if (place.at(-1) === 'lift') return true;
    return OPTIONAL.has(member) && !(member === 'hint' && !place.includes('findings'));
  }

  it.each([
    ['an unknown action', { changes: [{ ...change('x'), action: 'rename' }] }],
    ['an unknown phase', { changes: [{ ...change('x'), phase: 6 }] }],
    ['an invalid fingerprint', { fingerprint: 'sha256:short' }],
    ['an unknown safety check', { changes: [{ ...change('x'), blocked: { ...blocked, check: 'luck' } }] }],
    ['another schema version', { schemaVersion: 2 }],
    ['a request path with a host', { requests: [{ ...requests[0], path: 'https://x.example/' }] }],
    ['the line number 0', { findings: [{ severity: 'error', code: 'x', summary: '', file: 'x', line: 0, column: 1 }] }],
    ['a negative count', { cost: { reads: -1, writes: 0 } }],
  ])('reject a plan with %s', (_what, wrong) => {
    expect(schemas.plan(plan([]))).toBe(true);
    expect(schemas.plan({ ...plan([]), ...wrong })).toBe(false);
  });

  it('accept any value before and after a field', () => {
    assertProperty(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const sides = { ...field('/x', null, null), before, after };
        expect(schemas.plan({ ...plan([]), changes: [{ ...change('x'), fields: [sides] }] })).toBe(true);
      }),
    );
  });
});
