/** What must hold before a probe writes: usable flags, an account that may be changed, and a user who agrees. */
import type { Target } from '../config/project.ts';
import type { PlannedStep } from '../probe/run-probe.ts';
import { type ScratchJournal, SETTING_NAMES, type SettingName } from '../probe/scratch.ts';
import type { Ask } from './apply-target.ts';
import { CliError, EXIT_CODES, interrupted } from './exit-codes.ts';
import { loadState, type OpenLedger } from './load-state.ts';
import { warn } from './messages.ts';
import type { TargetOptions } from './options.ts';
import { type OpenProject, validDesiredStateOf } from './project.ts';
import type { AppContext } from './runtime.ts';
import type { TargetRun } from './target-run.ts';

/** Options of a probe. */
export interface ProbeOptions extends TargetOptions {
  readonly write?: true | undefined;
  readonly pace?: true | undefined;
  readonly yes?: true | undefined;
  /** ID of an asset of which no asset playlist exists. */
  readonly asset?: string | undefined;
  /** Whether the settings of the account may be changed, and put back. */
  readonly disposableAccount?: true | undefined;
}

/** @throws CliError for flags that cannot be used together, and for a target to which nothing is written */
export function requireUsable(
  { target: { name, ownership }, isOnlyTarget }: TargetRun,
  { write, asset, disposableAccount }: ProbeOptions,
): void {
  if (asset !== undefined && !write)
    throw new CliError(EXIT_CODES.invalid, 'usage', '--asset has no meaning without --write', 'add --write, or leave it out');
  if (disposableAccount && !write)
    throw new CliError(EXIT_CODES.invalid, 'usage', '--disposable-account has no meaning without --write', 'add --write, or leave it out');
  if (disposableAccount && !isOnlyTarget)
    throw new CliError(
      EXIT_CODES.invalid,
      'usage',
      '--disposable-account is for one target at a time',
      'name the target of the disposable account with --target',
    );
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

/**
 * Returns the settings of the account that upkeep manages: what the ledger says was applied, or without one what is declared. Null where that
 * cannot be read.
 */
async function managedSettings({ session, target, io }: TargetRun, openLedger: OpenLedger | null): Promise<readonly SettingName[] | null> {
  if (openLedger === null) {
    const declared = declaredIn(session, target);
    return SETTING_NAMES.filter((name) => declared.has(name));
  }
  const { lastApplied } = await loadState(session, target, io, openLedger, undefined);
  return lastApplied && SETTING_NAMES.filter((name) => lastApplied.resources.has(name) || lastApplied.unknownAddresses.has(name));
}

/** Refuses an account of which upkeep manages settings. @throws CliError */
export async function requireUnmanaged(run: TargetRun, openLedger: OpenLedger | null): Promise<void> {
  const managed = await managedSettings(run, openLedger);
  if (managed?.length === 0) return;
  const why = managed ? `upkeep manages its ${managed.join(', ')}` : 'what was applied to it cannot be read';
  throw new CliError(
    EXIT_CODES.blocked,
    'not-disposable',
    `target ${run.target.name} is not the target of a disposable account: ${why}`,
    'probe a test account, with a target that does not declare them; leave --disposable-account out here',
  );
}

/**
 * Returns the journal without the settings that upkeep manages since an earlier probe has changed them: what was applied is not overwritten
 * with what was there before. Where that cannot be read, no setting is put back.
 */
export async function withoutManaged(run: TargetRun, openLedger: OpenLedger | null, journal: ScratchJournal): Promise<ScratchJournal> {
  const pending = journal.settings().map(({ setting }) => setting);
  if (pending.length === 0) return journal;
  const managed = await managedSettings(run, openLedger);
  if (managed === null) {
    warn(run.io, `${pending.join(', ')} is not put back: what was applied cannot be read`, 'fix that, and probe again');
    return { ...journal, settings: () => [] };
  }
  const settled = pending.filter((setting) => managed.includes(setting));
  for (const setting of settled) journal.restored(setting);
  if (settled.length > 0)
    warn(run.io, `${settled.join(', ')} is not put back: upkeep manages it now`, '`upkeep plan` shows whether it is as declared');
  return journal;
}

/** Returns the resources that the configuration declares, by address. @throws CliError if it is invalid */
function declaredIn(session: OpenProject, target: Target): ReadonlyMap<string, unknown> {
  return new Map(validDesiredStateOf(session, target).resources.map((resource) => [resource.address, resource]));
}

/** The facts about a probe of a disposable account: what cannot be put back stands in docs/probe.md, too. */
const ACCOUNT_FACTS = [
  [
    'settings',
    'VMP statuses, static key and key rotation schedule are changed, and put back. Content may play, or stop playing, meanwhile',
  ],
  [
    'stays',
    'a schedule that was never set stays, switched off; lists that were never set may stay as empty ones; statuses stay where the service ignores an empty list',
  ],
] as const;

/**
 * Asks the user to confirm the writes; `owner` is the ID to type in for a disposable account, which is not shown.
 * @throws CliError if the user does not, or nobody can be asked
 */
export async function confirmProbe(
  io: AppContext,
  { name, baseUrl }: Target,
  planned: readonly PlannedStep[],
  ask: Ask | null,
  owner: string | null,
): Promise<void> {
  const count = planned.reduce((sum, step) => sum + step.count, 0);
  const question = {
    question: `Create scratch objects in ${name}, and remove them?${owner === null ? '' : ' Change the settings of its account, too?'}`,
    facts: [
      ['service', baseUrl],
      ['requests', `${count}, and one more for each that is not answered as expected`],
      ['objects', 'inactive playlists and a policy that no URL names, with random names'],
      ...(owner === null ? [] : ACCOUNT_FACTS),
    ] as const,
  };
  const answer = owner === null ? { yes: 'yes' } : { yes: owner, yesIs: 'the ID of the owner of the account (`credentials.owner`)' };
  if (ask && (await ask({ ...io.secrets.redactIn(question), ...answer }))) return;
  if (io.signal.aborted) throw interrupted();
  throw new CliError(
    EXIT_CODES.blocked,
    'not-confirmed',
    'not confirmed, so nothing was written',
    'run it again and answer the question; without a terminal, confirm with --yes',
  );
}
