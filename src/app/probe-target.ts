/** Probes a target: prints the requests, asks before it writes, sends them, and writes the result beside upkeep.yaml. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../core/api-client/monotonic.ts';
import { createTransport, type Transport } from '../core/api-client/transport.ts';
import type { Target } from '../core/config/project.ts';
import { ensureLocalFolder, readLocalFile } from '../core/ledger/local-files.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { ProbeConnection } from '../probe/exchange.ts';
import type { ProbeReport, ProbeStep } from '../probe/probe-report.ts';
import { type PlannedStep, type ProbeInput, plannedSteps, runProbe } from '../probe/run-probe.ts';
import { type JournalStore, openScratchJournal, type ScratchJournal } from '../probe/scratch.ts';
import { renderJson } from '../report/machine/json.ts';
import type { Credentials } from './account/credentials.ts';
import { proxyFor } from './account/proxy.ts';
import type { TargetRun } from './account/target-run.ts';
import type { Ask } from './apply-target.ts';
import { openLedgerOf } from './history/load-state.ts';
import { type HeldLock, lockLost, withLock } from './history/target-lock.ts';
import { localFolderOf } from './history/work-tree.ts';
import { confirmProbe, type ProbeOptions, requireUsable } from './probe-preconditions.ts';
import { info, warn } from './run/messages.ts';
import { refuseReportPath, saveReport } from './run/out-file.ts';
import { durationText } from './run/progress.ts';
import { plainOptions } from './run/reports.ts';
import type { AppContext } from './run/runtime.ts';
import { probeFile } from './run/saved-probe.ts';
import { VERSION } from './run/version.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Largest number of requests a second of the steps that do not search for the rate limit. */
export const MAX_PROBE_REQUESTS_PER_SECOND = 1;
/** Requests at the same time in the search for the rate limit. */
const CONNECTIONS = 16;
/** Maximum size of a journal that is read, bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const JOURNAL_FILE = 'probe.jsonl';

/** Probes the chosen targets, one after another. `ask` is null where nobody can be asked. */
export function probeTargets(io: AppContext, options: ProbeOptions, ask: Ask | null): Promise<ExitCode> {
  return forEachTarget(io, options, {
    async prepare(run) {
      requireUsable(run, options);
      refuseReportPath(run.session.folder, probeFile(run.target));
      return run.credentials(options.write ? 'write' : 'read');
    },
    work: (run, credentials) => probeTarget(run, credentials, options, ask),
  });
}

async function probeTarget(run: TargetRun, credentials: Credentials, options: ProbeOptions, ask: Ask | null): Promise<readonly ExitCode[]> {
  const { session, target, io } = run;
  const steps: readonly ProbeStep[] = ['read', ...(options.write ? (['write'] as const) : [])];
  const localFolder = await localFolderOf(session, target, io);
  const planned = plannedSteps({
    steps,
    asset: options.asset,
    hasScopedKey: 'scopedKey' in credentials,
  });
  printRequests(io, target, planned);
  const quiet = options.quiet === true;
  const openJournal = (): ScratchJournal => openScratchJournal(journalStore(localFolder));
  warnOfLeftovers(io, openJournal());
  if (!options.write) return runSteps(run, credentials, { steps, asset: undefined, journal: openJournal(), quiet }, null);
  const openLedger = await openLedgerOf(session, target, io);
  if (!options.yes) await confirmProbe(io, target, planned, ask);
  const work = (heldLock: HeldLock | null) =>
    runSteps(run, credentials, { steps, asset: options.asset, journal: openJournal(), quiet }, heldLock);
  if (openLedger) io.telemetry?.enter('lock');
  return openLedger ? withLock(openLedger, target, io, { timeoutSeconds: 0, configuration: null }, work) : work(null);
}

function printRequests(io: AppContext, { name, baseUrl }: Target, planned: readonly PlannedStep[]): void {
  for (const { step, requests, count } of planned) {
    info(io, `probe of ${name}, step ${step}: ${count} requests to ${baseUrl}, and one more for each that is not answered as expected`);
    for (const request of requests) io.stderr.write(`  ${request}\n`);
  }
}

function warnOfLeftovers(io: AppContext, journal: ScratchJournal): void {
  const objects = journal.pending().length;
  if (objects > 0)
    warn(io, `an earlier probe may have left ${objects} of its objects in the account`, '`upkeep probe --write` removes them first');
}

