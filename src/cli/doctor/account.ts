/** Whether the account can be read: the way there, the clock, the signature, and each kind. */
import type { Target } from '../../engine/desired/configuration.ts';
import { observe, type Seen } from '../../engine/fetch.ts';
import type { Kind, ServiceError } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/kinds.ts';
import { SKEW_MS } from '../../service/answer.ts';
import { withAccount } from '../account.ts';
import type { Credentials } from '../credentials.ts';
import { EXIT, interrupted } from '../exit.ts';
import type { Io } from '../io.ts';
import type { NoiseOptions } from '../options.ts';
import { type Examined, failed, ok, skipped, warning } from './examined.ts';

/** What reading one kind came to. */
interface Read {
  readonly kind: Kind;
  readonly seen: Seen;
}

/**
 * Reads every kind once; nothing is tried again, so that it is told how things are now. `present` are the top-level keys that the
 * target declares: what it does not manage stops no run of it. @throws Stop where interrupted
 */
export function examineAccount(
  target: Target,
  credentials: Credentials,
  present: ReadonlySet<string>,
  io: Io,
  options: NoiseOptions,
): Promise<readonly Examined[]> {
  const patient = { ...target, http: { ...target.http, giveUpSeconds: 0 } };
  return withAccount(patient, credentials, io, options, async ({ service, status }) => {
    const reads = await Promise.all(kinds.map(async (kind) => ({ kind, seen: await observe(kind, service, io.now) })));
    status.clear();
    if (reads.some(({ seen }) => seen.fault?.fault === 'interrupted')) throw interrupted();
    const isAccepted = reads.some(({ seen }) => seen.fault === null);
    const way = connection(target, reads);
    if (way.exit !== undefined) return [way, ...unexaminedAccount('nothing answered').slice(1)];
    return [
      way,
      clock(service.clock.aheadMs),
      signature(reads, isAccepted),
      ...reads.map((read) => readCheck(read, isAccepted, manages(read.kind, present))),
    ];
  });
}

/** What stands here where nobody could be asked. */
export function unexaminedAccount(why: string): readonly Examined[] {
  return ['connection', 'clock', 'signature', ...kinds.map(readName)].map((check) => skipped(check, why));
}

function manages(kind: Kind, present: ReadonlySet<string>): boolean {
  return kind.sections.some((section) => section.manages && present.has(section.key));
}

function faultsOf(reads: readonly Read[]): readonly ServiceError[] {
  return reads.flatMap(({ seen }) => seen.fault ?? []);
}

/** Whether no word came from the service. */
function isSilent({ fault }: ServiceError): boolean {
  return fault === 'unreachable' || fault === 'timeout' || fault === 'overdue';
}

/** Whether it may be the signature that was refused: v3 has no code of its own for that (facts.md section 1, point 7). */
function isRefusal({ fault }: ServiceError): boolean {
  return fault === 'credentials' || fault === 'refused';
}

function connection({ baseUrl }: Target, reads: readonly Read[]): Examined {
  const faults = faultsOf(reads);
  const [first] = faults;
  const isLost = faults.length === reads.length && faults.every(isSilent);
  return first && isLost ? failed('connection', first.message, first.advice, EXIT.incomplete) : ok('connection', `${baseUrl} answers`);
}

/** A clock that is wrong spoils signatures; whether it has done so already, the next check tells. */
function clock(aheadMs: number | null): Examined {
  if (aheadMs === null) return skipped('clock', 'no answer has told the time of the service');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= SKEW_MS) return ok('clock', `differs from that of the service by ${seconds} s`);
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return warning('clock', `${seconds} s ${side} that of the service, which spoils signatures`, "set this machine's clock, best by NTP");
}

function signature(reads: readonly Read[], isAccepted: boolean): Examined {
  if (isAccepted) return ok('signature', 'accepted');
  const refusal = faultsOf(reads).find(({ fault }) => fault === 'credentials') ?? faultsOf(reads).find(isRefusal);
  if (refusal) return failed('signature', refusal.message, refusal.advice, EXIT.credentials);
  return skipped('signature', 'nothing was answered that could tell');
}

function readName({ name }: Pick<Kind, 'name'>): string {
  return `read ${name}`;
}

function readCheck({ kind, seen: { fault, observation } }: Read, isAccepted: boolean, isManaged: boolean): Examined {
  const name = readName(kind);
  const { length } = observation.objects;
  if (fault === null) return ok(name, kind.singleton ? 'answers' : `answers with ${length} ${length === 1 ? 'object' : 'objects'}`);
  if (isRefusal(fault) && !isAccepted) return skipped(name, 'refused with the signature');
  const lacking = 'the signature is accepted elsewhere, so this key lacks the permission: ask whoever gave it to you';
  const remedy = fault.fault === 'credentials' ? lacking : fault.advice;
  if (!isManaged) return warning(name, fault.message, `none, as long as the target declares nothing of this kind; else: ${remedy}`);
  return failed(name, fault.message, remedy, fault.fault === 'credentials' ? EXIT.credentials : EXIT.incomplete);
}
