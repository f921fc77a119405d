import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/report/index.ts';
import {
  annotationsOf,
  diagnosticLocation,
  diagnosticsOf,
  fingerprintsOf,
  formatMessage,
} from '../../../src/report/machine/diagnostics.ts';
import { change, failure, field, finding, impactReport, outcome, plan, SITE, validation } from '../documents.ts';

const blocked = { check: 'deletes', reason: 'all 2 go', lift: { allow: 'deletes' } } as const;
const declared = { file: 'config/a.yaml', line: 7, column: 3 };

function linesOf(...documents: readonly Document[]): readonly string[] {
  return diagnosticsOf(documents).map((diagnostic) => `${diagnostic.level} ${diagnostic.code}: ${formatMessage(diagnostic)}`);
}

describe('diagnosticsOf', () => {
  it('reports unread kinds, blocked and weakening changes and the findings of a plan, risk first', () => {
    const changes = [
      change('playlist/a', { blocked, declared }),
      change('drm-policy/e', { blocked, effect: 'weakens' }),
      change('drm-policy/b', { effect: 'weakens' }),
      change('playlist/c', { effect: 'strengthens' }),
      change('playlist/d', { action: 'forget', effect: 'weakens' }),
    ];
    const findings = [finding({ severity: 'warning', code: 'mixed-codec', summary: 'Two codecs' }), finding()];
    const unread = [{ kind: 'playlist', refused: false, reason: 'HTTP 503' }];
    expect(linesOf({ type: 'plan', plan: plan(changes, { findings, readStatus: { playlist: 'incomplete' }, unread }) })).toEqual([
      'error incomplete: production: playlist could not be read completely: HTTP 503. Nothing is planned for it; fix the read.',
      'error blocked-deletes: production: drm-policy/e is blocked by safety check `deletes`: all 2 go. To lift it: --allow deletes.',
      'error blocked-deletes: production: playlist/a is blocked by safety check `deletes`: all 2 go. To lift it: --allow deletes.',
      'error unknown-key: upkeep knows no key `repaet` here. Did you mean `repeat`?',
      'warning mixed-codec: Two codecs. Did you mean `repeat`?',
      'note weakens: production: drm-policy/b weakens protection.',
    ]);
  });

  it('notes changes that stop playback, and reports drift that did as an error', () => {
    const changes = [change('playlist/a', { effect: 'weakens' }), change('playlist/b', { playback: 'stops', effect: 'strengthens' })];
    expect(linesOf({ type: 'plan', plan: plan(changes) })).toEqual([
      'note stops-playback: production: playlist/b stops playback.',
      'note weakens: production: playlist/a weakens protection.',
    ]);
    expect(linesOf({ type: 'drift', plan: plan(changes) })).toEqual([
      'error drift: production: playlist/a was changed by hand (), which weakens protection.',
      'error drift: production: playlist/b was changed by hand (), which stops playback.',
    ]);
  });

  it('reports drifted resources with the fields that differ', () => {
    const fields = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'].map((path) => field(path, 1, 2));
    const changes = [
      change('playlist/a', { fields }),
      change('playlist/b', { action: 'create' }),
      change('drm-policy/c', { action: 'delete', effect: 'weakens' }),
      change('playlist/d', { blocked: { ...blocked, check: 'identity' } }),
    ];
    expect(linesOf({ type: 'drift', plan: plan(changes) })).toEqual([
      'error blocked-identity: production: playlist/d is blocked by safety check `identity`: all 2 go. To lift it: --allow deletes.',
      'error drift: production: drm-policy/c is gone, which weakens protection.',
      'warning drift: production: playlist/a was changed by hand (/a, /b, /c, /d, /e, 2 more).',
      'warning drift: production: playlist/b appeared.',
    ]);
  });

  it('reports failed, blocked and skipped changes of an apply, and an apply that could not be verified', () => {
    const results = outcome([
      { address: 'playlist/a', result: 'skipped', because: 'blocked by safety check `deletes`: all 2 go', tookMs: 0 },
      { address: 'playlist/b', result: 'skipped', because: 'the run was interrupted', tookMs: 0 },
      { address: 'playlist/c', result: 'failed', error: 'HTTP 500', tookMs: 5 },
      { address: 'playlist/e', result: 'updated', tookMs: 5 },
    ]);
    const planned = plan([change('playlist/a', { blocked, declared }), change('playlist/c', { declared })]);
    const document: Document = { type: 'outcome', outcome: results, plan: planned };
    expect(linesOf(document)).toEqual([
      'error blocked-deletes: production: playlist/a is blocked by safety check `deletes`: all 2 go. To lift it: --allow deletes.',
      'error failed: production: playlist/c failed: HTTP 500.',
      'warning skipped: production: playlist/b was skipped: the run was interrupted.',
    ]);
    expect(diagnosticsOf([document]).map(({ location }) => location?.line ?? null)).toEqual([7, 7, null]);
    const unverified = outcome([{ address: 'playlist/e', result: 'updated', tookMs: 5 }], false);
    const named = { ...results, verified: false, unverified: { differs: ['playlist/x'], notRead: ['static-key'] } };
    expect(linesOf({ type: 'outcome', outcome: named })).toContain(
      'error not-verified: production: what was written of static-key could not be read back, so it is not verified. Plan again: what it shows was not written.',
    );
    expect(linesOf({ type: 'outcome', outcome: unverified })).toEqual([
      'error not-verified: production: what was written could not be read back, so it is not verified. Plan again: what it shows was not written.',
    ]);
  });

  it('reports a failure with its findings and the blocked changes of its plan', () => {
    const document: Document = { type: 'failure', failure: failure([finding()]), plan: plan([change('playlist/a', { blocked })]) };
    expect(linesOf(document).map((line) => line.split(':')[0])).toEqual([
      'error invalid-configuration',
      'error unknown-key',
      'error blocked-deletes',
    ]);
  });

  it('reports nothing for documents without problems, such as an impact report and the list of targets', () => {
    expect(linesOf({ type: 'impact', impact: impactReport([]) }, { type: 'targets', targets: [] })).toEqual([]);
  });

  it('merges equal diagnostics of several targets into one that names them all', () => {
    const of = (target: string): Document => ({ type: 'validation', validation: { ...validation([finding()]), target } });
    expect(diagnosticsOf([of('staging'), of('production'), of('staging')])).toMatchObject([{ targets: ['production', 'staging'] }]);
  });
});

