/** Builds the runs of show of a resource from its plan. */
import type { Kind } from '../kinds/kind.ts';
import type { RunsOfShow } from '../model/explanation.ts';
import { type AskedDate, type AssetTimes, runOfShow } from '../model/run-of-show.ts';
import type { PlannedTarget } from './plan-target.ts';

/** Returns the runs of show of a resource, live and declared; undefined where resources of its kind hold no list of what plays. */
export function runsOfShowOf(
  address: string,
  kind: Kind,
  { input, result }: PlannedTarget,
  assets: ReadonlyMap<string, AssetTimes>,
  at: AskedDate | null,
): RunsOfShow | undefined {
  if (!kind.contentOf) return undefined;
  const desired = input.desiredState.resources.find((each) => each.address === address);
  const id = result.remoteIdByAddress.get(address);
  const objects = result.readByKind.get(kind.name)?.result.objects ?? [];
  const live = objects.find((object) => (id === undefined ? !desired && kind.idAddress(object) === address : object.id === id));
  const [time, text] = [at?.time ?? null, at?.text ?? null];
  return {
    live: live ? runOfShow(kind.contentOf(live.fields), assets, time) : null,
    declared: desired ? runOfShow(kind.contentOf(desired.fields), assets, time) : null,
    at: text,
  };
}
