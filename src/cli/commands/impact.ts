import { matchesGlob } from '../../engine/globs.ts';
import { NOTHING_ALLOWED } from '../../engine/guard.ts';
import type { AccountSides } from '../../impact/account.ts';
import type { Device } from '../../impact/device.ts';
import { reportOn } from '../../impact/report.ts';
import { drmPolicy } from '../../kinds/drm-policy/index.ts';
import type { ImpactSide } from '../../model/impact.ts';
import { complainOfFaults, planTarget, withAccount } from '../account.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import { accountOf, devicesOf, NOTICED } from '../impact.ts';
import type { Io } from '../io.ts';
import { openedLedger, remembered } from '../memory.ts';
import type { TargetOptions } from '../options.ts';
import { type Prepared, prepared } from '../prepared.ts';
import type { Session } from '../session.ts';
import type { TargetRun } from '../target-run.ts';
import { forEachTarget } from './for-each-target.ts';

/** Flags of `impact`. */
export interface ImpactOptions extends TargetOptions {
  /** Globs over the classes of devices; empty = all. */
  readonly device: readonly string[];
  readonly of: ImpactSide;
  readonly why?: true | undefined;
  /** The configuration at this commit instead of the work tree's. */
  readonly ref?: string | undefined;
}

/** `impact [ADDRESS]`: which devices play what under the policies. Takes the road of `plan`; writes nothing. */
export function impactCommand(io: Io, address: string, options: ImpactOptions): Promise<Exit> {
  return forEachTarget(io, options, {
    async prepare(run) {
      return { ...(await prepared(run, options.ref)), devices: chosenDevices(run.session, options.device) };
    },
    work: (run, ready) => reportImpact(address, options, run, ready),
  });
}

async function reportImpact(
  address: string,
  options: ImpactOptions,
  { session, target, io, reports }: TargetRun,
  { configuration, credentials, devices }: Prepared & { readonly devices: readonly Device[] },
): Promise<readonly Exit[]> {
  const before = await remembered(session, target, io, await openedLedger(session, target, io), undefined);
  return withAccount(target, credentials, io, options, async (account) => {
    const planning = { configuration, remembered: before, allowed: NOTHING_ALLOWED, checks: false };
    const { reconciled } = await planTarget(session, target, account, io, { only: NOTICED }, planning);
    const incomplete = complainOfFaults(io, reconciled.faults);
    const sides = chosenPolicies(accountOf(reconciled.sides), address, reconciled.plan.observed[drmPolicy.name] === 'complete');
    reports.add({ type: 'impact', impact: reportOn(target.name, options.of, sides, devices) }, { why: options.why === true });
    return incomplete;
  });
}

/** The classes that `--device` names. @throws Stop */
function chosenDevices({ project }: Session, globs: readonly string[]): readonly Device[] {
  const devices = devicesOf(project);
  const idle = globs.find((glob) => !devices.some(({ id }) => matchesGlob(glob, id)));
  if (idle === undefined) return devices.filter(({ id }) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, id)));
  const known = `the devices are ${devices.map(({ id }) => id).join(', ')}`;
  throw new Stop(EXIT.invalid, 'unknown-device', `--device ${idle} matches no device`, known);
}

/** The policies that the address names, in order. Where they could not be read, nobody can tell that there is none. @throws Stop */
function chosenPolicies(account: AccountSides, address: string, isComplete: boolean): AccountSides {
  const policies = account.policies.filter((policy) => matchesGlob(address, policy.address));
  if (policies.length > 0 || !isComplete || address === '*') return { ...account, policies };
  const some = account.policies.slice(0, 10).map((policy) => policy.address);
  const known = some.length === 0 ? 'there is no policy' : `policies are ${some.join(', ')}${account.policies.length > 10 ? ', ...' : ''}`;
  throw new Stop(EXIT.invalid, 'unknown-address', `${address} matches no policy`, known);
}
