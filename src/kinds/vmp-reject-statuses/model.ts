/** The canonical form of the VMP rejection set, which is compared as a set (drm-api-v3 section 2.6; api-notes section 4). */

/** The top-level key of the source files, and the member of the service's requests and responses. */
export const SECTION = 'vmp_reject_statuses';

/** The only address of this kind. */
export const ADDRESS = 'vmp-reject-statuses';

/** The canonical fields: each status once, sorted. */
export type StatusFields = { readonly [SECTION]: readonly string[] };

/** Builds the canonical fields: statuses sorted, without duplicates, so that their order makes no difference. */
export function canonical(statuses: readonly string[]): StatusFields {
  return { [SECTION]: [...new Set(statuses)].sort() };
}
