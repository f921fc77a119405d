// @ts-check
// CommonJS, because only `require` loads a package at its first use without an asynchronous import, in the sources and in the bundle.
/** Loads package ajv, and says how it reads our schemas. Plain JavaScript, because the build compiles schemas with the same options. */
const { createHash } = require('node:crypto');

/** Loads package ajv. */
exports.loadAjv = () => require('ajv').Ajv;

/**
 * Options for the draft-07 subset of our schemas. Formats are not checked, and `.nan` is not a number. The schemas themselves are not
 * validated, since tests do that: compiling takes two thirds of the time without it.
 */
exports.AJV_OPTIONS = /** @type {const} */ ({
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  logger: false,
  meta: false,
  validateSchema: false,
});

/**
 * Returns the key of a precompiled validator: a hash of the schema, so that the validator of a changed schema is never used.
 * @param {object} schema
 * @param {boolean} defaults Whether absent members get the schema's defaults.
 * @returns {string}
 */
exports.digestOf = (schema, defaults) =>
  createHash('sha256')
    .update(JSON.stringify([schema, defaults]))
    .digest('hex');
