// @ts-check
// CommonJS, because only `require` loads a package when it is needed without waiting for it, from the sources as from the bundle.

/** Loads package ajv. */
exports.loadAjv = () => require('ajv').Ajv;
