import { describe, expect, it } from 'vitest';
import type { ChangeOutcome } from '../../../src/core/model/outcome.ts';
import { type Document, render } from '../../../src/report/index.ts';
import { change, failure, finding, history, OPTIONS, outcome, plan, validation } from '../documents.ts';
import { readJunit } from '../languages/junit.ts';

const blocked = { check: 'deletes', reason: 'all 2 go', lift: { allow: 'deletes' } } as const;

/** Returns each suite with its tests: result, group, name and message. */
function suites(...documents: readonly Document[]): unknown {
  return readJunit(render(documents, 'junit', OPTIONS)).children.map(({ attributes, children }) => [
    attributes.name,
    ...children.map((each) => {
      const [result] = each.children;
      return [result?.name ?? 'passed', each.attributes.classname, each.attributes.name, result?.text ?? ''];
    }),
  ]);
}

describe('renderJunit', () => {
  it('renders kinds, changes and findings of a plan as tests; unread kinds, blocked changes and errors do not pass', () => {
    const changes = [change('playlist/b'), change('playlist/a', { name: 'Main <one>', action: 'delete', blocked })];
    const findings = [finding({ severity: 'warning' }), finding()];
    expect(
      suites({ type: 'plan', plan: plan(changes, { readStatus: { playlist: 'incomplete', 'static-key': 'skipped' }, findings }) }),
    ).toEqual([
      [
        'plan production',
        ['error', 'upkeep.playlist', 'is read completely', 'playlist was not.'],
        ['failure', 'upkeep.decision', 'may be applied now', 'Cannot tell: nothing could be read.'],
        [
          'failure',
          'upkeep.playlist',
          'delete playlist/a "Main <one>"',
          'blocked by safety check `deletes`: all 2 go. To lift it: --allow deletes.',
        ],
        [
          'failure',
          'upkeep.configuration',
          'unknown-key accounts/eu/config/common.yaml:12:5',
          'upkeep knows no key `repaet` here. Did you mean `repeat`?',
        ],
        ['passed', 'upkeep.playlist', 'update playlist/b', ''],
        [
          'system-out',
          'upkeep.configuration',
          'unknown-key accounts/eu/config/common.yaml:12:5',
          'upkeep knows no key `repaet` here. Did you mean `repeat`?',
        ],
      ],
    ]);
  });

  it('renders drift, outcomes and validations as suites of tests', () => {
    const drifted = [
      change('playlist/a', { effect: 'weakens' }),
      change('playlist/b', { action: 'create' }),
      change('playlist/c', { action: 'delete' }),
    ];
    const done = outcome([
      { address: 'playlist/a', result: 'updated', tookMs: 1500 },
      { address: 'playlist/b', result: 'failed', error: 'HTTP 500', tookMs: 20 },
      { address: 'playlist/c', result: 'skipped', because: 'interrupted', tookMs: 0 },
    ]);
    const report = suites(
      { type: 'drift', plan: plan(drifted, { readStatus: { playlist: 'complete' } }) },
      { type: 'outcome', outcome: { ...done, verified: false, unverified: { differs: [], notRead: ['playlist'] } } },
      { type: 'validation', validation: validation([]) },
      { type: 'history', history: history([]) },
    );
    expect(report).toEqual([
      [
        'drift production',
        ['failure', 'upkeep.playlist', 'playlist/a', 'drifted: 0 fields, which weakens protection.'],
        ['failure', 'upkeep.playlist', 'playlist/b', 'drifted: appeared.'],
        ['failure', 'upkeep.playlist', 'playlist/c', 'drifted: is gone.'],
        ['passed', 'upkeep.playlist', 'is read completely', ''],
      ],
      [
        'apply production',
        ['failure', 'upkeep.playlist', 'playlist/b', 'HTTP 500.'],
        ['skipped', 'upkeep.playlist', 'playlist/c', 'interrupted.'],
        ['failure', 'upkeep.verification', 'all that was written reads back as desired', 'playlist could not be read back.'],
        ['system-out', 'upkeep.playlist', 'playlist/a', 'updated.'],
      ],
      ['validate production', ['passed', 'upkeep.playlist', '12 declared', ''], ['passed', 'upkeep.drm-policy', '3 declared', '']],
    ]);
    expect(render([{ type: 'outcome', outcome: done }], 'junit', OPTIONS)).toContain('name="playlist/a" time="1.500"');
  });

  it('renders three or more outcomes with the same result for the same reason as one test with their number and addresses', () => {
    const failed = (key: string, id: number): ChangeOutcome => ({
      address: `playlist/${key}`,
      result: 'failed',
      error: `PATCH /api/v4/linear-playlist/${id}: HTTP 500`,
      tookMs: 100,
    });
    const few = [failed('a', 1), failed('b', 2)];
    expect(render([{ type: 'outcome', outcome: outcome(few) }], 'junit', OPTIONS).match(/<failure /g)).toHaveLength(2);
    const many: Document = {
      type: 'outcome',
      outcome: outcome([...few, { address: 'playlist/d', result: 'updated', tookMs: 0 }, failed('c', 3)]),
    };
    expect(suites(many)).toEqual([
      [
        'apply production',
        [
          'failure',
          'upkeep.playlist',
          'playlist/a and 2 more',
          '3 changes: PATCH /api/v4/linear-playlist/1: HTTP 500. playlist/a, playlist/b, playlist/c.',
        ],
        ['system-out', 'upkeep.playlist', 'playlist/d', 'updated.'],
        ['passed', 'upkeep.verification', 'all that was written reads back as desired', ''],
      ],
    ]);
    expect(render([many], 'junit', OPTIONS)).toContain('name="playlist/a and 2 more" time="0.300"');
  });

  it('renders a failure as an error, with the blocked changes of its plan', () => {
    const failureDocument: Document = {
      type: 'failure',
      failure: failure([]),
      plan: plan([change('playlist/a', { blocked }), change('playlist/b')]),
    };
    expect(suites(failureDocument)).toEqual([
      [
        'plan production',
        ['error', 'upkeep.run', 'invalid-configuration', 'The configuration is not valid. Correct what is named below.'],
        ['failure', 'upkeep.decision', 'may be applied now', 'Blocked: playlist a would be updated.'],
        ['failure', 'upkeep.playlist', 'update playlist/a', 'blocked by safety check `deletes`: all 2 go. To lift it: --allow deletes.'],
      ],
    ]);
  });
});
