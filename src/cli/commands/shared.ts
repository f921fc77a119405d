import type { Target } from '../../engine/configuration.ts';
import type { Failure } from '../../model/plan.ts';
import type { Document } from '../../report/index.ts';
import { EXIT, type Exit, Stop, strongest } from '../exit.ts';
import type { Io } from '../io.ts';
import type { GlobalOptions, ReportOptions } from '../options.ts';
import { emit, type Look } from '../output.ts';
import { chosenTargets, openSession, type Session } from '../session.ts';

/** What one target came to. */
export interface TargetResult {
  readonly document: Document;
  readonly exits: readonly Exit[];
  readonly look?: Look;
}

/** Runs a command over the chosen targets in the order of upkeep.yaml, reports, and gives the exit code. One failing target does not stop the others. */
export async function overTargets(
  io: Io,
  options: GlobalOptions,
  work: (session: Session, target: Target) => Promise<TargetResult>,
  choose: (session: Session) => readonly Target[] = (session) => chosenTargets(session, options.target),
): Promise<Exit> {
  const results = await resultsOf(io, options, work, choose);
  const unmanaged = results.flatMap((result) => result.look?.unmanaged ?? []);
  const look: Look = {
    requests: results.some((result) => result.look?.requests === true),
    unmanaged: results.some((result) => result.look?.unmanaged) ? unmanaged : null,
  };
  await emit(
    io,
    options,
    results.map((result) => result.document),
    look,
  );
  return strongest(results.flatMap((result) => result.exits));
}

async function resultsOf(
  io: Io,
  options: GlobalOptions,
  work: (session: Session, target: Target) => Promise<TargetResult>,
  choose: (session: Session) => readonly Target[],
): Promise<readonly TargetResult[]> {
  const results: TargetResult[] = [];
  await orFailure(null, results, async () => {
    const session = openSession(io, options);
    for (const target of choose(session)) {
      await orFailure(target.name, results, async () => {
        results.push(await work(session, target));
      });
    }
  });
  return results;
}

async function orFailure(target: string | null, results: TargetResult[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    results.push({ document: { type: 'failure', failure: failureOf(target, error) }, exits: [error.exit] });
  }
}

/** Runs a command that is not about one target, and reports its documents, or the failure in their place. */
export async function reported(io: Io, options: ReportOptions, look: Look, work: () => Promise<readonly Document[]>): Promise<Exit> {
  try {
    await emit(io, options, await work(), look);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    await emit(io, options, [{ type: 'failure', failure: failureOf(null, error) }]);
    return error.exit;
  }
}

/** The document that stands in place of a plan or an outcome. */
function failureOf(target: string | null, stop: Stop): Failure {
  const { exit, code, message: summary, hint, findings } = stop;
  return { schemaVersion: 1, target, error: { exit, code, summary, hint }, findings };
}
