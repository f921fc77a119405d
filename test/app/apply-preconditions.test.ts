import { describe, expect, test } from 'vitest';
import { approvedOverrides, confirmationQuestion } from '../../src/app/apply-preconditions.ts';
import { type Change, writesOnService } from '../../src/core/model/change.ts';
import type { CheckOverride } from '../../src/core/model/decision.ts';
import { NO_OVERRIDES, withOverridden } from '../../src/core/safety/overrides.ts';
import { change, plan } from '../report/documents.ts';

const HELD = { check: 'weakening', reason: 'why', lift: { edit: 'how' } } as const;

/** The question about these changes of the target `live`, of which each that is not blocked is written. */
function questionFor(changes: readonly Change[], overrides: readonly CheckOverride[] = [], isDirty = false) {
  const written = changes.filter((each) => each.blocked === null && writesOnService(each));
  const requests = written.map(({ address }) => ({ method: 'POST', path: '/', body: {}, addresses: [address] }) as const);
  const shown = plan(changes, { target: 'live', requests, ...(overrides.length === 0 ? {} : { overrides }) });
  return confirmationQuestion({ plan: shown, baseUrl: 'https://services.example.com', isDirty });
}

describe('the question before an apply', () => {
  test('the question names the target, the service and the number of changes by action', () => {
    const changes = [
      change('playlist/a', { action: 'create' }),
      change('playlist/a', { action: 'update' }),
      change('playlist/a', { action: 'update' }),
      change('playlist/a', { action: 'adopt' }),
    ];
    expect(questionFor(changes)).toEqual({
      question: 'Apply 3 changes to live?',
      facts: [
        ['service', 'https://services.example.com'],
        ['changes', '1 to create, 2 to update, 0 to delete'],
      ],
      yes: 'yes',
    });
  });

  test('blocked changes are not counted, and there is no question if nothing would be written', () => {
    expect(
      questionFor([
        change('playlist/a', { action: 'update' }),
        change('playlist/a', { action: 'delete', effect: 'weakens', blocked: HELD }),
      ]),
    ).toMatchObject({
      question: 'Apply 1 change to live?',
      yes: 'yes',
    });
    expect(questionFor([change('playlist/a', { action: 'forget' }), change('playlist/a', { action: 'update', blocked: HELD })])).toBeNull();
  });

  test('a change without a request, because it must come after a blocked one, is not counted', () => {
    const blocked = change('playlist/a', { action: 'update', effect: 'strengthens', blocked: HELD });
    const shown = plan([blocked, change('static-key', { action: 'update', effect: 'weakens' })]);
    expect(confirmationQuestion({ plan: shown, baseUrl: 'https://services.example.com', isDirty: false })).toBeNull();
  });

  test('a change that weakens protection is named first and requires the name of the target; one that strengthens does not', () => {
    const weakening = Array.from({ length: 6 }, (_, n) => change(`drm-policy/p${n}`, { action: 'update', effect: 'weakens' }));
    const strengthening = change('static-key', { action: 'update', effect: 'strengthens' });
    expect(questionFor([strengthening, ...weakening])).toMatchObject({
      facts: [
        ['service', expect.anything()],
        ['changes', '0 to create, 7 to update, 0 to delete'],
        ['weakens', '6 changes: drm-policy/p0, drm-policy/p1, drm-policy/p2, drm-policy/p3, and 2 more'],
        ['strengthens', '1 change: static-key'],
      ],
      yes: 'live',
    });
    expect(questionFor([strengthening])).toMatchObject({ yes: 'yes' });
  });

  test('a change that stops playback is named before all others and requires the name of the target', () => {
    const stopping = change('playlist/a', { action: 'update', playback: 'stops', effect: 'strengthens' });
    expect(questionFor([change('playlist/b', { action: 'update', effect: 'weakens' }), stopping])).toMatchObject({
      facts: [
        ['service', expect.anything()],
        ['changes', '0 to create, 2 to update, 0 to delete'],
        ['stops playback', '1 change: playlist/a'],
        ['weakens', '1 change: playlist/b'],
        ['strengthens', '1 change: playlist/a'],
      ],
    });
    expect(questionFor([stopping])).toMatchObject({ yes: 'live' });
    expect(questionFor([{ ...stopping, playback: 'reduces' }])).toMatchObject({ yes: 'yes' });
  });

  test('an overridden safety check is named and requires the name of the target', () => {
    const overridden = [
      { check: 'deletes', count: 7 },
      { check: 'updates', count: 1 },
    ] as const;
    expect(questionFor([change('playlist/a', { action: 'delete' })], overridden)).toMatchObject({
      facts: expect.arrayContaining([['override', 'safety checks by --allow: deletes (7 changes), updates (1 change)']]),
      yes: 'live',
    });
    expect(questionFor([change('playlist/a', { action: 'delete' })], [], true)).toMatchObject({
      facts: expect.arrayContaining([['override', 'safety checks by --allow: dirty (edits that are not committed)']]),
      yes: 'live',
    });
  });
});

describe('the overrides of an apply', () => {
  const saved = plan([], { overrides: [{ check: 'weakening', count: 2 }] });

  test('those of a saved plan count only with the fingerprint that was approved', () => {
    expect(approvedOverrides({ saved, expect: saved.fingerprint }, NO_OVERRIDES)).toEqual({ deletes: 0, checks: new Set(['weakening']) });
    expect(() => approvedOverrides({ saved, expect: 'sha256:other' }, NO_OVERRIDES)).toThrow(
      `the file holds the plan ${saved.fingerprint}, not sha256:other`,
    );
  });

  test('a saved plan alone overrides nothing, and each check that --allow lacks is named', () => {
    expect(() => approvedOverrides({ saved, expect: undefined }, { deletes: 3, checks: new Set(['updates']) })).toThrow(
      'the plan overrides safety checks, which its file alone cannot do: weakening (2 changes)',
    );
    const allow = withOverridden(NO_OVERRIDES, saved.overrides ?? []);
    expect(approvedOverrides({ saved, expect: undefined }, allow)).toBe(allow);
  });

  test('without a saved plan they are those of --allow', () => {
    expect(approvedOverrides({ saved: null, expect: 'sha256:any' }, NO_OVERRIDES)).toBe(NO_OVERRIDES);
  });
});
