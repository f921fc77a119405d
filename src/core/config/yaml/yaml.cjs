// @ts-check
// CommonJS, because only `require` loads a package at its first use without an asynchronous import, in the sources and in the bundle.
/** Loads package yaml. */
exports.loadYaml = () => require('yaml');
