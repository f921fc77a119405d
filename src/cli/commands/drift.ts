import { driftOf } from '../../engine/drift.ts';
import { NOTHING_ALLOWED } from '../../engine/guard.ts';
import { complainOfFaults, planTarget, warnOfIdleOnly, withAccount } from '../account.ts';
import type { Configuration } from '../configuration.ts';
import { EXIT, type Exit, Stop } from '../exit.ts';
import { type Where, type WhereOptions, whereOf } from '../hosts/where.ts';
import type { Io } from '../io.ts';
import { openedLedger, type Remembered, remembered } from '../memory.ts';
import type { PlanningOptions } from '../options.ts';
import { remark } from '../output.ts';
import { prepared } from '../prepared.ts';
import { runFacts } from '../run-facts.ts';
import { siteOf } from '../site.ts';
import { forEachAccount } from './for-each-target.ts';

/** Flags of `drift`. */
export interface DriftOptions extends PlanningOptions, WhereOptions {
  readonly issue?: true | undefined;
  readonly id?: string | undefined;
}

/** `drift`: what moved on the live side since the commit last applied; without a ledger, or before the first apply, against the desired state. */
export function drift(commandIo: Io, options: DriftOptions): Promise<Exit> {
  const where = options.issue ? issuesAt(commandIo, options) : null;
  return forEachAccount(commandIo, options, {
    prepare: (run) => prepared(run, options.ref),
    async work({ session, target, io, reports }, { configuration: desired, credentials }) {
      const opened = await openedLedger(session, target, io);
      const before = await remembered(session, target, io, opened, undefined);
      const configuration = options.ref === undefined ? lastApplied(desired, before) : desired;
      return withAccount(target, credentials, io, options, async (account) => {
        const planning = { configuration, remembered: before, allowed: NOTHING_ALLOWED, checks: false };
        const { reconciled } = await planTarget(session, target, account, io, options, planning);
        warnOfIdleOnly(io, options, reconciled.plan);
        const incomplete = complainOfFaults(io, reconciled.faults);
        const report = driftOf(reconciled);
        reports.add({ type: 'drift', plan: { ...report, run: runFacts(io, account, before) } });
        if (report.changes.length > 0 && before.last) remark(io, departure(before.last));
        return [...incomplete, ...(report.changes.length > 0 ? [EXIT.drift] : [])];
      });
    },
    async afterwards({ folder }, documents) {
      if (where === null) return [];
      const { keepIssues } = await import('../hosts/drift-issues.ts');
      const site = siteOf(commandIo, options.project);
      return keepIssues(commandIo, { where, folder, project: options.id ?? (site.folder || '.'), site }, documents);
    },
  });
}

/** Where the issues are. An issue is about all that has drifted since the last apply, and nothing else. @throws Stop */
function issuesAt(io: Io, options: DriftOptions): Where {
  const narrowed = options.only.length > 0 ? '--only' : options.ref === undefined ? null : '--ref';
  if (narrowed === null) return whereOf(io, options);
  throw new Stop(
    EXIT.invalid,
    'usage',
    `--issue takes no ${narrowed}`,
    'leave one of them out: an issue tells the whole drift since the last apply',
  );
}

/** The configuration as it was last applied, where that is known; what is not known of it is taken from today's. */
function lastApplied(desired: Configuration, { declaration, earlier, base }: Remembered): Configuration {
  if (!declaration || earlier.commit === null) return desired;
  const unknown = base?.unknown ?? new Set();
  const today = desired.declaration.resources.filter(({ address }) => unknown.has(address));
  const known = new Set(today.map(({ address }) => address));
  const declared = {
    ...declaration,
    resources: [...declaration.resources, ...today],
    // What is declared no longer cannot be judged, so it is left out.
    removed: new Set([...declaration.removed, ...unknown].filter((address) => !known.has(address))),
  };
  return { declaration: declared, state: { commit: earlier.commit, dirty: false, digest: declaration.digest }, goesBack: false };
}

function departure({ commit, entry }: NonNullable<Remembered['last']>): string {
  return `measured against the apply ${(commit ?? 'not yet recorded').slice(0, 12)} of ${entry.at} by ${entry.by}`;
}
