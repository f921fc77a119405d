/** What a plan leaves alone: undeclared objects, resources without a change, and the ignored fields of these. */
import type { DesiredResource } from '../kinds/kind.ts';
import { writesOnService } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import type { AddressedIgnoredValue } from '../model/plan.ts';
import { isManaged } from '../state/object-globs.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { differingIgnoredValues } from './ignored-fields.ts';
import { isCollectionState, type KindState } from './kind-state.ts';

/** A live object that matches no desired resource and is not deleted. */
export interface UndeclaredObject {
  readonly address: string;
  readonly name: string;
}

/**
 * Returns the undeclared objects, grouped by kind and sorted by address: those that `manages` of the target (null = everything) names, or the
 * others.
 */
export function undeclaredObjects(
  kindStates: readonly KindState[],
  manages: readonly string[] | null,
  which: 'managed' | 'unmanaged',
): readonly UndeclaredObject[] {
  return kindStates.flatMap((kindState) =>
    isCollectionState(kindState)
      ? kindState.pruning.kept
          .filter((live) => isManaged(manages, kindState.kind, live) === (which === 'managed'))
          .map((live) => ({ address: kindState.kind.idAddress(live), name: live.remoteName }))
          .sort((a, b) => compareStrings(a.address, b.address))
      : [],
  );
}

/**
 * Of the completely read kinds, returns the desired resources that no change writes. `differences` are those before the selection by
 * origin, because a resource whose change `--only-origin` leaves out is not unchanged.
 */
export function unchangedResources(kindStates: readonly KindState[], differences: readonly PlannedChange[]): readonly DesiredResource[] {
  const changed = new Set(differences.flatMap(({ change }) => (writesOnService(change) ? [change.address] : [])));
  return kindStates
    .filter(({ read }) => read.status === 'complete')
    .flatMap(({ resources }) => resources)
    .filter(({ address }) => !changed.has(address));
}

/** For resources without a change, returns the ignored fields whose live values differ from the declared ones. */
export function ignoredOfUnchanged(
  kindStates: readonly KindState[],
  differences: readonly PlannedChange[],
): readonly AddressedIgnoredValue[] {
  const changed = new Set(differences.map(({ change }) => change.address));
  return kindStates.flatMap(({ resources, match }) =>
    resources.flatMap((declared) => {
      const { address } = declared;
      const live = changed.has(address) ? undefined : match.liveByAddress.get(address);
      return live ? differingIgnoredValues(declared, live).map((value) => ({ address, ...value })) : [];
    }),
  );
}
