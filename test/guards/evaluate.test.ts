import { describe, expect, test } from 'vitest';
import type { GuardDefinition } from '../../src/config/project.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { aRule, aSong, desiredStateOf, planFor } from '../support/planning.ts';

const sourcePosition = () => ({ file: 'upkeep.yaml', line: 3, column: 5 });

function guard(verdict: GuardDefinition['verdict'], condition: string, id = 'mine'): GuardDefinition {
  return { id, verdict, conditions: [condition], message: 'ask the rights team', position: sourcePosition };
}

/** A rule that gets weaker and a song that is new, under these guards. */
async function planWithGuards(...guards: readonly GuardDefinition[]) {
  const account = new FakeAccount({ rules: { r1: { name: 'gate', strength: 3 } } });
  const { plan } = await planFor(account, desiredStateOf([aRule('gate', 1), aSong('tune')]), { guards });
  return { plan, blocked: Object.fromEntries(plan.changes.map((change) => [change.address, change.blocked])) };
}

describe('a guard', () => {
  test('blocks the changes that it denies, with its id and message, and nothing else', async () => {
    const { blocked, plan } = await planWithGuards(guard('deny', 'change.kind == "rule"'));
    expect(blocked).toEqual({
      'rule/gate': {
        check: 'guard',
        reason: 'guard `mine`: ask the rights team',
        override: 'change what it objects to, or edit `guards` in upkeep.yaml, under review',
      },
      'song/tune': null,
    });
    expect(plan.findings).toEqual([]);
  });

  test('that only warns adds a finding at its location for each change, and blocks nothing', async () => {
    const { blocked, plan } = await planWithGuards(guard('warn', 'change.kind == "song"'));
    expect(blocked).toEqual({ 'rule/gate': null, 'song/tune': null });
    expect(plan.findings).toEqual([
      { ...sourcePosition(), severity: 'warning', code: 'guard', summary: 'guard `mine`: ask the rights team', address: 'song/tune' },
    ]);
  });

  test('that fails blocks, even if it would only warn, and is reported once', async () => {
    for (const verdict of ['deny', 'warn'] as const) {
      const { blocked, plan } = await planWithGuards(guard(verdict, 'change.fields[9].path == "/x"'));
      const reason = expect.stringMatching(/^guard `mine`: it could not be evaluated: .*index 9/);
      expect(blocked).toMatchObject({ 'rule/gate': { check: 'guard', reason }, 'song/tune': { check: 'guard', reason } });
      expect(plan.findings).toMatchObject([
        { ...sourcePosition(), code: 'guard-failed', summary: expect.stringContaining('so it blocks') },
      ]);
    }
  });

  test('is named together with another one that denies the same change', async () => {
    const { blocked } = await planWithGuards(guard('deny', 'true', 'one'), guard('deny', 'change.kind == "rule"', 'two'));
    expect(blocked['rule/gate']?.reason).toBe('guard `one`: ask the rights team; guard `two`: ask the rights team');
    expect(blocked['song/tune']?.reason).toBe('guard `one`: ask the rights team');
  });

  test('gets the whole plan before safety checks, and does not change the fingerprint', async () => {
    const { blocked, plan } = await planWithGuards(guard('deny', 'plan.create + plan.update == 2 && plan.changes.size() == 2'));
    expect(Object.values(blocked).every((each) => each?.check === 'guard')).toBe(true);
    expect(plan.fingerprint).toBe((await planWithGuards()).plan.fingerprint);
    expect(plan.requests).toEqual([]);
  });
});
