/** By which rule a live object was recognised: the same rules as in `identify`, told after the fact. */
import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import type { IdentityRule } from '../model/explanation.ts';
import type { MovedBindings } from '../state/state.ts';

/** The rule by which `live` belongs to `desired`, strongest first (design section 3, identity). */
export function matchRuleOf(
  kind: Kind,
  desired: DesiredResource,
  live: LiveResource,
  adopt: ReadonlyMap<string, string>,
  recalled: MovedBindings,
): IdentityRule {
  const { address, matchKeys } = desired;
  if (kind.singleton) return 'singleton';
  if (adopt.get(address) === live.id) return 'adopt';
  if (desired.adoptable && recalled.ids.get(address) === live.id) return 'binding';
  if (matchKeys.some((matchKey) => 'id' in matchKey && matchKey.id === live.id)) return 'id';
  return matchKeys.some((matchKey) => 'name' in matchKey && matchKey.name === live.label) ? 'name' : 'former-name';
}
