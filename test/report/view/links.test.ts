/** The links of an HTML report: to the commit, the pull request, the run and the lines that declare a change. */
import { describe, expect, test } from 'vitest';
import { codeHostPages } from '../../../src/app/run/code-host-pages.ts';
import { render } from '../../../src/report/index.ts';
import { change, finding, HASH, OPTIONS, plan, SITE } from '../documents.ts';
import { readHtml } from '../html-reading.ts';

const GITHUB = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/tv', GITHUB_REF: 'refs/pull/12/merge' };
const GITLAB = { GITLAB_CI: 'true', CI_PROJECT_URL: 'https://gitlab.example/acme/tv', CI_MERGE_REQUEST_IID: '7' };
const COMMIT = '1a2b3c4d5e6f70819203a4b5c6d7e8f901234567';

function hrefs(
  env: { readonly [name: string]: string },
  where = 'https://ci.example/runs/1',
  file = 'config/a b.yaml',
  dirty = false,
): readonly string[] {
  const pages = codeHostPages(env);
  const run = { at: '2026-03-01T10:00:00.000Z', by: 'ada', where, requests: 1, retries: 0 };
  const declared = { file, line: 3, column: 1 };
  const document = plan([change('playlist/a', { declared })], { run, config: { commit: COMMIT, dirty, digest: HASH } });
  const html = render([{ type: 'plan', plan: document }], 'html', { ...OPTIONS, origin: { ...SITE, ...(pages ? { pages } : {}) } });
  readHtml(html);
  return [...html.matchAll(/href="([^#"][^"]*)"/g)].map(([, href = '']) => href);
}

describe('the links of an HTML report', () => {
  test('lead to the pages of GitHub', () => {
    expect(hrefs(GITHUB)).toEqual([
      `https://github.com/acme/tv/commit/${COMMIT}`,
      'https://github.com/acme/tv/pull/12',
      'https://ci.example/runs/1',
      `https://github.com/acme/tv/blob/${COMMIT}/accounts/eu/config/a%20b.yaml#L3`,
    ]);
  });

  test('lead to the pages of GitLab', () => {
    expect(hrefs(GITLAB)).toEqual([
      `https://gitlab.example/acme/tv/-/commit/${COMMIT}`,
      'https://gitlab.example/acme/tv/-/merge_requests/7',
      'https://ci.example/runs/1',
      `https://gitlab.example/acme/tv/-/blob/${COMMIT}/accounts/eu/config/a%20b.yaml#L3`,
    ]);
  });

  test('lead from a finding to the line of its file', () => {
    const pages = codeHostPages(GITHUB);
    const place = { file: 'config/a b.yaml', line: 7, column: 2 };
    const document = plan([], { findings: [finding({ ...place, severity: 'warning' })] });
    const html = render([{ type: 'plan', plan: document }], 'html', { ...OPTIONS, origin: { ...SITE, ...(pages ? { pages } : {}) } });
    readHtml(html);
    expect(html).toContain(
      `<a href="https://github.com/acme/tv/blob/${COMMIT}/accounts/eu/config/a%20b.yaml#L7">config/a b.yaml:7:2</a></span>`,
    );
    expect(render([{ type: 'plan', plan: document }], 'html', OPTIONS)).toContain('<span class="source">config/a b.yaml:7:2</span>');
  });

  test('leave out the lines of a file that was edited since its commit', () => {
    expect(hrefs(GITHUB, 'here', 'a.yaml', true)).toEqual([
      `https://github.com/acme/tv/commit/${COMMIT}`,
      'https://github.com/acme/tv/pull/12',
    ]);
  });

  test.each([
    'http://ci.example/1',
    'javascript:alert(1)',
    'https://ci.example/"onclick="x',
    'https://user@ci.example/',
    'https://ci.example/?token=x',
    'https://',
  ])('leave out an address that is not a plain https address: %s', (address) => {
    expect(hrefs({}, address)).toEqual([]);
    expect(codeHostPages({ GITLAB_CI: 'true', CI_PROJECT_URL: address })).toBeUndefined();
  });

  test('leave out a file that is not in the repository', () => {
    expect(hrefs(GITHUB, 'here', '../../x.yaml').filter((href) => href.includes('blob'))).toEqual([]);
    expect(hrefs(GITHUB, 'here', 'a\ud800.yaml').filter((href) => href.includes('blob'))).toEqual([]);
  });

  test('are absent outside CI', () => {
    expect(hrefs({}, 'laptop')).toEqual([]);
  });
});
