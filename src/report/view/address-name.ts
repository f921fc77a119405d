/** Names in place of addresses (design section 5, reports for people). */
import { KIND_VIEWS } from '../kind-views.ts';

/** An address of a kind and one encoded segment: `drm-policy/4K%20HDR`. */
const ENCODED = String.raw`[a-z][a-z-]*\/[\w.-]*%[0-9A-F]{2}(?:[\w.%-]*[\w%-])?(?![\w/%])`;
/** An address of a known kind and one plain segment, which is neither a pattern nor a file with a line. */
const PLAIN = String.raw`(?:${[...KIND_VIEWS.keys()].join('|')})\/[\w.-]*\w(?![\w/%*]|[.-]+[\w*]|:\d)`;

/** An address that holds a name. */
export const ADDRESS = new RegExp(String.raw`(?<![\w/.%-])(${ENCODED}|${PLAIN})`);

/** Returns the name in an address; the address as it is where nothing in it is encoded, or where it does not decode. */
export function nameInAddress(address: string): string {
  return address.includes('%') && ADDRESS.exec(address)?.[1] === address ? decodedName(address) : address;
}

/** Returns the name in an address, encoded or not; the address as it is where it does not decode. */
export function decodedName(address: string): string {
  try {
    return decodeURIComponent(address.slice(address.indexOf('/') + 1));
  } catch {
    return address;
  }
}
