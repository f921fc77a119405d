/** What a run selects by `--only` and `--only-origin`: which kinds it reads, and which differences it plans. */
import type { Kind } from '../kinds/kind.ts';
import { addressPrefixes, mayMatchPrefix } from '../model/address.ts';
import type { Origin } from '../model/change.ts';
import type { SelectedOrigin } from '../model/command-line.ts';
import { matchesGlob } from '../model/glob.ts';

/** The selection of a run, made once. */
export interface Selection {
  /** Decides whether a kind may have a selected address, so that it is read. */
  reads(kind: Kind): boolean;
  /** Decides whether the address of a resource or a change is selected. */
  has(resource: { readonly address: string }): boolean;
  /** Decides whether an address is given in full, without `*`. */
  names(resource: { readonly address: string }): boolean;
  /** The value of `--only-origin`; null selects all origins. */
  readonly origin: SelectedOrigin | null;
  /** Decides whether a difference with this origin is selected. What is not known to have another origin is. */
  hasOrigin(origin: Origin): boolean;
}

/** Returns the selection of these globs of addresses (empty = all) and this origin (null = all). */
export function selectionOf(only: readonly string[], origin: SelectedOrigin | null): Selection {
  return {
    reads: (kind) => only.length === 0 || only.some((glob) => addressPrefixes(kind).some((prefix) => mayMatchPrefix(glob, prefix))),
    has: ({ address }) => only.length === 0 || only.some((glob) => matchesGlob(glob, address)),
    names: ({ address }) => only.includes(address) && !address.includes('*'),
    origin,
    hasOrigin: (of) => origin === null || of === origin || of === 'both' || of === 'unknown',
  };
}
