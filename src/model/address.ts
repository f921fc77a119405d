/**
 * Addresses of resources: `playlist/evening`, `drm-policy/~<remote ID>` for an object that is not declared, `static-key` for a setting
 * (design section 1). This file alone decides which kind and which section an address belongs to.
 */

import { matchesGlob, mayMatchBelow } from './glob.ts';

/** A top-level key of the source files that belongs to a kind. */
export interface Section {
  readonly key: string;
  /**
   * The addresses of the resources that it declares: all that begin with `playlist/`, or only `static-key`. Null for a section that only
   * serves others, such as the asset aliases; it does not make its kind managed.
   */
  readonly declares: string | null;
}

/** A kind, as far as its addresses are concerned. */
export interface AddressOwner {
  readonly name: string;
  readonly sections: readonly Section[];
}

/** Returns the address patterns of a kind: `playlist/` stands for all addresses that begin with it, `static-key` for itself. */
export function addressPatterns({ sections }: AddressOwner): readonly string[] {
  return sections.flatMap(({ declares }) => declares ?? []);
}

/** Decides whether an address belongs to this kind. */
export function isAddressOf(kind: AddressOwner, address: string): boolean {
  return addressPatterns(kind).some((pattern) => isCoveredBy(pattern, address));
}

/** Returns the kind to which an address belongs; undefined where it is no address. */
export function kindOfAddress<Kind extends AddressOwner>(kinds: readonly Kind[], address: string): Kind | undefined {
  return kinds.find((kind) => isAddressOf(kind, address));
}

/** Returns the key of the section that declares an address of this kind; undefined for an address of another kind. */
export function sectionOfAddress({ sections }: AddressOwner, address: string): string | undefined {
  return sections.find(({ declares }) => declares !== null && isCoveredBy(declares, address))?.key;
}

/** Returns the pattern that covers an address: `playlist/`, or the whole address of a setting. */
export function addressPattern(address: string): string {
  return address.slice(0, address.indexOf('/') + 1) || address;
}

/** Returns the key of an address, which follows its pattern: `evening`, or the whole address of a setting. */
export function addressKey(address: string): string {
  return address.slice(address.indexOf('/') + 1);
}

/** Decides whether a glob (`--only`) can match an address that a pattern covers. */
export function mayMatchPattern(glob: string, pattern: string): boolean {
  return pattern.endsWith('/') ? mayMatchBelow(glob, pattern) : matchesGlob(glob, pattern);
}

function isCoveredBy(pattern: string, address: string): boolean {
  return pattern.endsWith('/') ? address.startsWith(pattern) : address === pattern;
}
