/** Decides whether a schema accepts a value, without an explanation. A validator with defaults writes them into the value. */
type Validator = <T>(value: unknown) => value is T;

/** The validators that `npm run build` has compiled, by the digest of the schema; a schema that was changed since has none. */
declare const validators: ReadonlyMap<string, Validator>;

export = validators;
