/** Names what an earlier target cannot have tried: files that it does not read. */
import { loadDesiredState } from '../../core/config/load-desired-state.ts';
import type { Target } from '../../core/config/project.ts';
import { targetsBefore } from '../../core/config/stages.ts';
import { type CommitFiles, filesAt } from '../../core/ledger/commit-files.ts';
import type { UntriedFiles } from '../../core/model/untried-files.ts';
import type { TargetRun } from '../account/target-run.ts';
import { desiredStateAt, remoteOf, type SelectedConfiguration } from '../history/desired-state.ts';
import { withFiles } from '../run/project.ts';
import { sourceModel } from '../run/source-model.ts';
import type { BranchRules } from './branch-rules.ts';
import type { StageReader } from './stages.ts';

/**
 * Returns for each target before this one the files that only this one reads, and that differ from what was last applied to it. @throws
 * GitError, LedgerError, CliError
 */
export async function untriedFiles(
  run: TargetRun,
  { project, target }: BranchRules,
  configuration: SelectedConfiguration,
  stages: StageReader,
): Promise<readonly UntriedFiles[]> {
  const { session, io } = run;
  const { readFrom } = configuration;
  const own = [...(readFrom?.files.keys() ?? session.names)].filter((name) => name !== session.project.file);
  const last = await stages.lastCommit();
  const applied = last === null ? null : await filesAt(await remoteOf(session, target, io), last);
  const isNew = (name: string) => applied === null || !hasSame(applied, name, readFrom?.files.get(name) ?? session.files.read(name));
  const changed = own.filter(isNew).sort();
  const untried: UntriedFiles[] = [];
  for (const before of targetsBefore(project.targets, target)) {
    const read = await filesOf(run, before, configuration);
    if (read === null) continue;
    const files = changed.filter((name) => !read.has(name));
    if (files.length > 0) untried.push({ target: before.name, files });
  }
  return untried;
}

function hasSame(files: CommitFiles, name: string, bytes: Uint8Array): boolean {
  return files.typeOf(name) !== 'missing' && files.hasText(name, bytes);
}

/** Returns the files that an earlier target reads in the configuration of a run; null where it is not there, or cannot be used. */
async function filesOf(
  { session, target, io }: TargetRun,
  before: Target,
  { state }: SelectedConfiguration,
): Promise<ReadonlySet<string> | null> {
  if (state !== null && !state.dirty) {
    const at = await desiredStateAt(session, before, await remoteOf(session, target, io), state.commit);
    return 'readFrom' in at ? new Set(at.readFrom.files.keys()) : null;
  }
  const declared = session.project.targets.find(({ name }) => name === before.name);
  if (declared === undefined) return null;
  const separate = withFiles({ ...session, read: new Set(), names: new Set() }, session.files);
  loadDesiredState(separate.files, session.project, declared, sourceModel, session.parseCache);
  return separate.names;
}
