import type { ExitCode } from './exit-codes.ts';
import { type ExportTargetOptions, type ExportWriter, exportTarget } from './export-target.ts';
import { forEachTarget } from './for-each-target.ts';
import type { TargetOptions } from './options.ts';
import { oneTarget } from './project.ts';
import type { AppContext } from './runtime.ts';

/**
 * Exports the one chosen target. `writerTo` creates the writer, for the folder of upkeep.yaml, before any request is sent; null = no file.
 */
export function exportOneTarget(
  io: AppContext,
  options: TargetOptions & ExportTargetOptions,
  writerTo: (projectFolder: string) => ExportWriter | null,
): Promise<ExitCode> {
  return forEachTarget(
    io,
    options,
    { prepare: async ({ session }) => writerTo(session.folder), work: (run, writer) => exportTarget(run, options, writer) },
    (session) => [oneTarget(session, options.target, 'export writes one account at a time')],
  );
}
