import { findingAt } from '../core/config/findings.ts';
import { positionsIn } from '../core/config/load-project.ts';
import type { Target } from '../core/config/project.ts';
import { kinds } from '../core/kinds/index.ts';
import { isAddressOf } from '../core/model/address.ts';
import { EXIT_CODES, type ExitCode } from '../core/model/exit-codes.ts';
import type { Finding, SourcePosition } from '../core/model/finding.ts';
import { managedTwice, type OtherTarget, otherTargets, sharesLedger } from './history/other-projects.ts';
import type { TargetOptions } from './run/options.ts';
import { desiredStateOf, hasError, namedTargets, type OpenProject } from './run/project.ts';
import type { AppContext } from './run/runtime.ts';
import { forEachTarget } from './targets/for-each-target.ts';

/** Checks all targets, or the named ones, without network access. */
export function validateTargets(io: AppContext, options: TargetOptions): Promise<ExitCode> {
  let read: Promise<readonly OtherTarget[]> | undefined;
  return forEachTarget(
    io,
    options,
    {
      // The same for all targets.
      prepare: ({ session }) => (read ??= otherTargets(session, io)),
      async work({ session, target, reports }, others) {
        const { findings: found, resources } = desiredStateOf(session, target);
        const findings = [...found, ...sharedLedgerFindings(session, target, others), ...managedTwiceFindings(session, target, others)];
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

/** Returns an error where targets of other projects of the repository have the same ledger. */
function sharedLedgerFindings(session: OpenProject, target: Target, others: readonly OtherTarget[]): readonly Finding[] {
  const [first, ...more] = others.filter((other) => sharesLedger(target, other.target));
  if (first === undefined) return [];
  const finding = {
    code: 'shared-ledger',
    summary: `${first.file}${andMore(more)} has a target ${target.name} with the same ledger, which belongs to one project only`,
    hint: 'Give one of the targets another name, or a ledger of its own (`ledger`).',
  };
  return [findingAt(positionIn(session, ['targets', target.name]), finding)];
}

/** Returns a warning where targets of other projects of the repository may declare and delete the same resources of one account. */
function managedTwiceFindings(session: OpenProject, target: Target, others: readonly OtherTarget[]): readonly Finding[] {
  const found = others.flatMap((other) => {
    const globs = managedTwice(target, other.target);
    return globs === null ? [] : [{ ...other, globs }];
  });
  const [first, ...more] = found;
  if (first === undefined) return [];
  const [own, other] = first.globs;
  const finding = {
    severity: 'warning' as const,
    code: 'managed-twice',
    summary: `${own} and ${other} of target ${first.target.name} in ${first.file}${andMore(more)} can name the same resources of one account`,
    hint: 'Let each resource be named by `manages` of one project only.',
  };
  const path = target.manages === null ? ['targets', target.name] : ['targets', target.name, 'manages'];
  return [findingAt(positionIn(session, path), finding)];
}

function andMore(more: readonly unknown[]): string {
  return more.length === 0 ? '' : ` (and ${more.length} more)`;
}

function positionIn({ files, project: { file } }: OpenProject, path: readonly string[]): SourcePosition {
  return positionsIn(files, file)(path);
}

function countByKind(addresses: readonly string[]): { readonly [kind: string]: number } {
  const counts = kinds.map((kind): [string, number] => {
    const own = addresses.filter((address) => isAddressOf(kind, address));
    return [kind.name, own.length];
  });
  return Object.fromEntries(counts);
}
