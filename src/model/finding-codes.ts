/** Codes of findings that are raised after the configuration was loaded, and whose severity `rules` may set. */

/** Warnings about the live account. */
export const LIVE_WARNING_CODES = ['adopt-target-missing', 'id-changes', 'section-removed', 'looks-like-rename', 'drift-overwritten'];

/** Findings of the user's guards. */
export const GUARD_CODES = ['guard', 'guard-failed'];

/** The reference look-up. */
export const REFERENCE_CODES = ['references-not-checked'];
