/** What globs of `protect` and `manages` may name an object by. */
import type { Kind, LiveObject } from '../kinds/kind.ts';
import { percentEncoded } from '../model/address.ts';
import { matchesGlob } from '../model/glob.ts';

/** Returns a name as it is, and as the key of an address, also where that is percent-encoded. */
export function namesOf(kind: Kind, name: string): readonly string[] {
  return [...new Set([name, `${kind.name}/${name}`, `${kind.name}/${percentEncoded(name)}`])];
}

/**
 * Decides whether `manages` of a target (null = everything) names an object: by its address by ID or by its live name, which
 * stands behind the kind (`playlist/Kids *`). The key that a project has chosen for it says nothing of whose it is (design section 3,
 * identity).
 */
export function isManaged(manages: readonly string[] | null, kind: Kind, live: LiveObject): boolean {
  if (manages === null) return true;
  // A name alone may look like an address of another kind, and one that begins like an ID like that of another object.
  const named = namesOf(kind, live.remoteName).filter((text) => text !== live.remoteName && !text.startsWith(`${kind.name}/~`));
  const texts = [kind.idAddress(live), ...named];
  return manages.some((glob) => texts.some((text) => matchesGlob(glob, text)));
}
