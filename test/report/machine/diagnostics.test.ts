import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/report/index.ts';
import { diagnosticLocation, diagnosticsOf, fingerprintsOf, formatMessage } from '../../../src/report/machine/diagnostics.ts';
import { change, failure, field, finding, impactReport, outcome, plan, SITE, validation } from '../documents.ts';

const held = { check: 'deletes', reason: 'all 2 go', override: '`--allow deletes`' } as const;
const declared = { file: 'config/a.yaml', line: 7, column: 3 };

function told(...documents: readonly Document[]): readonly string[] {
  return diagnosticsOf(documents).map((diagnostic) => `${diagnostic.level} ${diagnostic.code}: ${formatMessage(diagnostic)}`);
}

describe('notices', () => {
  it('of a plan: what could not be read, what is held, what loosens, findings; risk first', () => {
    const changes = [
      change('playlist/a', { blocked: held, declared }),
      change('drm-policy/e', { blocked: held, effect: 'loosens' }),
      change('drm-policy/b', { effect: 'loosens' }),
      change('playlist/c', { effect: 'tightens' }),
      change('playlist/d', { action: 'forget', effect: 'loosens' }),
    ];
    const findings = [finding({ severity: 'warning', code: 'mixed-codec', summary: 'Two codecs' }), finding()];
    expect(told({ type: 'plan', plan: plan(changes, { findings, observed: { playlist: 'incomplete' } }) })).toEqual([
      'error incomplete: production: playlist could not be read completely. Nothing is planned for it; fix the read.',
      'error blocked-deletes: production: drm-policy/e is blocked by safety check `deletes`: all 2 go. Override: `--allow deletes`.',
      'error blocked-deletes: production: playlist/a is blocked by safety check `deletes`: all 2 go. Override: `--allow deletes`.',
      'error unknown-key: upkeep knows no key `repaet` here. Did you mean `repeat`?',
      'warning mixed-codec: Two codecs. Did you mean `repeat`?',
      'note loosens: production: drm-policy/b loosens protection.',
    ]);
  });

  it('of drift: what moved, and how', () => {
    const fields = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'].map((path) => field(path, 1, 2));
    const changes = [
      change('playlist/a', { fields }),
      change('playlist/b', { action: 'create' }),
      change('drm-policy/c', { action: 'delete', effect: 'loosens' }),
      change('playlist/d', { blocked: { ...held, check: 'identity' } }),
    ];
    expect(told({ type: 'drift', plan: plan(changes) })).toEqual([
      'error blocked-identity: production: playlist/d is blocked by safety check `identity`: all 2 go. Override: `--allow deletes`.',
      'error drift: production: drm-policy/c is gone, which loosens protection.',
      'warning drift: production: playlist/a was changed by hand (/a, /b, /c, /d, /e, 2 more).',
      'warning drift: production: playlist/b appeared.',
    ]);
  });

  it('of an outcome: what failed, what was held or skipped, and what nobody could read back', () => {
    const results = outcome([
      { address: 'playlist/a', result: 'skipped', because: 'blocked by safety check `deletes`: all 2 go', tookMs: 0 },
      { address: 'playlist/b', result: 'skipped', because: 'the run was interrupted', tookMs: 0 },
      { address: 'playlist/c', result: 'failed', error: 'HTTP 500', tookMs: 5 },
      { address: 'playlist/e', result: 'updated', tookMs: 5 },
    ]);
    const its = plan([change('playlist/a', { blocked: held, declared }), change('playlist/c', { declared })]);
    const document: Document = { type: 'outcome', outcome: results, plan: its };
    expect(told(document)).toEqual([
      'error blocked-deletes: production: playlist/a is blocked by safety check `deletes`: all 2 go. Override: `--allow deletes`.',
      'error failed: production: playlist/c failed: HTTP 500.',
      'warning skipped: production: playlist/b was skipped: the run was interrupted.',
    ]);
    expect(diagnosticsOf([document]).map(({ location: place }) => place?.line ?? null)).toEqual([7, 7, null]);
    const unread = outcome([{ address: 'playlist/e', result: 'updated', tookMs: 5 }], false);
    expect(told({ type: 'outcome', outcome: unread })).toEqual([
      'error not-verified: production: what was written could not be read back, so it is not verified. Run `upkeep plan` again.',
    ]);
  });

  it('of what stopped: why, its findings, and what is held of the plan that it came to', () => {
    const document: Document = { type: 'failure', failure: failure([finding()]), plan: plan([change('playlist/a', { blocked: held })]) };
    expect(formatMessage({ text: 'no good', hint: 'mend it' })).toBe('no good. Mend it.');
    expect(told(document).map((line) => line.split(':')[0])).toEqual([
      'error invalid-configuration',
      'error unknown-key',
      'error blocked-deletes',
    ]);
    expect(told({ type: 'impact', impact: impactReport([]) }, { type: 'targets', targets: [] })).toEqual([]);
  });

  it('what two targets have in common stands once, and names both', () => {
    const of = (target: string): Document => ({ type: 'validation', validation: { ...validation([finding()]), target } });
    expect(diagnosticsOf([of('staging'), of('production'), of('staging')])).toMatchObject([{ targets: ['production', 'staging'] }]);
  });

  it('stand at their place from the top of the work tree, or at the beginning of upkeep.yaml', () => {
    const [at, nowhere] = diagnosticsOf([{ type: 'drift', plan: plan([change('playlist/a', { declared }), change('playlist/~1')]) }]);
    expect(at && diagnosticLocation(at, SITE)).toEqual({ file: 'accounts/eu/config/a.yaml', line: 7, column: 3 });
    expect(nowhere && diagnosticLocation(nowhere, SITE)).toEqual({ file: 'accounts/eu/upkeep.yaml', line: 1, column: 1 });
  });

  it('are recognised where their line has moved, and no two are alike', () => {
    const prints = (...lines: readonly number[]) =>
      fingerprintsOf(diagnosticsOf([{ type: 'validation', validation: validation(lines.map((line) => finding({ line }))) }]));
    expect(prints(4)).toEqual(prints(40));
    expect(new Set(prints(4, 5, 6)).size).toBe(3);
    expect(prints(4, 5)[0]).toBe(prints(4)[0]);
  });
});
