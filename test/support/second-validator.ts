/** Validates JSON by a schema with package `@exodus/schemasafe`, which has no code in common with the validator of upkeep. */
import { validator } from '@exodus/schemasafe';

/** Compiles a schema of any draft. Returns a function that gives the violations of a JSON text, each as location and keyword. */
export function compileWithSchemasafe(schema: object): (text: string) => readonly string[] {
  const validate = validator(Object(schema), { mode: 'lax', includeErrors: true, allErrors: true, allowUnusedKeywords: true });
  return (text) => {
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instanceLocation, keywordLocation }) => `${instanceLocation} breaks ${keywordLocation}`);
  };
}
