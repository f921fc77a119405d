/** Whether a value is what a schema asks for, without a word on why not. With defaults, absent members take them. */
type Validator = <T>(value: unknown) => value is T;

/** Validators that `npm run build` has compiled, by the digest of the schema: one that was changed since is simply not found. */
declare const validators: ReadonlyMap<string, Validator>;

export = validators;
