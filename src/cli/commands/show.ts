import type { ExitCode } from '../../app/exit-codes.ts';
import type { ReportOptions } from '../../app/options.ts';
import { withReports } from '../../app/reports.ts';
import type { AppContext } from '../../app/runtime.ts';
import { savedDocuments } from '../../app/saved-documents.ts';

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
