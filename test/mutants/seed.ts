/** Draws the same examples for every mutant, and not for long: a survivor costs all tests that reach it. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1, interruptAfterTimeLimit: 500, markInterruptAsFailure: false });
