/** Codes of findings that do not come from loading the configuration, and whose severity `rules` can set. */

/** Warnings about the live account. */
export const LIVE_WARNING_CODES = ['adopt-target-missing', 'id-changes', 'section-removed', 'looks-like-rename', 'drift-overwritten'];

/** Findings of the user's guards. */
export const GUARD_CODES = ['guard', 'guard-failed'];

/** Findings of the look-up of references. */
export const REFERENCE_CODES = ['references-not-checked'];
