// @ts-check
// Which test files belong to which project of vitest.config.ts: folders end with a slash, the rest are files. All others are `unit` or `slow`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('..', import.meta.url));

/** Tests that replace modules, timers or built-in functions: each file has its modules to itself. */
export const ISOLATED = [
  'test/app/account/credential-timeout.test.ts',
  'test/app/history/durable-files.test.ts',
  'test/app/targets/multi-target.test.ts',
  'test/app/history/target-lock.test.ts',
  'test/cli/status-line.test.ts',
  'test/core/config/precompiled-validators.test.ts',
  'test/core/config/schema-errors.test.ts',
  'test/emulator/journal.test.ts',
  'test/property/planted-bugs.test.ts',
];

/** Tests of this machine: processes, a browser, a terminal, other programs, the package. */
export const MACHINE = [
  'test/bench/',
  'test/cli/program.test.ts',
  'test/e2e/built.test.ts',
  'test/e2e/foreign-client.test.ts',
  'test/e2e/full-disk.test.ts',
  'test/e2e/ledger/large-entry.test.ts',
  'test/e2e/node-version.test.ts',
  'test/e2e/notification-signature.test.ts',
  'test/e2e/proxy.test.ts',
  'test/e2e/screen/',
  'test/e2e/shells.test.ts',
  'test/e2e/signals.test.ts',
  'test/e2e/terminal.test.ts',
  'test/editor/',
  'test/generate.test.ts',
  'test/emulator/load.test.ts',
  'test/examples/',
  'test/hostile/',
  'test/core/ledger/processes.test.ts',
  'test/package.test.ts',
  'test/report/browser/',
  'test/report/consumers.test.ts',
  'test/repository.test.ts',
  'test/schemas/json-schema-suite.test.ts',
  'test/workflows.test.ts',
];

/**
 * Tests that start git hundreds of times: starting a process takes the longer, the more memory the process has that starts it, so they share
 * workers with nothing else.
 */
export const GIT = [
  'test/app/history/work-tree.test.ts',
  'test/e2e/accept.test.ts',
  'test/e2e/faults/matrix.test.ts',
  'test/e2e/language.test.ts',
  'test/e2e/ledger/',
  'test/e2e/multi-target/shards.test.ts',
  'test/e2e/stages/',
  'test/e2e/stored-names.test.ts',
  'test/e2e/trust-from.test.ts',
  'test/core/ledger/commit-contents.test.ts',
  'test/core/ledger/commit-files.test.ts',
  'test/core/ledger/commit-history.test.ts',
  'test/core/ledger/commit-message.test.ts',
  'test/core/ledger/commits.test.ts',
  'test/core/ledger/git-calls.test.ts',
  'test/core/ledger/git-process.test.ts',
  'test/core/ledger/history-calls.test.ts',
  'test/core/ledger/ledger.test.ts',
  'test/core/ledger/ledger-repository.test.ts',
  'test/core/ledger/ledger-reads.test.ts',
  'test/core/ledger/lock.test.ts',
  'test/core/ledger/push-entry.test.ts',
  'test/core/ledger/repository.test.ts',
  'test/core/ledger/repository-access.test.ts',
  'test/property/stages.test.ts',
];

/** Whole command lines on the emulator, except those in `GIT`. */
export const COMMAND_LINE = [
  'test/app/',
  'test/cli/',
  'test/integrations/code-hosts/answers.test.ts',
  'test/e2e/',
  'test/core/kinds/contract-probe.test.ts',
  'test/core/kinds/contract-recording.test.ts',
  'test/core/kinds/contract.test.ts',
  'test/core/kinds/write-mismatch.test.ts',
  'test/library/',
  'test/core/plan/linear-cost.test.ts',
  'test/property/',
  'test/realistic/',
];

/** Whole command lines that run once more, with each ledger in a repository of its own. */
export const SEPARATE_LEDGER = ['accepted-edits', 'attribution', 'history', 'kill', 'lock', 'ownership', 'entry', 'rollback'].map(
  (name) => `test/e2e/ledger/${name}.test.ts`,
);

/** What makes a test of units slow: servers, workers and processes, compiled schemas, whole projects, and tables with a row for each setting. */
const SLOW_IMPORT =
  /from '(ajv|node:(http|child_process)|[./\w-]*\/(emulator\/server|servers|guards\/[\w-]+|validator|load|load-project|load-desired-state|workspaces?|corpus|citations|published-types|truth-tables?|playback-tables?)\.ts)'/;

/** @param {string[]} entries @param {string} file */
const isListed = (entries, file) => entries.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));

/** Whether a test file may share its modules with others, and needs no other program. @param {string} file */
export function runsBesideOthers(file) {
  return !isListed([...ISOLATED, ...MACHINE], file);
}

/** @param {string} file */
const textOf = (file) => readFileSync(join(TOP, file), 'utf8');

/** Whether a test file of units imports nothing that is slow. @param {string} file */
export function isQuickTest(file) {
  return runsBesideOthers(file) && !isListed([...COMMAND_LINE, ...GIT], file) && !SLOW_IMPORT.test(textOf(file));
}

const UNITS = readdirSync(join(TOP, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll(sep, '/')}`)
  .filter((file) => file.endsWith('.test.ts') && runsBesideOthers(file) && !isListed([...COMMAND_LINE, ...GIT], file));

/**
 * The quick tests of units without random input: `npx vitest related FILE --run --project unit` answers within 10 seconds for any file.
 */
export const UNIT = UNITS.filter((file) => isQuickTest(file) && !/from 'fast-check'/.test(textOf(file)));

/** All other tests of units. */
export const SLOW = UNITS.filter((file) => !UNIT.includes(file));
