/** Draws the same examples for every mutant. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
