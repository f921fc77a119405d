/** Reports which devices play what under the policies of a target. */

import { devicesOf } from '../core/device-impact/declared-devices.ts';
import type { Device } from '../core/device-impact/device.ts';
import type { BeforeAfterPolicies } from '../core/device-impact/plan-impact.ts';
import { reportOn } from '../core/device-impact/report.ts';
import { drmPolicy } from '../core/kinds/drm-policy/index.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import { matchesGlob } from '../core/model/glob.ts';
import type { ImpactSide } from '../core/model/impact.ts';
import type { TargetRun } from './account/target-run.ts';
import { accountOf, DEVICE_KINDS } from './device-impact.ts';
import { type PreparedTarget, prepareTarget, withReadOnlyPlan } from './plan-target.ts';
import { CliError } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import type { OpenProject } from './run/project.ts';

/** Options of `impact`. */
export interface ImpactOptions extends TargetOptions {
  /** Globs over the device classes; empty = all. */
  readonly device: readonly string[];
  readonly of: ImpactSide;
  readonly why?: true | undefined;
  /** The configuration at this commit instead of the work tree's. */
  readonly ref?: string | undefined;
}

/** The inputs of an impact report before its first request. */
export interface PreparedImpact extends PreparedTarget {
  readonly devices: readonly Device[];
}

/** Loads configuration, credentials and the chosen device classes. @throws CliError, GitError */
export async function prepareImpact(run: TargetRun, options: ImpactOptions): Promise<PreparedImpact> {
  return { ...(await prepareTarget(run, options.ref)), devices: selectDevices(run.session, options.device) };
}

/** Plans a target and adds its impact on devices to the reports. `address` is a glob over policies. @throws CliError */
export function reportImpact(
  run: TargetRun,
  prepared: PreparedImpact,
  address: string,
  options: ImpactOptions,
): Promise<readonly ExitCode[]> {
  return withReadOnlyPlan(run, prepared, options, { command: 'impact', only: DEVICE_KINDS }, ({ result }, incomplete) => {
    const isComplete = result.plan.readStatus[drmPolicy.name] === 'complete';
    const policies = selectPolicies(accountOf(result.beforeAfter), address, isComplete);
    const impact = reportOn(run.target.name, options.of, policies, prepared.devices);
    run.reports.add({ type: 'impact', impact }, { why: options.why === true });
    return incomplete;
  });
}

/** Returns the device classes that `--device` names. @throws CliError if a glob matches none */
function selectDevices({ project }: OpenProject, globs: readonly string[]): readonly Device[] {
  const devices = devicesOf(project);
  const unmatched = globs.find((glob) => !devices.some(({ id }) => matchesGlob(glob, id)));
  if (unmatched === undefined) return devices.filter(({ id }) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, id)));
  const known = `the devices are ${devices.map(({ id }) => id).join(', ')}`;
  throw new CliError(EXIT_CODES.invalid, 'unknown-device', `--device ${unmatched} matches no device`, known);
}

/** Returns the policies that the address names. If policies could not be read, an unmatched address is not an error. @throws CliError */
function selectPolicies(account: BeforeAfterPolicies, address: string, isComplete: boolean): BeforeAfterPolicies {
  const policies = account.policies.filter((policy) => matchesGlob(address, policy.address));
  if (policies.length > 0 || !isComplete || address === '*') return { ...account, policies };
  const some = account.policies.slice(0, 10).map((policy) => policy.address);
  const known = some.length === 0 ? 'there is no policy' : `policies are ${some.join(', ')}${account.policies.length > 10 ? ', ...' : ''}`;
  throw new CliError(EXIT_CODES.invalid, 'unknown-address', `${address} matches no policy`, known);
}
