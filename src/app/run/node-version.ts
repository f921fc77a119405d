/**
 * Checks that this Node is new enough, before anything else is loaded. The programs of dist/ import this file first, and the rest of upkeep by
 * `import()`: an old Node fails to load what it cannot read before any statement runs. It reads this file, so there is no newer syntax in it.
 *
 * The import of an old Node fails with one sentence, which a program may catch. Where nobody does, the process says it and exits with 8.
 */
import packageFile from '../../../package.json' with { type: 'json' };

const needed = packageFile.engines.node.replace('>=', '');
const version = process.versions.node;

if (ordinal(version) < ordinal(needed)) {
  const error = new Error(`upkeep needs Node ${needed} or newer, and this is ${version}`);
  process.on('uncaughtExceptionMonitor', (uncaught) => {
    if (uncaught !== error || process.listenerCount('uncaughtException') > 0) return;
    process.stderr.write(`error: ${error.message}\nhint: install a newer Node, or put it first in PATH: node --version\n`);
    // EXIT_CODES.invalid, whose file imports too much for an old Node.
    process.exit(8);
  });
  throw error;
}

/** Returns a number by which versions compare, for example 20018001 for 20.18.1. */
function ordinal(numbers: string): number {
  return numbers.split('.').reduce((sum, part) => 1000 * sum + Number.parseInt(part, 10), 0);
}
