import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../src/app/run/secrets.ts';
import { detectPullRequest, detectRepository, runPage } from '../../../src/integrations/code-hosts/detect.ts';
import { temporaryFolder } from '../../support/harness.ts';

const TOKEN = 'a-token-of-some-length';
const github = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/streaming', GITHUB_TOKEN: TOKEN };
const gitlab = { GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/group/streaming', GITLAB_TOKEN: TOKEN };
type Env = { readonly [name: string]: string };

describe('the repository of a run', () => {
  const where = (env: Env, options = {}) => detectRepository({ env, addSecret: () => undefined }, options);

  test('the repository is detected from the environment of CI', () => {
    const about = { repository: 'acme/streaming', token: TOKEN };
    expect(where(github)).toEqual({ host: 'github', api: 'https://api.github.com', graphql: 'https://api.github.com/graphql', ...about });
    expect(where({ ...github, GITHUB_API_URL: 'https://code.example/api/v3/' })).toEqual({
      host: 'github',
      api: 'https://code.example/api/v3',
      graphql: 'https://code.example/api/graphql',
      ...about,
    });
    expect(where(gitlab)).toEqual({
      host: 'gitlab',
      api: 'https://gitlab.com/api/v4',
      graphql: null,
      repository: 'acme/group/streaming',
      token: TOKEN,
    });
    expect(where({ ...gitlab, CI_PROJECT_ID: '42' }).repository).toBe('42');
  });

  test('flags take precedence over the environment of CI', () => {
    expect(where({ ...github, ...gitlab }, { host: 'gitlab', repository: 'a/b' })).toMatchObject({ host: 'gitlab', repository: 'a/b' });
  });

  test('a GraphQL API on another origin is not used, so that it gets no token', () => {
    expect(where({ ...github, GITHUB_GRAPHQL_URL: 'https://elsewhere.example/graphql' }).graphql).toBeNull();
  });

  test.each(['..', 'acme', 'acme/..', './streaming', 'acme/streaming/x', 'acme/streaming?x', 'acme/%2e%2e', ''])(
    '%s is refused as the name of a repository',
    (repository) => {
      expect(() => where(github, { repository })).toThrow(/repository/);
    },
  );

  test('the token is redacted after the repository is detected', () => {
    const secrets = createSecrets();
    detectRepository({ env: github, addSecret: secrets.add }, {});
    expect(secrets.redact(`said ${TOKEN}`)).not.toContain(TOKEN);
  });
});

test('the page of a run is null if the environment holds no plain http address', () => {
  const env = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'acme/streaming', GITHUB_RUN_ID: '7' };
  expect(runPage(env, 'github')).toBe('https://github.example/acme/streaming/actions/runs/7');
  for (const odd of ['javascript:alert(1)', 'https://x.example/) [a](b', 'https://x.example/\n']) {
    expect(runPage({ ...env, GITHUB_SERVER_URL: odd }, 'github')).toBeNull();
    expect(runPage({ CI_PIPELINE_URL: odd }, 'gitlab')).toBeNull();
  }
  expect(runPage({}, 'github')).toBeNull();
});

describe('the pull request of a run', () => {
  const HASH = 'a'.repeat(40);
  const eventFile = (text: string) => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, text);
    return file;
  };
  const event = (head: number) =>
    eventFile(JSON.stringify({ pull_request: { number: 12, head: { sha: HASH, repo: { id: head } }, base: { repo: { id: 1 } } } }));
  const on = (env: Env, number?: number) => detectPullRequest(env, 'github', number);

  test('the event tells the number of the pull request, its commit and whether it comes from a fork', () => {
    expect(on({ GITHUB_EVENT_PATH: event(1), GITHUB_REF: 'refs/pull/13/merge' })).toEqual({ number: 12, commit: HASH, fromFork: false });
    expect(on({ GITHUB_EVENT_PATH: event(2) })).toEqual({ number: 12, commit: HASH, fromFork: true });
    expect(on({ GITHUB_EVENT_PATH: event(2) }, 12)).toEqual({ number: 12, commit: HASH, fromFork: true });
  });

  test.each(['{', 'null', '[]', '{"pull_request":7}', '{"pull_request":{"number":"x"}}', ''])(
    'the number of the pull request comes from the ref if the event is %s',
    (text) => {
      expect(on({ GITHUB_EVENT_PATH: eventFile(text), GITHUB_REF: 'refs/pull/13/merge' })).toMatchObject({ number: 13, commit: null });
    },
  );

  test('a number in the flag that differs from the event has no known commit', () => {
    expect(on({ GITHUB_EVENT_PATH: event(2) }, 99)).toEqual({ number: 99, commit: null, fromFork: false });
    expect(on({ GITHUB_EVENT_PATH: '/nowhere/event.json' }, 5)).toEqual({ number: 5, commit: null, fromFork: false });
  });

  test('an unknown pull request is an error', () => {
    expect(() => on({ GITHUB_REF: 'refs/heads/main' })).toThrow('the pull request is unknown');
    expect(() => detectPullRequest({ CI_COMMIT_SHA: HASH }, 'gitlab', undefined)).toThrow('the pull request is unknown');
  });
});
