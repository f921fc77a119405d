import { describe, expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { stageProblems, targetsBefore } from '../../../src/core/config/stages.ts';

const stage = (name: string, after: readonly string[] = []) => ({ name, after, hasLedger: true, hasBranch: true, hasSoak: false });
const codes = (...targets: Parameters<typeof stageProblems>[0]) =>
  stageProblems(targets).map(({ code, path }) => [code, ...path].join(' '));

describe('the targets before a target', () => {
  test('are those that its globs name, without itself, in the order of upkeep.yaml', () => {
    const targets = [stage('b'), stage('a-2'), stage('a-1'), stage('c', ['a-*', 'c', 'b'])];
    expect(targetsBefore(targets, stage('c', ['*'])).map(({ name }) => name)).toEqual(['b', 'a-2', 'a-1']);
    expect(targetsBefore(targets, stage('c', ['a-*'])).map(({ name }) => name)).toEqual(['a-2', 'a-1']);
    expect(targetsBefore(targets, stage('c'))).toEqual([]);
  });
});

describe('a finding', () => {
  test('is about a name of no other target, with the nearest one', () => {
    expect(stageProblems([stage('staging'), stage('production', ['stagign'])])).toMatchObject([
      { code: 'unknown-target', path: ['targets', 'production', 'after', 0], hint: 'Did you mean `staging`?' },
    ]);
    expect(codes(stage('a', ['a']))).toEqual(['unknown-target targets a after 0']);
  });

  test('is about a target without a ledger on either side, about one without a branch, and about `soak` without `after`', () => {
    expect(codes({ ...stage('a'), hasLedger: false }, stage('b', ['a']))).toEqual(['stage-without-ledger targets b after']);
    expect(codes(stage('a'), { ...stage('b', ['a']), hasLedger: false })).toEqual(['stage-without-ledger targets b after']);
    expect(codes(stage('a'), { ...stage('b', ['a']), hasBranch: false })).toEqual(['missing-key targets b after']);
    expect(codes({ ...stage('a'), hasSoak: true })).toEqual(['missing-key targets a soak']);
  });

  test('is about each target of a ring, and about none before or behind it', () => {
    const targets = [stage('first'), stage('a', ['first', 'c']), stage('b', ['a']), stage('c', ['b']), stage('last', ['c'])];
    expect(codes(...targets)).toEqual(['stage-cycle targets a after', 'stage-cycle targets b after', 'stage-cycle targets c after']);
    expect(codes(stage('x', ['*']), stage('y', ['*']))).toEqual(['stage-cycle targets x after', 'stage-cycle targets y after']);
  });

  test('is about no target of a long chain, and about each one where its ends meet', () => {
    const chain = Array.from({ length: 300 }, (_, index) => stage(`t${index}`, index === 0 ? [] : [`t${index - 1}`]));
    expect(codes(...chain)).toEqual([]);
    expect(codes(...chain.slice(1), stage('t0', ['t299']))).toHaveLength(300);
  });

  test('has its line in upkeep.yaml', () => {
    const text = `version: 1
targets:
  a: { base_url: https://a.example.com, credentials: { owner: { env: A }, api_key: { env: B } }, sources: [c], after: [b], branch: main, ledger: git }
`;
    expect(loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]), '2026-11-27').findings).toMatchObject([
      { code: 'unknown-target', file: 'upkeep.yaml', line: 3, severity: 'error' },
    ]);
  });
});
