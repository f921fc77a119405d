/** Builds the runs of show of a resource from its plan. */
import type { Kind } from '../core/kinds/kind.ts';
import type { RunsOfShow } from '../core/model/explanation.ts';
import { type AskedDate, assetIds, runOfShow } from '../core/model/run-of-show.ts';
import { KIND_VIEWS } from '../report/kind-views.ts';
import { knownAssets, timesOfAssets } from './account/known-assets.ts';
import type { PlannedTarget } from './plan-target.ts';

/**
 * Returns the runs of show of a resource, live and declared; undefined where resources of its kind hold no list of what plays. Asks the
 * service about the assets of both if the target checks them.
 */
export async function runsOfShowOf(
  address: string,
  kind: Kind,
  { input: { desiredState, target, service }, result, assets }: PlannedTarget,
  at: AskedDate | null,
): Promise<RunsOfShow | undefined> {
  const { referenceLookup } = kind;
  const contentOf = KIND_VIEWS.get(kind.name)?.contentOf;
  if (!contentOf || !referenceLookup) return undefined;
  const desired = desiredState.resources.find((each) => each.address === address);
  const id = result.remoteIdByAddress.get(address);
  const objects = result.readByKind.get(kind.name)?.result.objects ?? [];
  const live = objects.find((object) => (id === undefined ? !desired && kind.idAddress(object) === address : object.id === id));
  const contents = { live: live ? contentOf(live.fields) : null, declared: desired ? contentOf(desired.fields) : null };
  const ids = assetIds(Object.values(contents).flatMap((content) => content ?? []));
  const isAsked = target.check[referenceLookup.name] === true;
  // The plan has asked about those that are declared.
  const others = ids.filter((id) => !assets.has(id));
  const known = await knownAssets(kind, others, desiredState.resources, target, isAsked ? service : null);
  const times = new Map([...timesOfAssets(assets, target), ...known.times]);
  const time = at?.time ?? null;
  return {
    live: contents.live && runOfShow(contents.live, times, time),
    declared: contents.declared && runOfShow(contents.declared, times, time),
    at: at?.text ?? null,
    unread: known.unread,
  };
}