it('formatMessage joins the text and the capitalized hint as sentences', () => {
  expect(formatMessage({ text: 'no good', hint: 'mend it' })).toBe('no good. Mend it.');
});

it('diagnosticLocation returns a path from the root of the work tree, or else the start of upkeep.yaml', () => {
  const [located, unlocated] = diagnosticsOf([{ type: 'drift', plan: plan([change('playlist/a', { declared }), change('playlist/~1')]) }]);
  expect(located && diagnosticLocation(located, SITE)).toEqual({ file: 'accounts/eu/config/a.yaml', line: 7, column: 3 });
  expect(unlocated && diagnosticLocation(unlocated, SITE)).toEqual({ file: 'accounts/eu/upkeep.yaml', line: 1, column: 1 });
});

it('fingerprintsOf returns unique fingerprints that do not depend on the line', () => {
  const fingerprints = (...lines: readonly number[]) =>
    fingerprintsOf(diagnosticsOf([{ type: 'validation', validation: validation(lines.map((line) => finding({ line }))) }]));
  expect(fingerprints(4)).toEqual(fingerprints(40));
  expect(new Set(fingerprints(4, 5, 6)).size).toBe(3);
  expect(fingerprints(4, 5)[0]).toBe(fingerprints(4)[0]);
});

it('annotationsOf returns escaped one-line annotations with paths from the root of the work tree, risk first', () => {
  const named = { check: 'protect', reason: 'named\n::error::x', lift: { edit: 'edit upkeep.yaml' } } as const;
  const document = {
    type: 'plan',
    plan: plan(
      [
        change('playlist/x', { action: 'delete', blocked: named, declared: { file: 'config/main.yaml', line: 4, column: 3 } }),
        change('playlist/y', { action: 'delete', blocked: named }),
      ],
      { findings: [finding({ severity: 'warning', code: 'odd', summary: 'a doubt', file: 'config/a.yaml', line: 9, column: 1 })] },
    ),
  } as const;
  expect(annotationsOf([document], SITE)).toEqual([
    {
      path: 'accounts/eu/config/main.yaml',
      line: 4,
      column: 3,
      level: 'error',
      title: 'upkeep: blocked-protect',
      message: expect.stringContaining('playlist/x is blocked by safety check `protect`: named\\n::error::x'),
    },
    {
      path: 'accounts/eu/upkeep.yaml',
      line: 1,
      column: 1,
      level: 'error',
      title: 'upkeep: blocked-protect',
      message: expect.stringContaining('playlist/y'),
    },
    {
      path: 'accounts/eu/config/a.yaml',
      line: 9,
      column: 1,
      level: 'warning',
      title: 'upkeep: odd',
      message: expect.stringContaining('a doubt'),
    },
  ]);
});
