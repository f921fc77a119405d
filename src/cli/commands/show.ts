import type { ReportOptions } from '../../app/run/options.ts';
import { withReports } from '../../app/run/reports.ts';
import type { AppContext } from '../../app/run/runtime.ts';
import { savedDocuments } from '../../app/run/saved-documents.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';

/** Flags of `show`. */
export interface ShowOptions extends ReportOptions {
  readonly requests?: true | undefined;
  readonly why?: true | undefined;
}

/** Runs `show FILE`: renders a saved report in another format. */
export function showCommand(io: AppContext, file: string, options: ShowOptions): Promise<ExitCode> {
  return withReports(io, options, async (reports) => {
    for (const document of savedDocuments(io, file))
      reports.add(document, { requests: options.requests === true, why: options.why === true });
    return [];
  });
}
