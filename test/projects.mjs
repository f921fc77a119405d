// @ts-check
// Which test files belong to which project of vitest.config.ts: folders end with a slash, the rest are files. All others are `unit`.

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
  'test/e2e/notification-signature.test.ts',
  'test/e2e/proxy.test.ts',
  'test/e2e/screen/',
  'test/e2e/shells.test.ts',
  'test/e2e/signals.test.ts',
  'test/e2e/terminal.test.ts',
  'test/editor/',
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
export const SEPARATE_LEDGER = ['attribution', 'history', 'kill', 'lock', 'ownership', 'entry', 'rollback'].map(
  (name) => `test/e2e/ledger/${name}.test.ts`,
);

/**
 * The slowest tests of units, except those in `GIT`: random input in many forms, published suites, programs, whole tables. Without them
 * `npx vitest related FILE --run --project unit` answers within 10 seconds for any file of plan/, kinds/ and api-client/.
 */
export const SLOW = [
  'test/core/api-client/circuit-breaker.test.ts',
  'test/core/api-client/compression.test.ts',
  'test/core/api-client/no-secrets.test.ts',
  'test/core/api-client/rate-limiter.test.ts',
  'test/core/api-client/redact-long-words.test.ts',
  'test/core/api-client/redact.test.ts',
  'test/core/api-client/scoped-key.test.ts',
  'test/core/api-client/transport.test.ts',
  'test/core/apply/random-accounts.test.ts',
  'test/architecture.test.ts',
  'test/core/config/expand/limits.test.ts',
  'test/integrations/code-hosts/github-double.test.ts',
  'test/core/config/expand/precedence.test.ts',
  'test/core/config/expand/random-language.test.ts',
  'test/core/config/expand/tables.test.ts',
  'test/core/config/find-source-files.test.ts',
  'test/core/config/findings.test.ts',
  'test/core/config/load-desired-state.test.ts',
  'test/core/config/load-project.test.ts',
  'test/core/config/moved-and-removed.test.ts',
  'test/core/config/random-sources.test.ts',
  'test/core/config/typical-mistakes.test.ts',
  'test/core/config/yaml-agreement.test.ts',
  'test/core/config/yaml/parse.test.ts',
  'test/core/device-impact/every-setting.test.ts',
  'test/core/device-impact/plan-impact.test.ts',
  'test/docs/citations.test.ts',
  'test/docs/configuration-types.test.ts',
  'test/docs/tables.test.ts',
  'test/core/drift/accept/',
  'test/emulator/authenticate.test.ts',
  'test/emulator/faults.test.ts',
  'test/emulator/kinds/playlist.test.ts',
  'test/emulator/scoped-keys.test.ts',
  'test/emulator/server.test.ts',
  'test/emulator/store.test.ts',
  'test/core/export/export-account.test.ts',
  'test/core/guards/',
  'test/core/kinds/contract-config-edits.test.ts',
  'test/core/kinds/contract-ignored-fields.test.ts',
  'test/core/kinds/contract-risk.test.ts',
  'test/core/kinds/drm-policy/to-config.test.ts',
  'test/core/kinds/playback-tables.test.ts',
  'test/core/kinds/playlist/to-config.test.ts',
  'test/core/kinds/truth-tables.test.ts',
  'test/core/ledger/',
  'test/probe/assumptions.test.ts',
  'test/probe/closed-loop.test.ts',
  'test/recording/canaries.test.ts',
  'test/recording/closed-loop.test.ts',
  'test/report/escaping.test.ts',
  'test/report/html/',
  'test/report/machine/sarif.test.ts',
  'test/report/playback.test.ts',
  'test/report/view/equal-changes.test.ts',
  'test/schemas/',
  'test/support/',
];

/** @param {string[]} entries @param {string} file */
const isListed = (entries, file) => entries.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));

/** Whether a test file may share its modules with others, and needs no other program. @param {string} file */
export function runsBesideOthers(file) {
  return !isListed([...ISOLATED, ...MACHINE], file);
}

/** Whether a test file is in the project `unit`. @param {string} file */
export function isQuickTest(file) {
  return runsBesideOthers(file) && !isListed([...COMMAND_LINE, ...SLOW, ...GIT], file);
}
