import { describe, expect, test } from 'vitest';
import { ciJobOf, pullRequestOf } from '../../../src/core/ledger/actor.ts';

const GITHUB = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/heads/release/4.2' };
const GITLAB = { CI: 'true', GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main' };

describe('the CI job of a run', () => {
  test('is that of GitHub or of GitLab with the branch that it builds', () => {
    expect(ciJobOf(GITHUB)).toEqual({ ci: 'github', branch: 'release/4.2', pullRequest: '' });
    expect(ciJobOf(GITLAB)).toEqual({ ci: 'gitlab', branch: 'main', pullRequest: '' });
  });

  test('has a pull request and no branch where it builds a pull request, whose branch may have any name', () => {
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/pull/17/merge', GITHUB_HEAD_REF: 'main' })).toEqual({
      ci: 'github',
      branch: '',
      pullRequest: '17',
    });
    const { CI_COMMIT_BRANCH: _none, ...job } = GITLAB;
    expect(ciJobOf({ ...job, CI_MERGE_REQUEST_IID: '17', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main' })).toEqual({
      ci: 'gitlab',
      branch: '',
      pullRequest: '17',
    });
  });

  test('has no branch where a workflow runs on the base of a pull request', () => {
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/heads/main', GITHUB_HEAD_REF: 'main' }).branch).toBe('');
  });

  test('has no branch for a tag', () => {
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/tags/main' }).branch).toBe('');
  });

  test('is of another system where only CI is set, and of none outside CI', () => {
    expect(ciJobOf({ CI: '1' })).toEqual({ ci: 'other', branch: '', pullRequest: '' });
    for (const env of [{}, { CI: '' }, { CI: 'false' }]) expect(ciJobOf(env)).toEqual({ ci: '', branch: '', pullRequest: '' });
  });
});

describe('a hostile environment', () => {
  test('cannot make one branch look like another one by hidden characters', () => {
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/heads/main\u200b' }).branch).toBe('main\\u{200b}');
    expect(ciJobOf({ ...GITLAB, CI_COMMIT_BRANCH: ' main\n' }).branch).not.toBe('main');
  });

  test('gives texts of at most 300 characters, without control characters', () => {
    const { branch } = ciJobOf({ ...GITLAB, CI_COMMIT_BRANCH: 'a\u0000 '.repeat(1_000_000) });
    expect(branch.length).toBeLessThanOrEqual(300);
    expect(branch).not.toMatch(/\p{C}/u);
  });

  test('gives no number of a pull request that is none', () => {
    for (const iid of ['7; rm', '1'.repeat(1_000_000), '-1'])
      expect(pullRequestOf({ GITLAB_CI: 'true', CI_MERGE_REQUEST_IID: iid })).toBe('');
    expect(pullRequestOf({ GITHUB_REF: 'refs/pull/x/merge' })).toBe('');
  });
});
