/** Makes sure that the credentials that write are of the account that was planned. */
import { kinds } from '../../core/kinds/index.ts';
import type { LiveResource } from '../../core/kinds/kind.ts';
import { EXIT_CODES } from '../../core/model/exit-codes.ts';
import type { PlanResult } from '../../core/plan/build-plan.ts';
import { readKind } from '../../core/plan/refresh.ts';
import { CliError, exitCodeOf } from '../run/exit-codes.ts';
import type { AppContext } from '../run/runtime.ts';
import type { ApiConnection } from './api-connection.ts';
import type { Credentials } from './credentials.ts';

const HINT = 'correct `credentials.write` of the target: both pairs must be of one account; nothing was written';

/** Compares the user IDs of the two pairs as they are configured. @throws CliError where they differ */
export function requireSameConfiguredOwner(reading: Credentials, writing: Credentials): void {
  if (reading.owner.toLowerCase() === writing.owner.toLowerCase()) return;
  throw new CliError(EXIT_CODES.invalid, 'owner-mismatch', 'the credentials that read and those that write have different owners', HINT);
}

/**
 * Compares the owner that the service names to both keys: repeats, with the key that writes, a read of the plan whose answer named one.
 * Where no answer names an owner, or the key that writes may not read there (403), the configured user IDs count.
 * @throws CliError where the owners differ, or the read failed otherwise
 */
export async function requireSameOwner(
  { client, writer }: Pick<ApiConnection, 'client' | 'writer'>,
  { readByKind }: Pick<PlanResult, 'readByKind'>,
  io: Pick<AppContext, 'elapsed'>,
): Promise<void> {
  if (writer === client) return;
  const owners = kinds.flatMap((kind) => {
    const planned = readByKind.get(kind.name)?.result.owner;
    return planned === undefined ? [] : [{ kind, planned }];
  });
  // A setting is a short answer, and a collection may be a long one.
  const [first] = owners.toSorted((a, b) => Number(a.kind.type !== 'setting') - Number(b.kind.type !== 'setting'));
  if (first === undefined) return;
  const { result, error } = await readKind<LiveResource>(first.kind, writer, io.elapsed);
  if (error?.status === 403) return;
  if (error) throw new CliError(exitCodeOf(error), 'write-credentials', error.message, error.advice);
  if (result.owner === undefined || result.owner === first.planned) return;
  throw new CliError(EXIT_CODES.credentials, 'owner-mismatch', 'the key that writes is of another account than the key that reads', HINT);
}
