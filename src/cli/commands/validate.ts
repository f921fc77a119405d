import { kinds } from '../../kinds/kinds.ts';
import type { Exit } from '../exit.ts';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions } from '../options.ts';
import { chosenTargets, declarationOf, hasError } from '../session.ts';
import { overTargets } from './shared.ts';

/** `validate`: everything that needs no network, for the chosen targets or all. */
export function validate(io: Io, options: GlobalOptions): Promise<Exit> {
  return overTargets(
    io,
    options,
    async (session, target) => {
      const { findings, resources } = declarationOf(session, target);
      const valid = !hasError(findings);
      const counts = Object.fromEntries(
        kinds.map((kind) => [
          kind.name,
          resources.filter((resource) => kind.addresses.some((each) => resource.address.startsWith(each))).length,
        ]),
      );
      const validation = { schemaVersion: 1, target: target.name, valid, findings, resources: counts } as const;
      return { document: { type: 'validation', validation }, exits: valid ? [] : [EXIT.invalid] };
    },
    (session) => (options.target.length === 0 ? session.project.targets : chosenTargets(session, options.target)),
  );
}
