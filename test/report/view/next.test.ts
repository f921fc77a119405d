/** Who may unblock what is blocked, and how. */
import { expect, test } from 'vitest';
import type { BlockingCheck, BlockReason, Change } from '../../../src/core/model/change.ts';
import type { NextStep } from '../../../src/core/model/decision.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { nextLines } from '../../../src/report/view/next.ts';
import type { ChangeParts } from '../../support/changes.ts';
import { change, plan, waiting } from '../documents.ts';

const WEAKENING: BlockingCheck = {
  check: 'weakening',
  reason: 'it weakens protection: r',
  lift: { allow: 'weakening' },
};
const LOSS: BlockingCheck = {
  check: 'playback-loss',
  reason: 'viewers lose playback: r',
  lift: { allow: 'playback-loss' },
};
const GUARD: BlockingCheck = {
  check: 'guard',
  reason: 'guard `g`: Ask the rights team.',
  lift: { edit: 'edit `guards` in upkeep.yaml, under review' },
};
const ROLLBACK: BlockingCheck = {
  check: 'rollback',
  reason: 'it would take back',
  lift: { edit: 'apply a commit that contains that one', allow: 'rollback' },
};
const WHO = 'anyone who may apply to production (in CI with its approval) runs:';

function blockedBy(first: BlockingCheck, ...others: readonly BlockingCheck[]): BlockReason {
  return others.length === 0 ? first : { check: first.check, reason: 'all', checks: [first, ...others] };
}

const COMMAND = ['upkeep', 'apply', '--target', 'production', '--only', 'playlist/*', '--allow', 'playback-loss', '--expect', 'sha256:1'];

/** The lines about a plan that sends a request for each change that is not blocked. */
function lines(...parts: readonly ChangeParts[]) {
  return linesAbout(changesOf(parts), ({ blocked }) => blocked === null);
}

/** The lines about a plan that can be applied all the same. */
function linesWith(step: Partial<NextStep>, ...parts: readonly ChangeParts[]) {
  const decision = { ...waiting(), status: 'blocked', next: [{ from: 'now', say: 'apply this plan', ...step }] } as const;
  return linesAbout(changesOf(parts), ({ blocked }) => blocked === null, { decision });
}

function changesOf(parts: readonly ChangeParts[]): readonly Change[] {
  return parts.map((each, index) => change(`playlist/p${index}`, each));
}

function linesAbout(changes: readonly Change[], isSent: (change: Change) => boolean, more: Partial<Plan> = {}) {
  const requests = changes.filter(isSent).map(({ address }) => ({ method: 'POST', path: '/', body: {}, addresses: [address] }) as const);
  return nextLines(plan(changes, { requests, ...more })).map(({ text, item }) => (item === 'step' ? `# ${text}` : text));
}

test('nothing is said where nothing is blocked', () => {
  expect(lines({}, { effect: 'weakens' })).toEqual([]);
});

test('one flag for everything is a command to copy', () => {
  expect(linesWith({ allow: ['playback-loss'], command: COMMAND }, { blocked: LOSS }, { blocked: LOSS })).toEqual([
    'While anything is blocked, apply writes nothing.',
    `To unblock it, ${WHO} \`upkeep apply --target production --only 'playlist/*' --allow playback-loss --expect sha256:1\``,
  ]);
});

test('what all blocked changes have in common is said once, in the step before the command', () => {
  const first: BlockingCheck = {
    ...WEAKENING,
    lift: { allow: 'weakening=drm-policy/*' },
    cause: 'these are the first policies',
  };
  const command = ['upkeep', 'apply', '--allow', 'weakening=drm-policy/*'];
  const step = { allow: ['weakening=drm-policy/*'], command };
  const all = linesWith(step, { blocked: first }, { blocked: { ...first, reason: 'it weakens protection: s' } });
  expect(all).toEqual([
    'While anything is blocked, apply writes nothing.',
    'To unblock it:',
    "# Weakened protection: these are the first policies. `--allow 'weakening=drm-policy/*'`",
    `In one command, ${WHO} \`upkeep apply --allow 'weakening=drm-policy/*'\``,
  ]);
  expect(lines({ blocked: first }, { blocked: WEAKENING }).slice(2)).toEqual([
    "# Weakened protection (playlist p0): these are the first policies. `--allow 'weakening=drm-policy/*'`",
    '# Weakened protection (playlist p1): `--allow weakening`',
  ]);
});

test('where no command is printed, the overrides to approve are', () => {
  expect(linesWith({ allow: ['playback-loss', 'deletes=7'] }, { blocked: LOSS }).at(-1)).toBe(
    'To unblock it, anyone who may apply to production (in CI with its approval) overrides: `playback-loss deletes=7`',
  );
});

test('other changes are applied with --skip-blocked, unless they write nothing', () => {
  expect(lines({ blocked: LOSS }, {})[0]).toBe(
    'While anything is blocked, apply writes nothing. `--skip-blocked` applies the rest: playlist p1.',
  );
  expect(lines({ blocked: LOSS }, { action: 'adopt' })[0]).toBe('While anything is blocked, apply writes nothing.');
});

