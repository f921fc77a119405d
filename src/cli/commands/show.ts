import type { Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { ReportOptions } from '../options.ts';
import { savedDocuments } from '../saved.ts';
import { reporting } from './reporting.ts';

/** Flags of `show`. */
export interface ShowOptions extends ReportOptions {
  readonly requests?: true | undefined;
  readonly why?: true | undefined;
}

/** `show FILE`: a saved report in another format. */
export function show(io: Io, file: string, options: ShowOptions): Promise<Exit> {
  return reporting(io, options, async (reports) => {
    for (const document of savedDocuments(io, file))
      reports.add(document, { requests: options.requests === true, why: options.why === true });
    return [];
  });
}
