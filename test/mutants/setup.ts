/** Chooses the mutant of a run, and says which mutants a test file reaches. */
import { appendFileSync } from 'node:fs';
import { afterAll, expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of the mutant; null = none, and `reached` is the file to which test files write the mutants that they reach. */
    readonly mutant: { readonly number: number } | { readonly number: null; readonly reached: string };
  }
}

const mutant = inject('mutant');
const reached = new Set<number>();

Object.assign(globalThis, {
  isMutant(number: number): boolean {
    reached.add(number);
    return number === mutant.number;
  },
});

afterAll(() => {
  if (mutant.number === null) appendFileSync(mutant.reached, `${JSON.stringify([expect.getState().testPath, [...reached]])}\n`);
});
