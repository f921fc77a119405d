import { driftTargets } from '../../app/detect-drift.ts';
import { localFolderOf } from '../../app/history/work-tree.ts';
import { CliError } from '../../app/run/exit-codes.ts';
import type { PlanningOptions } from '../../app/run/options.ts';
import { plainOptions, reportOrigin } from '../../app/run/reports.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { EXIT_CODES, type ExitCode } from '../../core/model/exit-codes.ts';
import type { RepositoryAccess } from '../../integrations/code-hosts/code-host.ts';
import { type DetectOptions, detectRepository } from '../../integrations/code-hosts/detect.ts';

/** Flags of `drift`. */
export interface DriftOptions extends PlanningOptions, DetectOptions {
  readonly issue?: true | undefined;
  readonly id?: string | undefined;
}

/** Runs `drift`: reports live changes since the commit last applied, and with `--issue` updates the issue of each target. */
export function driftCommand(io: AppContext, options: DriftOptions): Promise<ExitCode> {
  const access = options.issue ? issueRepository(io, options) : null;
  return driftTargets(io, options, {
    async afterwards(session, documents) {
      if (access === null) return [];
      const { updateDriftIssues } = await import('../../app/drift-issues.ts');
      const origin = reportOrigin(io, options.project);
      const project = options.id ?? (origin.folder || '.');
      const localFolders = new Map<string, string>();
      for (const target of session.project.targets) localFolders.set(target.name, await localFolderOf(session, target, io));
      return updateDriftIssues(io, { access, localFolders, project, render: plainOptions(origin) }, documents);
    },
  });
}

/** Returns the repository of the issues. @throws CliError if the drift is filtered, since an issue reports all of it, CodeHostError */
function issueRepository({ env, secrets }: AppContext, options: DriftOptions): RepositoryAccess {
  const filter = options.only.length > 0 ? '--only' : options.ref === undefined ? null : '--ref';
  if (filter === null) return detectRepository({ env, addSecret: secrets.add }, options);
  throw new CliError(
    EXIT_CODES.invalid,
    'usage',
    `--issue takes no ${filter}`,
    'omit one of them: an issue reports the whole drift since the last apply',
  );
}
