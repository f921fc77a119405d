/** How a run goes on: what has to be done first, and the command that makes its changes (design section 16). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide/decide.ts';
import { type CommandFacts, type Facts, NO_STAGES } from '../../../src/core/decide/facts.ts';
import type { BlockReason, Change } from '../../../src/core/model/change.ts';
import { shellText } from '../../../src/core/model/command-line.ts';
import { NO_OVERRIDES, type Overrides, withOverride } from '../../../src/core/safety/overrides.ts';
import type { WindowRule } from '../../../src/core/windows/windows.ts';
import { changeOf } from '../../support/changes.ts';
import { assertProperty } from '../../support/property.ts';
import { FREE_FACTS, planOf } from './free-facts.ts';

const NOW = Date.parse('2026-11-27T20:00:00Z');
const MONDAY = '2026-11-30T08:00:00.000Z';
const CHANGE = changeOf({ address: 'playlist/a' });

const WEAKENING: BlockReason = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } };
const UNKNOWN: BlockReason = { check: 'unknown-fields', reason: 'it may reset', lift: { edit: 'write it down', allow: 'unknown-fields' } };
const PROTECTED: BlockReason = { check: 'protect', reason: 'it is protected', lift: { edit: 'edit `protect`' } };

const COMMANDS: CommandFacts = { scope: { only: ['drm-policy/*'] }, lifted: null };

/** A plan that nothing holds back. */
const FREE: Facts = { ...FREE_FACTS, moment: 'plan', now: NOW, plan: planOf([CHANGE]), commands: COMMANDS };

function withAllowed(before: Overrides, allow: readonly string[]): Overrides {
  return allow.reduce<Overrides>((overrides, each) => withOverride(overrides, each) ?? overrides, before);
}

/** A plan of which a change that weakens is blocked, and what it is with these overrides; null where they do not lead there. */
function blocked(
  reason: BlockReason,
  allow: readonly string[] | null,
  effect: Change['effect'] = 'weakens',
): Pick<Facts, 'plan' | 'commands'> {
  const change = changeOf({ address: 'drm-policy/b', effect, blocked: reason });
  const plan = planOf([CHANGE, { ...change, blocked: null }], { fingerprint: 'sha256:lifted' });
  const lifted = allow === null ? null : { allow, overrides: withAllowed(NO_OVERRIDES, allow), plan };
  return { plan: planOf([CHANGE, change]), commands: { ...COMMANDS, lifted } };
}

/** Windows that are closed until Monday. */
function closed(unless: WindowRule['unless'] = []): Facts['windows'] {
  const times = { from: null, until: Date.parse(MONDAY) };
  return { known: [{ timeZone: null, rules: [{ type: 'deny', why: 'weekend', unless, times, isExpired: false, path: [] }] }] };
}

const DIRTY: Facts['commit'] = { known: { id: 'c0ffee', dirty: ['a.yaml'] } };
const NOT_MERGED: Facts['branch'] = { known: { name: 'origin/main', commit: 'c0ffee', hasCommit: false } };
const UNCARRIED: Facts['stages'] = {
  known: { ...NO_STAGES, commit: 'c0ffee', before: [{ target: 'staging', facts: { unusable: 'the commit has no such target' } }] },
};

/** Returns each step as `FROM: what to run, or to do`. */
function steps(more: Partial<Facts>): readonly string[] {
  return decide({ ...FREE, ...more }).next.map(({ from, command, say }) => `${from}: ${command === undefined ? say : shellText(command)}`);
}

const APPLY = "upkeep apply --target live --only 'drm-policy/*'";

