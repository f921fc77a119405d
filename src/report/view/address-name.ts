/** Names in place of addresses that hold percent-encoded characters (design section 5, reports for people). */

/** An address of a kind and one encoded segment: `drm-policy/4K%20HDR`. */
export const ENCODED_ADDRESS = /(?<![\w/.%-])([a-z][a-z-]*\/[\w.-]*%[0-9A-F]{2}(?:[\w.%-]*[\w%-])?)(?![\w/%])/;

/** Returns the name in an address; the address as it is where nothing in it is encoded, or where it does not decode. */
export function nameInAddress(address: string): string {
  if (ENCODED_ADDRESS.exec(address)?.[1] !== address) return address;
  try {
    return decodeURIComponent(address.slice(address.indexOf('/') + 1));
  } catch {
    return address;
  }
}
