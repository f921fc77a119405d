import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import eventSchema from '../../../schemas/event.schema.json' with { type: 'json' };
import { isObject } from '../../../src/core/model/json.ts';
import { type Document, render } from '../../../src/report/index.ts';
import {
  change,
  failure,
  field,
  finding,
  history,
  historyEntry,
  impactReport,
  matrixRow,
  OPTIONS,
  outcome,
  plan,
  validation,
} from '../documents.ts';

const accepts = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(eventSchema);

const blocked = { check: 'deletes', reason: 'all 2 go', lift: { allow: 'deletes' } } as const;
const run = { at: '2026-03-01T10:00:00.000Z', by: 'ada', where: 'https://ci.example/7', requests: 12, retries: 1 };
const changes = [
  change('playlist/c', { phase: 'delete' }),
  change('playlist/b', {
    fields: [field('/repeat', 1, 2)],
    declared: { file: 'a.yaml', line: 1, column: 2 },
    movedFrom: 'playlist/w',
    adopts: '1',
  }),
  change('drm-policy/d', { effect: 'weakens', phase: 'weaken' }),
  change('playlist/a', { blocked, action: 'delete', phase: 'delete-policies' }),
];
const full = plan(changes, { findings: [finding({ address: 'playlist/a' })], run: { ...run, lastApply: run.at } });
const results = outcome([
  { address: 'playlist/b', result: 'updated', tookMs: 1 },
  { address: 'playlist/c', result: 'failed', error: 'HTTP 500', tookMs: 1 },
  { address: 'playlist/a', result: 'skipped', because: 'blocked', tookMs: 0 },
]);
const documents: readonly Document[] = [
  { type: 'plan', plan: full },
  { type: 'drift', plan: plan([]) },
  { type: 'outcome', outcome: { ...results, run }, plan: full },
  { type: 'validation', validation: validation([finding()]) },
  { type: 'failure', failure: failure([finding()], null), plan: full },
  { type: 'history', history: history([historyEntry(), historyEntry({ commit: null })]) },
  { type: 'history', history: history([historyEntry({ fingerprint: null, changes: [] })], { address: 'playlist/a' }) },
  {
    type: 'history',
    history: history(
      [
        historyEntry({
          inPart: ['1 failed'],
          changes: [],
          accepted: [
            { address: 'playlist/a', fields: [field('/repeat', 1, 2)] },
            { address: 'playlist/a', deleted: true, interrupted: true, fields: [] },
          ],
          unread: 'x',
        }),
      ],
      { address: 'playlist/a' },
    ),
  },
  { type: 'impact', impact: impactReport([matrixRow()]) },
  { type: 'targets', targets: [{ name: 'production', baseUrl: 'https://services.example.com', ownership: 'observe', ledger: 'none' }] },
];

function events(document: Document): readonly { readonly [member: string]: unknown }[] {
  const lines = render([document], 'ndjson', OPTIONS).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const event: unknown = JSON.parse(line);
    if (!isObject(event)) throw new Error(`no event: ${line}`);
    return event;
  });
}

describe('renderNdjson', () => {
  it.each(documents)('renders a document of type $type as events that the schema accepts', (document) => {
    const all = events(document);
    expect(all.length).toBeGreaterThan(0);
    for (const event of all) expect(accepts(event), JSON.stringify([event, accepts.errors], null, 1)).toBe(true);
  });

  it.each(documents)('renders a document of type $type as events without unknown or missing members', (document) => {
    const optional = /^(movedFrom|adopts|declared|hint|address|error|because|run|changes|inPart|accepted|unread)$/;
    for (const event of events(document)) {
      expect(accepts({ ...event, excerpt: 'x' })).toBe(false);
      const isOptional = (name: string) => optional.test(name) || (name === 'fingerprint' && event.event !== 'apply');
      for (const member of Object.keys(event).filter((name) => !isOptional(name)))
        expect(accepts(Object.fromEntries(Object.entries(event).filter(([name]) => name !== member))), member).toBe(false);
    }
  });

  it('renders the events of single items first, risk first, and then the summary', () => {
    const rendered = events({ type: 'outcome', outcome: results, plan: full }).map(({ event, address, code }) => [event, address ?? code]);
    expect(rendered).toEqual([
      ['planned', 'playlist/a'],
      ['planned', 'drm-policy/d'],
      ['planned', 'playlist/b'],
      ['planned', 'playlist/c'],
      ['finding', 'playlist/a'],
      ['plan', undefined],
      ['result', 'playlist/b'],
      ['result', 'playlist/c'],
      ['result', 'playlist/a'],
      ['outcome', undefined],
    ]);
  });

  it('renders nothing for a document without events', () => {
    expect(render([{ type: 'history', history: history([]) }], 'ndjson', OPTIONS)).toBe('');
  });
});
