/** Whether a value is what a schema asks for, without a word on why not. */
export type Verdict = <T>(value: unknown) => value is T;

/** What ajv compiled when upkeep was built, by the digest of the schema: the build puts it in this file's place (verdicts.mjs). From the sources there is nothing. */
export const compiled: ReadonlyMap<string, () => Verdict> = new Map();