test('changes that must come after what is blocked are named, because --skip-blocked does not apply them', () => {
  const about = (...sent: readonly string[]) =>
    linesAbout(changesOf([{ blocked: LOSS }, {}, {}, { action: 'adopt' }]), ({ address }) => sent.includes(address))[0];
  expect(about('playlist/p1')).toBe(
    'While anything is blocked, apply writes nothing. `--skip-blocked` applies the rest: playlist p1; playlist p2 must come after what is blocked.',
  );
  expect(about()).toBe(
    'While anything is blocked, apply writes nothing. `--skip-blocked` applies nothing more; p1, p2 must come after what is blocked.',
  );
});

test('several checks are steps that are all needed, with the message of the guard, and no command, because an edit comes first', () => {
  expect(lines({ blocked: blockedBy(GUARD, ROLLBACK, WEAKENING) })).toEqual([
    'While anything is blocked, apply writes nothing.',
    'To unblock it, all of these are needed:',
    '# Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.',
    '# It would take back. Apply a commit that contains that one, or `--allow rollback`.',
    '# Weakened protection: `--allow weakening`',
  ]);
});

test('several flags are one command', () => {
  const command = ['upkeep', 'apply', '--allow', 'playback-loss', '--allow', 'weakening'];
  expect(linesWith({ allow: ['playback-loss', 'weakening'], command }, { blocked: blockedBy(LOSS, WEAKENING) }).at(-1)).toBe(
    `In one command, ${WHO} \`upkeep apply --allow playback-loss --allow weakening\``,
  );
});

test('steps name their changes where others are blocked for another reason, each step once', () => {
  const unblocking = lines({ name: 'News', blocked: WEAKENING }, { blocked: blockedBy(GUARD, LOSS) }, { blocked: LOSS });
  expect(unblocking.filter((text) => text.startsWith('#'))).toEqual([
    '# Weakened protection (playlist News): `--allow weakening`',
    '# playlist p1: Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.',
    '# Loss of playback (p1, p2): `--allow playback-loss`',
  ]);
});

test('no command is given where no flag unblocks it, and what is behind counts', () => {
  expect(lines({ blocked: GUARD }).at(-1)).toBe('# Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.');
  const behind = [change('playlist/x', { blocked: ROLLBACK })];
  expect(nextLines(plan([], { behind })).map(({ text }) => text)).toContain(
    'It would take back. Apply a commit that contains that one, or `--allow rollback`.',
  );
});

test('five steps are named, and the others counted', () => {
  const changes = Array.from({ length: 7 }, (_, index) => ({ blocked: { ...GUARD, reason: `guard \`g${index}\`` } }));
  const all = lines(...changes);
  expect(all.filter((text) => text.startsWith('#'))).toHaveLength(5);
  expect(all.at(-1)).toBe('And 2 more, each at its change.');
});

test('what is blocked for another reason than its effects has the edit before the flag, also where one flag is enough', () => {
  const unknown: BlockingCheck = {
    check: 'unknown-fields',
    reason: 'the update may reset /x = 1, which upkeep does not know',
    lift: { edit: 'if they may be reset, write `service: { resettable_members: ["/x"] }`', allow: 'unknown-fields' },
  };
  const command = ['upkeep', 'apply', '--allow', 'unknown-fields', '--expect', 'sha256:1'];
  expect(linesWith({ allow: ['--allow unknown-fields'], command }, { playback: 'reduces', blocked: blockedBy(unknown) }).slice(1)).toEqual([
    'To unblock it:',
    '# The update may reset /x = 1, which upkeep does not know. If they may be reset, write `service: { resettable_members: ["/x"] }`, or `--allow unknown-fields`.',
    `In one command, ${WHO} \`${command.join(' ')}\``,
  ]);
});

test('what to do about a read that failed is said once, beside what could be read', () => {
  const again = 'run it again when the service answers';
  const course = { course: again };
  const hold = { rule: 'incomplete-read', status: 'unknown', on: null, reason: 'playlist could not be read', lift: course } as const;
  const decision = { ...waiting(), status: 'unknown', holds: [hold], next: [{ from: 'now', say: again }] } as const;
  expect(linesAbout(changesOf([{}]), () => true, { decision })).toEqual([]);
  const wait = { ...decision, next: [...decision.next, { from: 'now', say: 'commit the changes' }] } as const;
  expect(linesAbout(changesOf([{}]), () => true, { decision: wait })).toEqual(['Commit the changes.']);
});

test('what `--skip-blocked` applies is said with the wait of the run', () => {
  const decision = { ...waiting({ rule: 'window', reason: 'its window is closed' }), status: 'blocked' } as const;
  const [first] = linesAbout(changesOf([{ blocked: LOSS }, {}]), ({ blocked }) => blocked === null, { decision });
  expect(first).toBe(
    'While anything is blocked, apply writes nothing. `--skip-blocked` applies the rest, once it does not wait any more: playlist p1.',
  );
});
