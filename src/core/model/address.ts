/**
 * Addresses of resources: `playlist/evening`, `drm-policy/~<remote ID>` for an object that is not declared, `static-key` for a setting
 * (design section 1). This file alone decides which kind and which section an address belongs to.
 */

import { matchesGlob, mayMatchBelow } from './glob.ts';

/** A top-level key of the source files that belongs to a kind. */
export interface Section {
  readonly key: string;
  /**
   * How the addresses of the resources that it declares begin: `playlist/`. The prefix of a setting is its whole address: `static-key`.
   * Null for a section that only serves others, such as the asset catalog; it does not make its kind managed.
   */
  readonly addressPrefix: string | null;
  /**
   * The word for one member, such as `playlist`, where members take defaults and may come from templates and tables. Absent = they do not.
   */
  readonly singular?: string;
  /** The field of a member whose list may include `entry_lists`. Absent = there is none. */
  readonly entriesField?: string;
}

/** Decides whether a section declares resources of its own. */
export function declaresResources({ addressPrefix }: Section): boolean {
  return addressPrefix !== null;
}

/** The name of a kind, and the sections that declare its resources, which decide their addresses. */
export interface AddressSections {
  readonly name: string;
  readonly sections: readonly Section[];
}

/** Returns the address prefixes of a kind: `playlist/` and `smart-start/`, or the whole address of a setting. */
export function addressPrefixes({ sections }: AddressSections): readonly string[] {
  return sections.flatMap(({ addressPrefix }) => addressPrefix ?? []);
}

/** Decides whether an address belongs to this kind. */
export function isAddressOf(kind: AddressSections, address: string): boolean {
  return addressPrefixes(kind).some((prefix) => hasPrefix(prefix, address));
}

/** Returns the kind to which an address belongs; undefined where it is no address. */
export function kindOfAddress<Kind extends AddressSections>(kinds: readonly Kind[], address: string): Kind | undefined {
  return kinds.find((kind) => isAddressOf(kind, address));
}

/** Returns the key of the section that declares an address of this kind; undefined for an address of another kind. */
export function sectionOfAddress({ sections }: AddressSections, address: string): string | undefined {
  return sections.find(({ addressPrefix }) => addressPrefix !== null && hasPrefix(addressPrefix, address))?.key;
}

/** Returns the prefix of an address: `playlist/`, or the whole address of a setting. */
export function prefixOfAddress(address: string): string {
  return address.slice(0, address.indexOf('/') + 1) || address;
}

/** Returns the key of an address, which follows its prefix: `evening`, or the whole address of a setting. */
export function addressKey(address: string): string {
  return address.slice(address.indexOf('/') + 1);
}

/** Percent-encodes every character except letters, digits, `.`, `_` and `-`, as UTF-8. Never throws, unlike encodeURIComponent. */
export function percentEncoded(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Decides whether a glob (`--only`) can match an address that begins with a prefix of `addressPrefixes`. */
export function mayMatchPrefix(glob: string, prefix: string): boolean {
  return prefix.endsWith('/') ? mayMatchBelow(glob, prefix) : matchesGlob(glob, prefix);
}

function hasPrefix(prefix: string, address: string): boolean {
  return prefix.endsWith('/') ? address.startsWith(prefix) : address === prefix;
}
