/** JSON Pointers of members of live objects, in which `*` stands for any element of a list (`service.resettable_members`). */

/** Decides whether a JSON Pointer is a listed one. */
export function isListedAt(path: string, listed: string): boolean {
  const [steps, listedSteps] = [path.split('/'), listed.split('/')];
  return steps.length === listedSteps.length && steps.every((step, nth) => step === listedSteps[nth] || isElement(step, listedSteps[nth]));
}

function isElement(step: string, listed: string | undefined): boolean {
  return listed === '*' && /^\d+$/.test(step);
}

/** Returns the pointers by which these JSON Pointers are listed, each once. */
export function listedPointers(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.replace(/\/\d+(?=\/|$)/g, '/*')))];
}
