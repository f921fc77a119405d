/** Who may release what is blocked, and how. */
import { expect, test } from 'vitest';
import type { BlockingCheck, BlockReason } from '../../../src/model/change.ts';
import { releaseLines } from '../../../src/report/view/release.ts';
import type { ChangeParts } from '../../support/changes.ts';
import { change, plan } from '../documents.ts';

const LOOSENING: BlockingCheck = {
  check: 'loosening',
  reason: 'it weakens protection: r',
  override: '--allow loosening',
  allow: 'loosening',
};
const LOSS: BlockingCheck = {
  check: 'playback-loss',
  reason: 'viewers lose playback: r',
  override: '--allow playback-loss',
  allow: 'playback-loss',
};
const GUARD: BlockingCheck = {
  check: 'guard',
  reason: 'guard `g`: Ask the rights team.',
  override: 'edit `guards` in upkeep.yaml, under review',
};
const ROLLBACK: BlockingCheck = {
  check: 'rollback',
  reason: 'it would take back',
  override: 'apply a commit that contains that one, or --allow rollback',
  allow: 'rollback',
};
const WHO = 'Who may do so: whoever may apply to production; where CI asks for an approval, with that approval.';

function blockedBy(first: BlockingCheck, ...others: readonly BlockingCheck[]): BlockReason {
  return others.length === 0 ? first : { check: first.check, reason: 'all', override: 'all', checks: [first, ...others] };
}

function lines(...parts: readonly ChangeParts[]) {
  const changes = parts.map((each, index) => change(`playlist/p${index}`, each));
  return releaseLines(plan(changes)).map(({ text, item }) => (item === 'step' ? `# ${text}` : text));
}

test('nothing is said where nothing is blocked', () => {
  expect(lines({}, { effect: 'loosens' })).toEqual([]);
});

test('one flag for everything is a command to copy', () => {
  expect(lines({ blocked: LOSS }, { blocked: LOSS })).toEqual([
    'While anything is blocked, apply writes nothing.',
    `To release it: \`upkeep apply --target production --allow playback-loss\`. ${WHO}`,
  ]);
});

test('other changes are applied with --skip-blocked, unless they write nothing', () => {
  expect(lines({ blocked: LOSS }, {})[0]).toBe(
    'While anything is blocked, apply writes nothing. `--skip-blocked` applies the other changes.',
  );
  expect(lines({ blocked: LOSS }, { action: 'adopt' })[0]).toBe('While anything is blocked, apply writes nothing.');
});

test('several checks are steps that are all needed, with the message of the guard, and then one command with all flags', () => {
  expect(lines({ blocked: blockedBy(GUARD, ROLLBACK, LOOSENING) })).toEqual([
    'While anything is blocked, apply writes nothing.',
    'To release it, all of these are needed:',
    '# Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.',
    '# It would take back. Apply a commit that contains that one, or `--allow rollback`.',
    '# Weakened protection: `--allow loosening`',
    `Then: \`upkeep apply --target production --allow rollback --allow loosening\`. ${WHO}`,
  ]);
});

test('several flags are one command', () => {
  expect(lines({ blocked: blockedBy(LOSS, LOOSENING) }).at(-1)).toBe(
    `As one command: \`upkeep apply --target production --allow playback-loss --allow loosening\`. ${WHO}`,
  );
});

test('steps name their changes where others are blocked for another reason, each step once', () => {
  const released = lines({ name: 'News', blocked: LOOSENING }, { blocked: blockedBy(GUARD, LOSS) }, { blocked: LOSS });
  expect(released.filter((text) => text.startsWith('#'))).toEqual([
    '# Weakened protection (playlist News): `--allow loosening`',
    '# playlist p1: Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.',
    '# Loss of playback (p1, p2): `--allow playback-loss`',
  ]);
});

test('no command is given where no flag releases it, and what is behind counts', () => {
  expect(lines({ blocked: GUARD }).at(-1)).toBe('# Guard `g`: Ask the rights team. Edit `guards` in upkeep.yaml, under review.');
  const behind = [change('playlist/x', { blocked: ROLLBACK })];
  expect(releaseLines(plan([], { behind })).map(({ text }) => text)).toContain(
    'It would take back. Apply a commit that contains that one, or `--allow rollback`.',
  );
});

test('five steps are named, and the others counted', () => {
  const changes = Array.from({ length: 7 }, (_, index) => ({ blocked: { ...GUARD, reason: `guard \`g${index}\`` } }));
  const all = lines(...changes);
  expect(all.filter((text) => text.startsWith('#'))).toHaveLength(5);
  expect(all.at(-1)).toBe('And 2 more, each at its change.');
});
