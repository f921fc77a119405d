import { kinds } from '../core/kinds/index.ts';
import { isAddressOf } from '../core/model/address.ts';
import { EXIT_CODES, type ExitCode } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import { desiredStateOf, hasError, namedTargets } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { forEachTarget } from './targets/for-each-target.ts';

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
