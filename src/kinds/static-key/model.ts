/** The canonical form of the static key's scope; its slicers are compared as a set (drm-api-v3 section 3, scope procedure). */

/** The top-level key of the source files. */
export const SECTION = 'static_key';

/** The only address of this kind. */
export const ADDRESS = 'static-key';

/** Which slicers use the static key. */
export type Scope = 'all' | 'none' | 'specific';

/** The canonical fields. */
export type StaticKeyFields = { readonly scope: Scope; readonly slicer_ids: readonly string[] };

/** Builds the canonical fields: the slicers are a set, in sorted order. */
export function canonical(scope: Scope, slicers: readonly string[]): StaticKeyFields {
  return { scope, slicer_ids: setOf(slicers) };
}

/** Sorts the slicers and removes duplicates. */
export function setOf(slicers: readonly string[]): readonly string[] {
  return [...new Set(slicers)].sort();
}
