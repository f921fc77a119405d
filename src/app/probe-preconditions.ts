/** What must hold before a probe writes: usable flags, an account that may be changed, and a user who agrees. */
import type { Target } from '../core/config/project.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import type { PlannedStep } from '../probe/run-probe.ts';
import type { TargetRun } from './account/target-run.ts';
import type { Ask } from './apply-target.ts';
import { CliError, interrupted } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import type { AppContext } from './run/runtime.ts';

/** Options of a probe. */
export interface ProbeOptions extends TargetOptions {
  readonly write?: true | undefined;
  readonly yes?: true | undefined;
  /** ID of an asset of which no asset playlist exists. */
  readonly asset?: string | undefined;
}

/** @throws CliError for flags that cannot be used together, and for a target to which nothing is written */
export function requireUsable({ target: { name, ownership } }: TargetRun, { write, asset }: ProbeOptions): void {
  if (asset !== undefined && !write)
    throw new CliError(EXIT_CODES.invalid, 'usage', '--asset has no meaning without --write', 'add --write, or leave it out');
  if (asset !== undefined && !/^[\w-]{1,64}$/.test(asset))
    throw new CliError(EXIT_CODES.invalid, 'usage', '--asset is not the ID of an asset', 'give the ID, 32 hexadecimal characters');
  if (write && ownership === 'observe')
    throw new CliError(
      EXIT_CODES.blocked,
      'observe',
      `target ${name} is only observed, so that nothing is written to it`,
      'probe without --write, or set `ownership: shared` in upkeep.yaml first',
    );
}

/** Asks the user to confirm the writes. @throws CliError if the user does not, or nobody can be asked */
export async function confirmProbe(
  io: AppContext,
  { name, baseUrl }: Target,
  planned: readonly PlannedStep[],
  ask: Ask | null,
): Promise<void> {
  const count = planned.reduce((sum, step) => sum + step.count, 0);
  const question = {
    question: `Create scratch objects in ${name}, and remove them?`,
    facts: [
      ['service', baseUrl],
      ['requests', `${count}, and one more for each that is not answered as expected`],
      ['objects', 'inactive playlists and a policy that no URL names, with random names'],
    ] as const,
  };
  if (ask && (await ask({ ...io.secrets.redactIn(question), yes: 'yes' }))) return;
  if (io.signal.aborted) throw interrupted();
  throw new CliError(
    EXIT_CODES.blocked,
    'not-confirmed',
    'not confirmed, so nothing was written',
    'run it again and answer the question; without a terminal, confirm with --yes',
  );
}
