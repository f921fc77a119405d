/** What globs of `protect` and `manages` may name an object by. */
import type { Kind, LiveObject } from '../kinds/kind.ts';
import { matchesGlob } from '../model/glob.ts';

/** Returns a name as it is, and as the key of an address. */
export function namesOf(kind: Kind, name: string): readonly string[] {
  return [name, `${kind.name}/${name}`];
}

/**
 * Decides whether a project may change or delete an object that nobody declares: `manages` of the target (null = everything) names its
 * address, bound or by its ID, or its name.
 */
export function isManaged(manages: readonly string[] | null, kind: Kind, live: LiveObject, boundAddress?: string): boolean {
  const addresses = [kind.idAddress(live), ...(boundAddress === undefined ? [] : [boundAddress])];
  const texts = [...addresses, ...namesOf(kind, live.remoteName)];
  return manages === null || manages.some((glob) => texts.some((text) => matchesGlob(glob, text)));
}