describe('a plan', () => {
  test.each<[string, Partial<Facts>, readonly string[]]>([
    ['that is ready is applied now', {}, [`now: ${APPLY} --expect sha256:plan`]],
    ['with nothing to do needs no step', { plan: planOf([]) }, []],
    [
      'in a closed window is applied when it opens, or now with another flag',
      { windows: closed() },
      [`${MONDAY}: ${APPLY} --expect sha256:plan`, 'now: add --allow window'],
    ],
    [
      'that is blocked is applied with what overrides that',
      blocked(WEAKENING, ['weakening']),
      [`now: ${APPLY} --allow weakening --expect sha256:lifted`],
    ],
    [
      'that is blocked in a closed window is applied so when it opens, and the window is overridden apart',
      { ...blocked(WEAKENING, ['weakening']), windows: closed() },
      [`${MONDAY}: ${APPLY} --allow weakening --expect sha256:lifted`, 'now: add --allow window'],
    ],
    [
      'of which all that is free strengthens is held by the window once it is unblocked',
      { ...blocked(WEAKENING, ['weakening']), windows: closed(['strengthens']) },
      [`${MONDAY}: ${APPLY} --allow weakening --expect sha256:lifted`, 'now: add --allow window'],
    ],
    [
      'that an edit unblocks as well is edited first',
      blocked(UNKNOWN, ['unknown-fields']),
      ['now: write it down', `now: ${APPLY} --allow unknown-fields --expect sha256:lifted`],
    ],
    ['that only an edit unblocks has no command', blocked(PROTECTED, null), ['now: edit `protect`']],
    [
      'with edits is committed, or allowed',
      { commit: DIRTY },
      ['now: commit the changes', `null: ${APPLY} --expect sha256:plan`, 'now: add --allow dirty'],
    ],
    ['that is not merged has no command, and no override', { branch: NOT_MERGED }, ['now: merge it first']],
    [
      'that an earlier target has not carried goes on when that has changed, or with an override',
      { stages: UNCARRIED },
      ['now: run it again when that has changed', `null: ${APPLY} --expect sha256:plan`, 'now: add --allow promotion'],
    ],
    [
      'that is blocked, too, says its command for once that has changed',
      { ...blocked(WEAKENING, ['weakening']), stages: UNCARRIED },
      ['now: run it again when that has changed', `null: ${APPLY} --allow weakening --expect sha256:lifted`, 'now: add --allow promotion'],
    ],
    [
      'of which something could not be read has no command',
      { plan: { ...planOf([CHANGE]), unread: [{ kind: 'playlist', refused: false, reason: 'HTTP 500' }] } },
      ['now: run it again when the service answers'],
    ],
    [
      'that is not the approved one is planned again, with the same overrides',
      { moment: 'planned', differs: { known: ['another owner'] }, overrides: withAllowed(NO_OVERRIDES, ['updates']) },
      ['now: have a new plan reviewed', "now: upkeep plan --target live --only 'drm-policy/*' --allow updates"],
    ],
    ['that an apply makes goes on by itself', { moment: 'planned' }, []],
    [
      'of a run that prints no command says which overrides it takes',
      {
        ...blocked(WEAKENING, ['weakening']),
        commands: { ...COMMANDS, scope: null, lifted: blocked(WEAKENING, ['weakening']).commands?.lifted ?? null },
      },
      ['now: apply this plan with --allow weakening'],
    ],
    ['that nobody goes on with has no step', { commands: null }, []],
  ])('%s', (_what, facts, expected) => {
    expect(steps(facts)).toEqual(expected);
  });
});

const held = fc.record({
  reason: fc.constantFrom(null, WEAKENING, UNKNOWN, PROTECTED),
  effect: fc.constantFrom('weakens' as const, 'strengthens' as const),
  windows: fc.constantFrom({ known: [] }, closed(), closed(['strengthens'])),
  commit: fc.constantFrom({ known: null }, DIRTY),
  branch: fc.constantFrom({ known: null }, NOT_MERGED),
  stages: fc.constantFrom<Facts['stages']>({ known: NO_STAGES }, UNCARRIED, { unknown: 'no ledger' }),
  given: fc.subarray(['promotion', 'window', 'dirty', 'weakening']),
});

test('with the flags of each printed command, at its time, the run is ready, and its plan is the printed one; no condition is overridden by itself', () => {
  let printed = 0;
  assertProperty(
    fc.property(held, ({ reason, effect, given, ...facts }) => {
      const overrides = withAllowed(NO_OVERRIDES, given);
      const allow = reason?.lift.allow;
      const plan: Partial<Facts> = reason === null ? {} : blocked(reason, allow === undefined ? null : [allow], effect);
      const lifted = plan.commands?.lifted;
      const run: Facts = { ...FREE, ...plan, ...facts, overrides };
      const asked: Facts = lifted
        ? { ...run, commands: { ...COMMANDS, lifted: { ...lifted, overrides: withAllowed(overrides, lifted.allow) } } }
        : run;
      const { next } = decide(asked);
      const adds = next.flatMap((step) => step.adds ?? []);
      for (const { from, command } of next) {
        if (command === undefined) continue;
        printed += 1;
        const valuesOf = (flag: string) => command.filter((_word, index) => command[index - 1] === flag);
        const told = valuesOf('--allow');
        expect(told.filter((each) => ['promotion', 'window', 'dirty'].includes(each) && !given.includes(each))).toEqual([]);
        const isLifted = lifted?.allow.every((each) => told.includes(each)) === true;
        const then: Facts = {
          ...asked,
          plan: isLifted && lifted ? lifted.plan : asked.plan,
          overrides: withAllowed(NO_OVERRIDES, told),
          now: from === 'now' || from === null ? NOW : Date.parse(from),
          commands: null,
        };
        // Where nobody knows when it begins, that is once nothing waits any more.
        const once = from === null ? { commit: FREE.commit, branch: FREE.branch, stages: FREE.stages, windows: FREE.windows } : {};
        expect(decide({ ...then, ...once }).status).toBe('ready');
        expect(valuesOf('--expect')).toEqual([isLifted && lifted ? lifted.plan.fingerprint : 'sha256:plan']);
        if (adds.length === 0) continue;
        const now = { ...then, now: NOW, overrides: withAllowed(then.overrides, adds) };
        expect(decide(now).status).toBe('ready');
      }
    }),
    { numRuns: 500 },
  );
  expect(printed).toBeGreaterThan(50);
});
