import { accountOf, DEVICE_KINDS, devicesOf } from '../../app/device-impact.ts';
import { CliError, EXIT_CODES, type ExitCode } from '../../app/exit-codes.ts';
import { forEachTarget } from '../../app/for-each-target.ts';
import { loadState, openLedgerOf } from '../../app/load-state.ts';
import type { TargetOptions } from '../../app/options.ts';
import { planTarget, reportReadErrors, withApiClient } from '../../app/plan-target.ts';
import { type PreparedTarget, prepareTarget } from '../../app/prepare-target.ts';
import type { OpenProject } from '../../app/project.ts';
import type { CliContext } from '../../app/runtime.ts';
import type { TargetRun } from '../../app/target-run.ts';
import type { Device } from '../../device-impact/device.ts';
import type { BeforeAfterPolicies } from '../../device-impact/plan-impact.ts';
import { reportOn } from '../../device-impact/report.ts';
import { drmPolicy } from '../../kinds/drm-policy/index.ts';
import { matchesGlob } from '../../model/glob.ts';
import type { ImpactSide } from '../../model/impact.ts';
import { NO_OVERRIDES } from '../../safety/checks.ts';

/** Flags of `impact`. */
export interface ImpactOptions extends TargetOptions {
  /** Globs over the classes of devices; empty = all. */
  readonly device: readonly string[];
  readonly of: ImpactSide;
  readonly why?: true | undefined;
  /** The configuration at this commit instead of the work tree's. */
  readonly ref?: string | undefined;
}

/** Runs `impact [ADDRESS]`: shows which devices play what under the policies. It plans the target first; writes nothing. */
export function impactCommand(io: CliContext, address: string, options: ImpactOptions): Promise<ExitCode> {
  return forEachTarget(io, options, {
    async prepare(run) {
      return { ...(await prepareTarget(run, options.ref)), devices: chosenDevices(run.session, options.device) };
    },
    work: (run, ready) => reportImpact(address, options, run, ready),
  });
}

async function reportImpact(
  address: string,
  options: ImpactOptions,
  { session, target, io, reports }: TargetRun,
  { configuration, credentials, devices }: PreparedTarget & { readonly devices: readonly Device[] },
): Promise<readonly ExitCode[]> {
  const before = await loadState(session, target, io, await openLedgerOf(session, target, io), undefined);
  return withApiClient(target, credentials, io, options, async (account) => {
    const planning = { configuration, remembered: before, allowed: NO_OVERRIDES, checks: false };
    const { reconciled: planResult } = await planTarget(session, target, account, io, { only: DEVICE_KINDS }, planning);
    const incomplete = reportReadErrors(io, planResult.errors);
    const sides = chosenPolicies(accountOf(planResult.beforeAfter), address, planResult.plan.observed[drmPolicy.name] === 'complete');
    reports.add({ type: 'impact', impact: reportOn(target.name, options.of, sides, devices) }, { why: options.why === true });
    return incomplete;
  });
}

/** The classes that `--device` names. @throws CliError */
function chosenDevices({ project }: OpenProject, globs: readonly string[]): readonly Device[] {
  const devices = devicesOf(project);
  const idle = globs.find((glob) => !devices.some(({ id }) => matchesGlob(glob, id)));
  if (idle === undefined) return devices.filter(({ id }) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, id)));
  const known = `the devices are ${devices.map(({ id }) => id).join(', ')}`;
  throw new CliError(EXIT_CODES.invalid, 'unknown-device', `--device ${idle} matches no device`, known);
}

/** The policies that the address names, in order. If policies could not be read, an unmatched address is not an error. @throws CliError */
function chosenPolicies(account: BeforeAfterPolicies, address: string, isComplete: boolean): BeforeAfterPolicies {
  const policies = account.policies.filter((policy) => matchesGlob(address, policy.address));
  if (policies.length > 0 || !isComplete || address === '*') return { ...account, policies };
  const some = account.policies.slice(0, 10).map((policy) => policy.address);
  const known = some.length === 0 ? 'there is no policy' : `policies are ${some.join(', ')}${account.policies.length > 10 ? ', ...' : ''}`;
  throw new CliError(EXIT_CODES.invalid, 'unknown-address', `${address} matches no policy`, known);
}
