/** Checks whether the account can be read: connection, clock, signature, and each kind. */

import { SKEW_MS } from '../../core/api-client/response.ts';
import type { Target } from '../../core/config/project.ts';
import { kinds } from '../../core/kinds/index.ts';
import type { ApiError, Kind, LiveResource } from '../../core/kinds/kind.ts';
import { declaresResources } from '../../core/model/address.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import type { KindRead } from '../../core/plan/kind-state.ts';
import { readKind } from '../../core/plan/refresh.ts';
import { withApiClient } from '../account/api-connection.ts';
import type { Credentials } from '../account/credentials.ts';
import { requireSameConfiguredOwner } from '../account/same-owner.ts';
import { exitCodeOf, interrupted } from '../run/exit-codes.ts';
import type { NoiseOptions } from '../run/options.ts';
import type { AppContext } from '../run/runtime.ts';
import { type CheckResult, failed, failedOnError, ok, skipped, warning } from './check.ts';

/** A kind and the result of reading it. */
interface ReadOfKind {
  readonly kind: Kind;
  readonly result: KindRead;
}

/**
 * Reads every kind once, without retries, to report the current state. `present` are the top-level keys that the target declares: a kind
 * that it does not manage stops no run. @throws CliError when interrupted
 */
export function checkAccount(
  target: Target,
  credentials: Credentials,
  present: ReadonlySet<string>,
  io: AppContext,
  options: NoiseOptions,
): Promise<readonly CheckResult[]> {
  const withoutRetries = { ...target, http: { ...target.http, giveUpSeconds: 0 } };
  io.telemetry?.enter('read');
  return withApiClient(withoutRetries, credentials, io, options, async ({ client, status }) => {
    const reads = await Promise.all(kinds.map(async (kind) => ({ kind, result: await readKind<LiveResource>(kind, client, io.now) })));
    status.clear();
    if (io.signal.aborted) throw interrupted();
    const isAccepted = reads.some(({ result }) => result.error === null);
    const connection = connectionCheck(target, reads);
    if (connection.exit !== undefined) return [connection, ...skipAccountChecks('nothing answered').slice(1)];
    return [
      connection,
      clockCheck(client.clock.aheadMs),
      signatureCheck(reads, isAccepted),
      ...reads.map((read) => readCheck(read, isAccepted, manages(read.kind, present))),
    ];
  });
}

/** Checks the key that writes: which kinds it can read, and that it is of the same account. Whether it may write is not tried. */
export function checkWritingKey(
  target: Target,
  { reading, writing }: { readonly reading: Credentials | null; readonly writing: Credentials },
  io: AppContext,
  options: NoiseOptions,
): Promise<readonly CheckResult[]> {
  const withoutRetries = { ...target, http: { ...target.http, giveUpSeconds: 0 } };
  return failedOnError('key that writes', async () => {
    if (reading) requireSameConfiguredOwner(reading, writing);
    return withApiClient(withoutRetries, writing, io, options, async ({ client, status }) => {
      const reads = await Promise.all(kinds.map(async (kind) => ({ kind, result: await readKind<LiveResource>(kind, client, io.now) })));
      status.clear();
      if (io.signal.aborted) throw interrupted();
      const owners = reads.flatMap(({ result: { result } }) => result.owner ?? []);
      const others = owners.filter((owner) => owner.toLowerCase() !== writing.owner.toLowerCase());
      const [error] = errorsOf(reads);
      const readable = reads.filter(({ result }) => result.error === null).map(({ kind }) => kind.name);
      if (error && readable.length === 0) return [failed('key that writes', error.message, error.advice, exitCodeOf(error))];
      if (others.length > 0)
        return [
          failed(
            'key that writes',
            'the service names another owner than the configuration',
            'correct `credentials.write`',
            EXIT_CODES.credentials,
          ),
        ];
      const summary = `accepted; it can read ${readable.join(', ')}`;
      if (!error) return [ok('key that writes', summary)];
      return [
        warning(
          'key that writes',
          `${summary}, but not the rest: ${error.message}`,
          `what it cannot read it cannot verify: ${error.advice}`,
        ),
      ];
    });
  });
}

/** Returns the account checks as skipped, with the reason. */
export function skipAccountChecks(why: string): readonly CheckResult[] {
  return ['connection', 'clock', 'signature', ...kinds.map(readName)].map((check) => skipped(check, why));
}

function manages(kind: Kind, present: ReadonlySet<string>): boolean {
  return kind.sections.filter(declaresResources).some(({ key }) => present.has(key));
}

function errorsOf(reads: readonly ReadOfKind[]): readonly ApiError[] {
  return reads.flatMap(({ result }) => result.error ?? []);
}

function isNoResponse({ category }: ApiError): boolean {
  return category === 'unreachable' || category === 'timeout' || category === 'deadline';
}

/** Decides whether an error may mean a rejected signature: v3 has no separate code for it (api-notes section 1, point 7). */
function maySignatureBeRejected({ category }: ApiError): boolean {
  return category === 'credentials' || category === 'rejected';
}

function connectionCheck({ baseUrl }: Target, reads: readonly ReadOfKind[]): CheckResult {
  const errors = errorsOf(reads);
  const [first] = errors;
  const hasNoResponse = errors.length === reads.length && errors.every(isNoResponse);
  return first && hasNoResponse
    ? failed('connection', first.message, first.advice, EXIT_CODES.incomplete)
    : ok('connection', `${baseUrl} answers`);
}

/** Checks the clock: a wrong clock invalidates signatures, which the next check shows. */
function clockCheck(aheadMs: number | null): CheckResult {
  if (aheadMs === null) return skipped('clock', 'no response contained the time of the service');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= SKEW_MS) return ok('clock', `differs from that of the service by ${seconds} s`);
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `${seconds} s ${side} that of the service, which invalidates signatures`,
    "set this machine's clock, best by NTP",
  );
}

function signatureCheck(reads: readonly ReadOfKind[], isAccepted: boolean): CheckResult {
  if (isAccepted) return ok('signature', 'accepted');
  const error = errorsOf(reads).find(({ category }) => category === 'credentials') ?? errorsOf(reads).find(maySignatureBeRejected);
  if (error) return failed('signature', error.message, error.advice, EXIT_CODES.credentials);
  return skipped('signature', 'no response could confirm it');
}

function readName({ name }: Pick<Kind, 'name'>): string {
  return `read ${name}`;
}

function readCheck({ kind, result: { error, result } }: ReadOfKind, isAccepted: boolean, isManaged: boolean): CheckResult {
  const name = readName(kind);
  const { length } = result.objects;
  if (error === null)
    return ok(name, kind.type === 'setting' ? 'answers' : `answers with ${length} ${length === 1 ? 'object' : 'objects'}`);
  if (maySignatureBeRejected(error) && !isAccepted) return skipped(name, 'refused with the signature');
  const permissionHint = 'the signature is accepted elsewhere, so this key lacks the permission: ask whoever gave it to you';
  const remedy = error.category === 'credentials' ? permissionHint : error.advice;
  if (!isManaged) return warning(name, error.message, `none, as long as the target declares nothing of this kind; else: ${remedy}`);
  return failed(name, error.message, remedy, exitCodeOf(error));
}
