/** Every row of "Who can write what, and what it can do" in docs/security.md has a test that holds it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The file and the title of the test for each row. */
const TESTS: { readonly [what: string]: readonly [file: string, title: string] } = {
  'sources, tables, text files': ['test/e2e/secrets/sources.test.ts', 'no report shows a line of'],
  'files of tests': ['test/e2e/test-command.test.ts', 'a file of tests is never a source'],
  '`upkeep.yaml`': ['test/e2e/trust-from.test.ts', 'sends the key where the trusted commit says, and never where the branch says'],
  'hooks, attributes, modules and repositories in the checkout': [
    'test/core/ledger/git-calls.test.ts',
    'gives git the settings that nobody can change, and then the arguments',
  ],
  'programs in the checkout': [
    'test/core/ledger/git-calls.test.ts',
    'no git of the work tree is started, also behind a link, wherever PATH names it',
  ],
  'the workflow file': [
    'test/examples/github.test.ts',
    'the GitHub recipe validates a fork and compares it with main without a secret, and neither plans nor comments on it',
  ],
  'the branch of `--trust-from`': [
    'test/e2e/trust-from.test.ts',
    'takes full names of branches and whole hashes, and answers any other name with the full one',
  ],
  'environment variables': [
    'test/e2e/secrets/programs.test.ts',
    'credential command sees its own variables, but not the credentials of other sources',
  ],
  'a saved plan': [
    'test/e2e/saved-plan.test.ts',
    'any one edited member of a saved plan is refused, but those that are known not to be compared',
  ],
  '`--expect`': [
    'test/e2e/ledger/overrides.test.ts',
    'is refused with the fingerprint of another plan, and where its overrides were edited',
  ],
  '`refs/upkeep/*`': ['test/e2e/ledger/safety-checks.test.ts', '--allow deletes=N allows at most N deletes'],
  'files in the git directory or the state folder': ['test/core/ledger/local-files.test.ts', 'that is a folder or a link is not read'],
  recordings: ['test/cli/commands/record.test.ts', 'replayed, gives the same plan up to pseudonyms'],
  'names and texts in the account': ['test/e2e/reports.test.ts', 'escape the text of the account for terminals'],
  'comments and issues': ['test/cli/commands/comment.test.ts', 'a comment of another user is never updated, whatever its text is'],
};

const [, table = ''] = /\*\*Who can write what[^\n]*\n\n\|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/.exec(read('docs/security.md')) ?? [];
const rows = table
  .trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

describe('what docs/security.md says of who can write what', () => {
  test('names a writer and what it can do in every row, and a test holds each', () => {
    expect(rows.every((row) => row.length === 3 && row.every((cell) => cell !== ''))).toBe(true);
    expect(rows.map(([what]) => what)).toEqual(Object.keys(TESTS));
  });

  test.each(Object.entries(TESTS))('%s: its test is there', (_what, [file, title]) => {
    expect(read(file)).toMatch(
      new RegExp(`(?:test|it|describe)(?:\\.each[\\s\\S]*?)?\\([^\\n]*${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    );
  });
});