async function runSteps(
  { session, target, io, reports }: TargetRun,
  credentials: Credentials,
  { steps, asset, journal, quiet }: Pick<ProbeInput, 'steps' | 'asset' | 'journal'> & { readonly quiet: boolean },
  heldLock: HeldLock | null,
): Promise<readonly ExitCode[]> {
  const at = new Date(io.now()).toISOString();
  const { http, baseUrl, service } = target;
  const transport = createTransport({
    baseUrl,
    connections: CONNECTIONS,
    maxBodyMib: http.maxBodyMib,
    proxy: proxyFor(baseUrl, io),
    ...(io.fetch ? { fetch: io.fetch } : {}),
    observe: io.observe,
  });
  const status = io.startStatus(quiet);
  status.show(durationText('probing', io.now()));
  try {
    const result = await runProbe({
      connection: connectionOf(target, credentials, io, transport, heldLock, (text) => status.say(text)),
      steps,
      asset,
      journal,
      configured: {
        'service.v3_post': service.v3Post,
        'service.scoped_key_v3_post': service.scopedKeyV3Post,
        'service.signature_in': service.signatureIn,
        'service.reference_api': service.referenceApi,
        'service.resettable_members': service.resettableMembers,
      },
    });
    status.clear();
    const probe: ProbeReport = io.secrets.redactIn({ schemaVersion: 1, target: target.name, at, upkeep: VERSION, steps, ...result });
    reports.add({ type: 'probe', probe });
    if (!io.signal.aborted) await save(session.folder, target, probe, session.read);
    if (heldLock?.lost()) throw lockLost(target);
    return [...(io.signal.aborted ? [EXIT_CODES.interrupted] : []), ...exitCodesOf(probe)];
  } finally {
    status.clear();
    await transport.close();
  }
}

function connectionOf(
  { http, baseUrl, service }: Target,
  credentials: Credentials,
  io: AppContext,
  transport: Transport,
  heldLock: HeldLock | null,
  say: (text: string) => void,
): ProbeConnection {
  const signal = heldLock?.signal ?? io.signal;
  // http is possible to this machine only (`base_url`), where nobody else is served.
  const isLocal = baseUrl.startsWith('http:');
  const slowest = Math.min(MAX_PROBE_REQUESTS_PER_SECOND, http.requestsPerSecond || MAX_PROBE_REQUESTS_PER_SECOND);
  return {
    transport,
    baseUrl,
    credentials,
    signatureIn: service.signatureIn,
    v3Post: 'scopedKey' in credentials ? service.scopedKeyV3Post : service.v3Post,
    requestsPerSecond: isLocal ? http.requestsPerSecond : slowest,
    timeoutMs: http.timeoutSeconds * 1000,
    now: io.now,
    elapsed: io.elapsed,
    sleep: (ms) => sleep(ms, signal),
    redact: (text) => io.secrets.redact(text),
    signal,
    ...(heldLock ? { beforeWrite: heldLock.beforeWrite } : {}),
    onStep: (step) => io.telemetry?.enter(step),
    onAttempt(attempt) {
      io.telemetry?.request(attempt);
      say(`${attempt.method} ${attempt.path} ${attempt.status ?? 'no answer'}`);
    },
  };
}

/** Writes the result beside upkeep.yaml, in place of that of an earlier probe. */
function save(folder: string, target: Target, probe: ProbeReport, read: ReadonlySet<string>): Promise<void> {
  const options = plainOptions({ command: 'probe', version: VERSION, folder: '', project: '' });
  return saveReport(folder, probeFile(target), renderJson([{ type: 'probe', probe }], options), read);
}

/** Returns the exit codes of a probe: refused credentials, no answer at all, a contradicted assumption, objects that were left. */
function exitCodesOf({ answers, leftBehind }: ProbeReport): readonly ExitCode[] {
  const isRefused = answers.some(({ id, found }) => id === 'signature-accepted' && found === 'refused');
  const asked = answers.filter(({ step }) => step === 'read');
  return [
    ...(isRefused ? [EXIT_CODES.credentials] : []),
    ...(asked.every(({ found }) => found === null) ? [EXIT_CODES.incomplete] : []),
    ...(answers.some(({ state }) => state === 'contradicted') ? [EXIT_CODES.error] : []),
    ...(leftBehind.length > 0 ? [EXIT_CODES.failed] : []),
  ];
}

/** Keeps the journal of scratch objects among the local files of the target. */
function journalStore(localFolder: string): JournalStore {
  const file = join(localFolder, JOURNAL_FILE);
  return {
    read: () => readLocalFile(localFolder, JOURNAL_FILE, MAX_BYTES) ?? '',
    append(line) {
      ensureLocalFolder(localFolder);
      const flags = fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW;
      const descriptor = fs.openSync(file, flags, 0o600);
      try {
        // The leading line break ends a line that a kill or a full disk cut off.
        fs.appendFileSync(descriptor, `\n${line}\n`);
        fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
    },
    clear: () => fs.rmSync(file, { force: true }),
  };
}
