import type { Exit } from '../exit.ts';
import type { Io } from '../io.ts';
import type { ReportOptions } from '../options.ts';
import { savedDocuments } from '../saved.ts';
import { reported } from './shared.ts';

/** Flags of `show`. */
export interface ShowOptions extends ReportOptions {
  readonly requests?: true | undefined;
}

/** `show FILE`: a saved plan or outcome in another format. */
export function show(io: Io, file: string, options: ShowOptions): Promise<Exit> {
  return reported(io, options, { requests: options.requests === true }, async () => savedDocuments(io, file));
}
