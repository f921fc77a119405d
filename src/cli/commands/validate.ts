import { kinds } from '../../kinds/kinds.ts';
import { EXIT, type Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { TargetOptions } from '../options.ts';
import { declarationOf, hasError, namedTargets } from '../session.ts';
import { forEachTarget } from './for-each-target.ts';

/** `validate`: everything that needs no network, for all targets or those that are named. */
export function validate(io: Io, options: TargetOptions): Promise<Exit> {
  return forEachTarget(
    io,
    options,
    {
      prepare: async () => null,
      async work({ session, target, reports }) {
        const { findings, resources } = declarationOf(session, target);
        const valid = !hasError(findings);
        const addresses = resources.map((resource) => resource.address);
        const validation = { schemaVersion: 1, target: target.name, valid, findings, resources: countByKind(addresses) } as const;
        reports.add({ type: 'validation', validation });
        return valid ? [] : [EXIT.invalid];
      },
    },
    (session) => namedTargets(session, options.target),
  );
}

function countByKind(addresses: readonly string[]): { readonly [kind: string]: number } {
  const counts = kinds.map((kind): [string, number] => {
    const own = addresses.filter((address) => kind.addresses.some((prefix) => address.startsWith(prefix)));
    return [kind.name, own.length];
  });
  return Object.fromEntries(counts);
}
