/**
 * The numbers that the documentation promises, each with the value that the program uses, and the numbers of the pages that are no promise of
 * the program, each with the reason.
 */

import { createHash } from 'node:crypto';
import schema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { COMMAND_TIMEOUT_MS, MAX_CREDENTIAL_BYTES } from '../../src/app/account/credentials.ts';
import { OLD_PROBE_DAYS } from '../../src/app/doctor/target.ts';
import { MAX_COMMITS, MAX_SEARCH_MS } from '../../src/app/facts/promoted.ts';
import { LOCK_CHECK_INTERVAL_MS, LOCK_CHECK_VALID_MS } from '../../src/app/history/target-lock.ts';
import { MAX_PROBE_REQUESTS_PER_SECOND } from '../../src/app/probe-target.ts';
import { MAX_CHANGE_LINES } from '../../src/app/run/progress.ts';
import { MAX_SAVED_DOCUMENT_BYTES } from '../../src/app/run/saved-documents.ts';
import { MIN_SECRET_LENGTH } from '../../src/app/run/secrets.ts';
import { shardNumber } from '../../src/app/run/shard.ts';
import { CONCURRENT_TARGETS } from '../../src/app/targets/multi-target.ts';
import { MAX_MATRIX_JOBS } from '../../src/cli/commands/targets.ts';
import { SAME_REQUEST_MS } from '../../src/cli/signals.ts';
import { STREAM_MS } from '../../src/cli/status-line.ts';
import { FAILURES_TO_OPEN } from '../../src/core/api-client/circuit-breaker.ts';
import { MAX_ESCAPE_LAYERS } from '../../src/core/api-client/decode-text.ts';
import { SECOND_MS } from '../../src/core/api-client/rate-limiter.ts';
import { LONG_SECRET, MAX_FOREIGN_TEXT_LENGTH } from '../../src/core/api-client/redact.ts';
import { SKEW_MS } from '../../src/core/api-client/response.ts';
import { MAX_BACKOFF_MS, RETRIES_PER_SUCCESS, RETRY_BUDGET } from '../../src/core/api-client/retry.ts';
import { TOKEN_SECONDS } from '../../src/core/api-client/scoped-key.ts';
import { RANDOM_BITS } from '../../src/core/api-client/sign.ts';
import { MAX_EXPIRIES } from '../../src/core/apply/execute.ts';
import { AFTER_READ_MS, FRESH_MS } from '../../src/core/apply/looks.ts';
import {
  MAX_ADDED_CHARACTERS,
  MAX_EXPANDED_ENTRIES,
  MAX_EXPANDED_RESOURCES,
  MAX_INCLUDE_DEPTH,
} from '../../src/core/config/expand/budget.ts';
import { MAX_SOURCE_LINKS } from '../../src/core/config/find-source-files.ts';
import { MAX_LISTED_FINDINGS } from '../../src/core/config/findings.ts';
import { MAX_GLOBS } from '../../src/core/config/ignore-changes.ts';
import { MAX_DURATION } from '../../src/core/config/windows.ts';
import { MAX_BYTES as MAX_SOURCE_BYTES } from '../../src/core/config/yaml/text.ts';
import { MIN_PLAYLISTS_WITH_PREFIX } from '../../src/core/export/source-files.ts';
import { MAX_COLUMNS, MIN_ROWS } from '../../src/core/export/tables.ts';
import { GUARD_DEADLINE_MS } from '../../src/core/guards/run-in-worker.ts';
import { kinds } from '../../src/core/kinds/index.ts';
import { MAX_SMART_STARTS } from '../../src/core/kinds/playlist/declare.ts';
import { MAX_IDS_PER_REQUEST } from '../../src/core/kinds/references.ts';
import { MAX_ENTRY_BYTES } from '../../src/core/ledger/entry.ts';
import { MIN_ENTRY_ID_LENGTH } from '../../src/core/ledger/ledger.ts';
import { MAX_FIELD_BYTES } from '../../src/core/ledger/recorded-fields.ts';
import { PHASES } from '../../src/core/model/change.ts';
import { DEFAULT_WITHIN_MS, MAX_PLAN_ASSETS } from '../../src/core/plan/check-references.ts';
import { MAX_BINDING_SPOT_CHECKS } from '../../src/core/plan/refresh.ts';
import { MIN_LIVE_FOR_ALL, MIN_LIVE_FOR_PERCENT, MIN_ON_AIR_FOR_PERCENT } from '../../src/core/safety/checks.ts';
import { MIN_GONE_BINDINGS } from '../../src/core/state/bindings.ts';
import { MAX_STEPS } from '../../src/core/windows/window-state.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { MIN_UNCOMPARED_LENGTH } from '../../src/emulator/replay.ts';
import { MAX_RATE_LIMIT_WAIT_MS } from '../../src/integrations/code-hosts/api.ts';
import { MAX_CHECK_ANNOTATIONS } from '../../src/integrations/code-hosts/github.ts';
import { MAX_ATTEMPTS, TIMEOUT_MS as NOTIFICATION_TIMEOUT_MS } from '../../src/integrations/notifications/send.ts';
import { SOON } from '../../src/report/diagrams/account.ts';
import { MAX_DIAGRAMS } from '../../src/report/diagrams/index.ts';
import { MAX_ANNOTATIONS_PER_LEVEL } from '../../src/report/machine/github.ts';
import { MIN_EQUAL } from '../../src/report/view/change.ts';
import { MAX_UNFOLDED_MEMBERS } from '../../src/report/view/model.ts';
import { MAX_LISTED_REQUESTS } from '../../src/report/view/plan.ts';

