import { kinds } from '../kinds/index.ts';
import { isAddressOf } from '../model/address.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { forEachTarget } from './for-each-target.ts';
import type { TargetOptions } from './options.ts';
import { desiredStateOf, hasError, namedTargets } from './project.ts';
import type { AppContext } from './runtime.ts';

/** Checks all targets, or the named ones, without network access. */
export function validateTargets(io: AppContext, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      prepare: async () => null,
      async work({ session, target, reports }) {
        const { findings, resources } = desiredStateOf(session, target);
        const valid = !hasError(findings);
        const addresses = resources.map((resource) => resource.address);
        const validation = { schemaVersion: 1, target: target.name, valid, findings, resources: countByKind(addresses) } as const;
        reports.add({ type: 'validation', validation });
        return valid ? [] : [EXIT_CODES.invalid];
      },
    },
    (session) => namedTargets(session, options.target),
  );
}

function countByKind(addresses: readonly string[]): { readonly [kind: string]: number } {
  const counts = kinds.map((kind): [string, number] => {
    const own = addresses.filter((address) => isAddressOf(kind, address));
    return [kind.name, own.length];
  });
  return Object.fromEntries(counts);
}
