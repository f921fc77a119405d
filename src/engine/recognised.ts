/** By which rule a live object was recognised: the same rules as in `identify`, told after the fact. */
import type { Desired, Kind, Live } from '../kinds/kind.ts';
import type { IdentityRule } from '../model/explanation.ts';
import type { Recall } from './memory.ts';

/** The rule by which `live` belongs to `desired`, strongest first (design section 3, identity). */
export function recognisedBy(kind: Kind, desired: Desired, live: Live, adopt: ReadonlyMap<string, string>, recalled: Recall): IdentityRule {
  const { address, clues } = desired;
  if (kind.singleton) return 'singleton';
  if (adopt.get(address) === live.id) return 'adopt';
  if (desired.adoptable && recalled.ids.get(address) === live.id) return 'binding';
  if (clues.some((clue) => 'id' in clue && clue.id === live.id)) return 'id';
  return clues.some((clue) => 'name' in clue && clue.name === live.label) ? 'name' : 'former-name';
}
