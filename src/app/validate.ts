import { findingAt } from '../core/config/findings.ts';
import type { Target } from '../core/config/project.ts';
import { parseYaml } from '../core/config/yaml/parse.ts';
import { kinds } from '../core/kinds/index.ts';
import { isAddressOf } from '../core/model/address.ts';
import type { Finding } from '../core/model/finding.ts';
import { projectsSharingLedger } from './history/shared-ledger.ts';
import { EXIT_CODES, type ExitCode } from './run/exit-codes.ts';
import type { TargetOptions } from './run/options.ts';
import { desiredStateOf, hasError, namedTargets, type OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Checks all targets, or the named ones, without network access. */
export function validateTargets(io: AppContext, options: TargetOptions): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    {
      prepare: async () => null,
      async work({ session, target, io: ofTarget, reports }) {
        const { findings: found, resources } = desiredStateOf(session, target);
        const findings = [...found, ...sharedLedgerFindings(session, target, await projectsSharingLedger(session, target, ofTarget))];
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

/** Returns the errors about projects of the repository whose targets would share a ledger. */
function sharedLedgerFindings({ files, project: { file } }: OpenProject, target: Target, others: readonly string[]): readonly Finding[] {
  const [other] = others;
  if (other === undefined) return [];
  const { line, column } = parseYaml(files.read(file)).locationOf(0, ['targets', target.name], 'key');
  const more = others.length === 1 ? '' : ` (and ${others.length - 1} more)`;
  const finding = {
    code: 'shared-ledger',
    summary: `${other}${more} has a target ${target.name} with the same ledger, which belongs to one project only`,
    hint: 'Give one of the targets another name, or a ledger of its own (`ledger`).',
  };
  return [findingAt({ file, line, column }, finding)];
}

function countByKind(addresses: readonly string[]): { readonly [kind: string]: number } {
  const counts = kinds.map((kind): [string, number] => {
    const own = addresses.filter((address) => isAddressOf(kind, address));
    return [kind.name, own.length];
  });
  return Object.fromEntries(counts);
}
