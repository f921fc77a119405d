/** Whether the account can be read: the way there, the clock, the signature, and each kind. */

import { SKEW_MS } from '../../api-client/response.ts';
import type { Target } from '../../config/project.ts';
import { kinds } from '../../kinds/index.ts';
import type { ApiError, Kind } from '../../kinds/kind.ts';
import { type KindRead, readKind } from '../../plan/refresh.ts';
import type { Credentials } from '../credentials.ts';
import { EXIT_CODES, interrupted } from '../exit-codes.ts';
import type { NoiseOptions } from '../options.ts';
import { withApiClient } from '../plan-target.ts';
import type { CliContext } from '../runtime.ts';
import { type CheckResult, failed, ok, skipped, warning } from './check.ts';

/** What reading one kind came to. */
interface Read {
  readonly kind: Kind;
  readonly seen: KindRead;
}

/**
 * Reads every kind once; nothing is tried again, so that it is told how things are now. `present` are the top-level keys that the
 * target declares: what it does not manage stops no run of it. @throws Stop where interrupted
 */
export function checkAccount(
  target: Target,
  credentials: Credentials,
  present: ReadonlySet<string>,
  io: CliContext,
  options: NoiseOptions,
): Promise<readonly CheckResult[]> {
  const patient = { ...target, http: { ...target.http, giveUpSeconds: 0 } };
  return withApiClient(patient, credentials, io, options, async ({ service, status }) => {
    const reads = await Promise.all(kinds.map(async (kind) => ({ kind, seen: await readKind(kind, service, io.now) })));
    status.clear();
    if (reads.some(({ seen: read }) => read.error?.kind === 'interrupted')) throw interrupted();
    const isAccepted = reads.some(({ seen: read }) => read.error === null);
    const way = connection(target, reads);
    if (way.exit !== undefined) return [way, ...skipAccountChecks('nothing answered').slice(1)];
    return [
      way,
      clock(service.clock.aheadMs),
      signature(reads, isAccepted),
      ...reads.map((read) => readCheck(read, isAccepted, manages(read.kind, present))),
    ];
  });
}

/** What stands here where nobody could be asked. */
export function skipAccountChecks(why: string): readonly CheckResult[] {
  return ['connection', 'clock', 'signature', ...kinds.map(readName)].map((check) => skipped(check, why));
}

function manages(kind: Kind, present: ReadonlySet<string>): boolean {
  return kind.sections.some((section) => section.manages && present.has(section.key));
}

function faultsOf(reads: readonly Read[]): readonly ApiError[] {
  return reads.flatMap(({ seen: read }) => read.error ?? []);
}

/** Whether no word came from the service. */
function isSilent({ kind }: ApiError): boolean {
  return kind === 'unreachable' || kind === 'timeout' || kind === 'deadline';
}

/** Whether it may be the signature that was refused: v3 has no code of its own for that (api-notes section 1, point 7). */
function isRefusal({ kind }: ApiError): boolean {
  return kind === 'credentials' || kind === 'rejected';
}

function connection({ baseUrl }: Target, reads: readonly Read[]): CheckResult {
  const errors = faultsOf(reads);
  const [first] = errors;
  const isLost = errors.length === reads.length && errors.every(isSilent);
  return first && isLost
    ? failed('connection', first.message, first.advice, EXIT_CODES.incomplete)
    : ok('connection', `${baseUrl} answers`);
}

/** A clock that is wrong spoils signatures; whether it has done so already, the next check tells. */
function clock(aheadMs: number | null): CheckResult {
  if (aheadMs === null) return skipped('clock', 'no answer has told the time of the service');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= SKEW_MS) return ok('clock', `differs from that of the service by ${seconds} s`);
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return warning('clock', `${seconds} s ${side} that of the service, which spoils signatures`, "set this machine's clock, best by NTP");
}

function signature(reads: readonly Read[], isAccepted: boolean): CheckResult {
  if (isAccepted) return ok('signature', 'accepted');
  const refusal = faultsOf(reads).find(({ kind }) => kind === 'credentials') ?? faultsOf(reads).find(isRefusal);
  if (refusal) return failed('signature', refusal.message, refusal.advice, EXIT_CODES.credentials);
  return skipped('signature', 'nothing was answered that could tell');
}

function readName({ name }: Pick<Kind, 'name'>): string {
  return `read ${name}`;
}

function readCheck({ kind, seen: { error, result } }: Read, isAccepted: boolean, isManaged: boolean): CheckResult {
  const name = readName(kind);
  const { length } = result.objects;
  if (error === null) return ok(name, kind.singleton ? 'answers' : `answers with ${length} ${length === 1 ? 'object' : 'objects'}`);
  if (isRefusal(error) && !isAccepted) return skipped(name, 'refused with the signature');
  const lacking = 'the signature is accepted elsewhere, so this key lacks the permission: ask whoever gave it to you';
  const remedy = error.kind === 'credentials' ? lacking : error.advice;
  if (!isManaged) return warning(name, error.message, `none, as long as the target declares nothing of this kind; else: ${remedy}`);
  return failed(name, error.message, remedy, error.kind === 'credentials' ? EXIT_CODES.credentials : EXIT_CODES.incomplete);
}