/** A promise: the page, the part of a sentence with `#` in place of the number, and the number that the program uses. */
export type Promised = readonly [page: string, fragment: string, value: number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const KIB = 1024;
const MIB = 1024 * KIB;

const { http, service } = schema.definitions.target.properties;
const requestsPerSecond = http.properties.requests_per_second.default;
const assetsPerRequest = service.properties.smart_start_batch.default;
/** Requests a second that the token bucket lets pass in the long run. */
const longRunRate = (requestsPerSecond * SECOND) / SECOND_MS;

/** The kinds look up the same number of the objects that they are about to create. */
const [spotChecks = 0, ...others] = new Set(kinds.flatMap((kind) => ('spotChecksPerPlan' in kind ? [kind.spotChecksPerPlan] : [])));
if (others.length > 0) throw new Error('kinds differ in `spotChecksPerPlan`, and the documentation names one number');

/** The number of leading bytes of the SHA-256 of a target's name by which its shard is computed. */
function bytesOfShard(): number {
  const names = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
  const hash = (name: string) => createHash('sha256').update(name).digest();
  const agrees = (bytes: number) => names.every((name) => (hash(name).readUIntBE(0, bytes) % 997) + 1 === shardNumber(name, 997));
  return [1, 2, 3, 4, 5, 6].find(agrees) ?? 0;
}

/** All promises. */
export const PROMISES: readonly Promised[] = [
  ['api-notes.md', 'at most # of them [vendor]', MAX_IDS_PER_REQUEST],
  ['ci.md', 'findings and blocked changes at their lines (at most #)', MAX_CHECK_ANNOTATIONS],
  ['ci.md', 'a run waits for up to # minute', MAX_RATE_LIMIT_WAIT_MS / MINUTE],
  ['commands.md', 'at least its first # characters', MIN_ENTRY_ID_LENGTH],
  ['configuration.md', 'up to # in one request', MAX_IDS_PER_REQUEST],
  ['api-notes.md', 'with `external_ids`, at most # at a time', MAX_IDS_PER_REQUEST],
  ['configuration.md', 'it is gone within # days', DEFAULT_WITHIN_MS / DAY],
  ['configuration.md', 'each asset of a playlist is gone within # days', DEFAULT_WITHIN_MS / DAY],
  ['design.md', 'are looked at, for # seconds at most', MAX_SEARCH_MS / SECOND],
  ['design.md', 'at most # of them, and `firstExpiry`', MAX_PLAN_ASSETS],
  ['commands.md', '`--templates` writes # or more playlists', MIN_ROWS],
  ['design.md', 'that # or more playlists share', MIN_PLAYLISTS_WITH_PREFIX],
  ['design.md', 'In a group of # or more', MIN_ROWS],
  ['design.md', 'more than # columns', MAX_COLUMNS],
  ['configuration.md', 'A list may include others, up to # deep', MAX_INCLUDE_DEPTH],
  ['design.md', 'Lists include each other at most # deep', MAX_INCLUDE_DEPTH],
  ['design.md', 'Tables make at most # resources', MAX_EXPANDED_RESOURCES],
  ['design.md', 'and holds at most # links', MAX_SOURCE_LINKS],
  ['design.md', 'groups at most # smart starts', MAX_SMART_STARTS],
  ['design.md', '(up to # MiB, then their paths)', MAX_FIELD_BYTES / MIB],
  ['design.md', 'Variables add at most # MiB of text', MAX_ADDED_CHARACTERS / MIB],
  ['design.md', 'make at most # million entries beyond', MAX_EXPANDED_ENTRIES / 1_000_000],
  ['design.md', 'by at most # entries whose address has a', MAX_GLOBS],
  ['design.md', 'up to # of them are searched', spotChecks],
  ['design.md', 'bindings that the list lacks are looked up by ID, up to # of them', MAX_BINDING_SPOT_CHECKS],
  ['design.md', 'when # or more bindings, and more than half of those of the kind, are gone', MIN_GONE_BINDINGS],
  ['design.md', 'last read more than # seconds ago', FRESH_MS / SECOND],
  ['design.md', 'starts more than # seconds after the read', FRESH_MS / SECOND],
  ['design.md', 'leaves # seconds for a write', AFTER_READ_MS / SECOND],
  ['design.md', 'What expires # times in a row', MAX_EXPIRIES],
  ['design.md', 'Changes run in # phases', PHASES.length],
  ['design.md', '`limits.delete.percent` of its live objects, where # or more are live', MIN_LIVE_FOR_PERCENT],
  ['design.md', '`limits.update.percent` of its live objects, where # or more are live', MIN_LIVE_FOR_PERCENT],
  ['design.md', 'every live object of a kind that has # or more', MIN_LIVE_FOR_ALL],
  ['design.md', '`limits.off_air.percent` of them, where # or more are on air', MIN_ON_AIR_FOR_PERCENT],
  ['design.md', 'escaped and cut to # characters', MAX_FOREIGN_TEXT_LENGTH],
  ['design.md', 'at least # random bits', RANDOM_BITS],
  ['design.md', 'checked before each wave, every # seconds', LOCK_CHECK_INTERVAL_MS / SECOND],
  ['design.md', 'began more than # seconds ago', LOCK_CHECK_VALID_MS / SECOND],
  ['design.md', 'the first # are listed', MAX_LISTED_FINDINGS],
  ['design.md', 'of a text of more than # characters three quarters', LONG_SECRET],
  ['design.md', 'never fewer than # characters', MIN_SECRET_LENGTH],
  ['design.md', 'in up to # layers of escapes', MAX_ESCAPE_LAYERS],
  ['design.md', 'A text of # characters or more that was asked about', MIN_UNCOMPARED_LENGTH],
  ['design.md', 'in one process, at most # at a time', CONCURRENT_TARGETS],
  ['design.md', 'the first # bytes of the SHA-256 of its name', bytesOfShard()],
  ['emulator.md', 'all # endpoints', emulatedKinds.flatMap(({ routes }) => routes).length],
  ['ledger.md', 'checks it before each wave, every # seconds', LOCK_CHECK_INTERVAL_MS / SECOND],
  ['ledger.md', 'the last check is older than # seconds', LOCK_CHECK_VALID_MS / SECOND],
  ['operations.md', 'kept # % below the value', (100 * (SECOND_MS - SECOND)) / SECOND],
  ['operations.md', 'Signals within # second are one request', SAME_REQUEST_MS / SECOND],
  ['operations.md', 'with pauses of up to # s', MAX_BACKOFF_MS / SECOND],
  ['operations.md', 'What was read more than # s ago', FRESH_MS / SECOND],
  ['operations.md', 'left no time for it, # times in a row', MAX_EXPIRIES],
  ['operations.md', 'a budget of # retries', RETRY_BUDGET],
  ['operations.md', 'earns one with every # successes', 1 / RETRIES_PER_SUCCESS],
  ['operations.md', 'After # consecutive writes', FAILURES_TO_OPEN],
  ['operations.md', 'Up to # targets run at a time', CONCURRENT_TARGETS],
  ['operations.md', 'the first # bytes of the SHA-256 of the name', bytesOfShard()],
  ['operations.md', 'at most the # jobs of a matrix', MAX_MATRIX_JOBS],
  ['operations.md', '`http.max_body_mib` (up to #)', http.properties.max_body_mib.maximum],
  ['operations.md', 'in files of at most # MiB each', MAX_SOURCE_BYTES / MIB],
  ['operations.md', 'at # a second', requestsPerSecond],
  ['operations.md', 'a million requests, # hours', Math.round(1_000_000 / longRunRate / 3600)],
  ['operations.md', '# requests of 100 assets', 1_000_000 / assetsPerRequest],
  ['operations.md', '10,000 requests of # assets', assetsPerRequest],
  ['operations.md', '10,000 requests of 100 assets, # minutes', Math.round(1_000_000 / assetsPerRequest / longRunRate / 60)],
  ['operations.md', 'for the first # writes', MAX_CHANGE_LINES],
  ['operations.md', 'every # seconds without a line', STREAM_MS.refresh / SECOND],
  ['operations.md', 'An attempt takes # seconds at most', NOTIFICATION_TIMEOUT_MS / SECOND],
  ['operations.md', 'is sent up to # times', MAX_ATTEMPTS],
  ['operations.md', 'an entry holds # MiB', MAX_ENTRY_BYTES / MIB],
  ['operations.md', '# MiB can be read back', MAX_SAVED_DOCUMENT_BYTES / MIB],
  ['operations.md', 'difference of the clocks when it is above # s', SKEW_MS / SECOND],
  ['design.md', 'Equal changes, # or more,', MIN_EQUAL],
  ['reports.md', 'Equal changes, # or more,', MIN_EQUAL],
  ['design.md', 'names the first # addresses', MAX_UNFOLDED_MEMBERS],
  ['reports.md', 'names the first # addresses', MAX_UNFOLDED_MEMBERS],
  ['probe.md', 'sends # request a second', MAX_PROBE_REQUESTS_PER_SECOND],
  ['probe.md', 'older than # days', OLD_PROBE_DAYS],
  ['design.md', 'sends at most # request a second', MAX_PROBE_REQUESTS_PER_SECOND],
  ['reports.md', 'at most # of each level', MAX_ANNOTATIONS_PER_LEVEL],
  ['reports.md', 'otherwise the first #.', MAX_LISTED_REQUESTS],
  ['reports.md', 'the first # changes are drawn', MAX_DIAGRAMS],
  ['reports.md', 'ends within # days is highlighted', SOON / (24 * 60 * MINUTE)],
  ['safety.md', 'more than `percent` of all active ones where # or more are active', MIN_ON_AIR_FOR_PERCENT],
  ['safety.md', 'read more than # seconds ago', FRESH_MS / SECOND],
  ['safety.md', 'does not answer within # seconds', GUARD_DEADLINE_MS / SECOND],
  ['security.md', 'fewer than # characters', MIN_SECRET_LENGTH],
  ['security.md', 'valid for # minutes', TOKEN_SECONDS / 60],
  ['api-notes.md', '`iat` and `exp`, # minutes later', TOKEN_SECONDS / 60],
  ['security.md', 'at most # KiB', MAX_CREDENTIAL_BYTES / KIB],
  ['security.md', 'for at most # seconds', COMMAND_TIMEOUT_MS / SECOND],
  ['stages.md', 'the newest # are looked at', MAX_COMMITS],
  ['stages.md', 'are looked at, for # seconds at most', MAX_SEARCH_MS / SECOND],
  ['windows.md', '`2d`, at most # days', MAX_DURATION / DAY],
  ['windows.md', 'A list has at most # entries', schema.definitions.windows.properties.deny.maxItems],
  ['windows.md', 'follows entries for about # steps', MAX_STEPS],
];

/** A text of a page whose numbers are no promise of the program, and why. */
export type Exempt = readonly [page: string, fragment: string, reason: string];

const VENDOR = 'a rule of the API';
const MEASURED = 'a measured figure, which `npm run bench` measures again';
const CALCULATED = 'a calculation about the account, Node or git, without a limit of the program';
const PROSE = 'a number of things in the sentence, not a setting';

/** All exemptions. */
export const EXEMPT: readonly Exempt[] = [
  ['../README.md', 'Node 20.18.1 or later', 'a version, which another test compares with package.json'],
  ['install.md', 'Node 20.18.1 or later', 'a version, which another test compares with package.json'],
  ['api-notes.md', 'the user ID, 32 hexadecimal characters', VENDOR],
  ['api-notes.md', 'RFC 1950, level 9 in the samples', VENDOR],
  ['api-notes.md', 'IDs have 32 hexadecimal characters', VENDOR],
  ['api-notes.md', '`sig` twice within a second', VENDOR],
  ['api-notes.md', 'An `err_count` above 0', VENDOR],
  ['api-notes.md', 'Two playlists may have one description', VENDOR],
  ['api-notes.md', 'differ by at most a second', 'an assumption about the API, which the probe asks'],
  ['api-notes.md', '`drm-api-v3` section 2.4 names it only in the result', VENDOR],
  ['concepts.md', 'so that two targets can share', PROSE],
  ['design.md', 'in the later of the two phases', PROSE],
  ['emulator.md', '`cut` (to 8 characters)', 'a choice of the emulator, which its own tests hold'],
  ['ledger.md', '100,000 bindings take about 2 MB', MEASURED],
  ['operations.md', 'The list of 100,000 playlists is 47 MB of JSON and 40 MB of YAML. Measured on 2 cores', MEASURED],
  ['operations.md', '| plan of 10,000 unchanged playlists | 1.2 | 190 | 0.7 s and 125 MiB', MEASURED],
  ['operations.md', '| plan of 100,000 unchanged playlists | 8.4 | 754 | 5.4 s', MEASURED],
  ['operations.md', '| plan of 10,000 resources by Terraform 1.11, without a provider | 39 | 2,500 |', MEASURED],
  ['operations.md', '| plan of 200 targets of 50 playlists, in one process | 1.9 | 150 | 400 requests |', MEASURED],
  ['operations.md', '| 1,000 updates, where each response takes 50 ms and 8 requests run at a time | 6.6 | | 6.25 s', MEASURED],
  ['operations.md', 'What a million playlists in one account would need', CALCULATED],
  ['operations.md', 'one response of 470 MB', CALCULATED],
  ['operations.md', 'Node cannot hold a text above 512 MiB: about 1.1 million playlists', CALCULATED],
  ['operations.md', '| memory | about 8 GB |', CALCULATED],
  ['operations.md', '| YAML | 400 MB', CALCULATED],
  ['operations.md', 'one to two minutes on one core', CALCULATED],
  ['operations.md', '| single writes | a million requests', CALCULATED],
  ['operations.md', '100 MB of bindings an entry, 20 MB packed', CALCULATED],
  ['operations.md', '| 800 MB |', CALCULATED],
  ['operations.md', 'Two hundred targets of 5,000 playlists are the same million, each with a list of 2.4 MB', CALCULATED],
  ['reports.md', '`Blocked: 2 of 7 changes would weaken protection`', 'an example'],
  ['reports.md', 'nothing blocks it: 38 changes stop playback`', 'an example'],
  ['reports.md', '`Ready to apply: 4 changes; protection and', 'an example'],
  ['reports.md', 'such as `10 playlists`', 'an example'],
  ['reports.md', '`38 changes stop playback: 37 playlists go off air;', 'an example, which test/e2e/playback.test.ts makes'],
  ['reports.md', 'two files must not contain the same series', PROSE],
  ['security.md', 'git 2.38 or later', 'the version of git that knows `safe.bareRepository`'],
  ['tutorial.md', 'in about fifteen minutes', 'the time of a reader'],
  ['tutorial.md', 'It adopts 23 objects', 'test/e2e/tutorial.test.ts compares it with a run of the tutorial'],
  ['windows.md', 'a day has 24 hours', CALCULATED],
];
