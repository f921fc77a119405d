import { describe, expect, test } from 'vitest';
import { confirmationQuestion } from '../../src/cli/apply-confirmation.ts';
import type { Change, SafetyCheck } from '../../src/model/change.ts';
import { change, plan } from '../report/documents.ts';

const NOTHING = new Map<SafetyCheck, number>();
const HELD = { check: 'loosening', reason: 'why', override: 'how' } as const;

/** The question about these changes of the target `live`. */
function asked(changes: readonly Change[], released: ReadonlyMap<SafetyCheck, number> = NOTHING, isDirty = false) {
  return confirmationQuestion({ plan: plan(changes, { target: 'live' }), baseUrl: 'https://services.example.com', released, isDirty });
}

describe('the question before anything is written', () => {
  test('names target, place, and counts by action', () => {
    const changes = [
      change('playlist/a', { action: 'create' }),
      change('playlist/a', { action: 'update' }),
      change('playlist/a', { action: 'update' }),
      change('playlist/a', { action: 'adopt' }),
    ];
    expect(asked(changes)).toEqual({
      question: 'Apply 3 changes to live?',
      facts: [
        ['service', 'https://services.example.com'],
        ['changes', '1 to create, 2 to update, 0 to delete'],
      ],
      yes: 'yes',
    });
  });

  test('leaves out blocked changes, and is not asked if nothing would be written', () => {
    expect(
      asked([change('playlist/a', { action: 'update' }), change('playlist/a', { action: 'delete', effect: 'loosens', blocked: HELD })]),
    ).toMatchObject({
      question: 'Apply 1 change to live?',
      yes: 'yes',
    });
    expect(asked([change('playlist/a', { action: 'forget' }), change('playlist/a', { action: 'update', blocked: HELD })])).toBeNull();
  });

  test('what loosens is named first, and wants the name of the target; what tightens does not', () => {
    const loosening = Array.from({ length: 6 }, (_, n) => change(`drm-policy/p${n}`, { action: 'update', effect: 'loosens' }));
    const tightening = change('static-key', { action: 'update', effect: 'tightens' });
    expect(asked([tightening, ...loosening])).toMatchObject({
      facts: [
        ['service', expect.anything()],
        ['changes', '0 to create, 7 to update, 0 to delete'],
        ['loosens', '6 changes: drm-policy/p0, drm-policy/p1, drm-policy/p2, drm-policy/p3, and 2 more'],
        ['tightens', '1 change: static-key'],
      ],
      yes: 'live',
    });
    expect(asked([tightening])).toMatchObject({ yes: 'yes' });
  });

  test('needs the target name if a safety check is overridden, and names each of them', () => {
    const released = new Map<SafetyCheck, number>([
      ['deletes', 7],
      ['updates', 1],
    ]);
    expect(asked([change('playlist/a', { action: 'delete' })], released)).toMatchObject({
      facts: expect.arrayContaining([['override', 'safety checks by --allow: deletes (7 changes), updates (1 change)']]),
      yes: 'live',
    });
    expect(asked([change('playlist/a', { action: 'delete' })], NOTHING, true)).toMatchObject({
      facts: expect.arrayContaining([['override', 'safety checks by --allow: dirty (edits that are not committed)']]),
      yes: 'live',
    });
  });
});
