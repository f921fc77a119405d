import type { Format } from '../report/index.ts';

/** A report to write beside the one on stdout (`--out <format>=<file>`). */
export interface OutFile {
  readonly format: Format;
  readonly file: string;
}

/** Flags of every command that reports (design section 5). */
export interface ReportOptions {
  readonly format: Format;
  readonly out: readonly OutFile[];
  readonly color: boolean;
  readonly quiet?: true | undefined;
  readonly logLevel: string;
  readonly logFormat: 'text' | 'json';
}

/** Flags of every command that reads the configuration. */
export interface GlobalOptions extends ReportOptions {
  readonly project?: string | undefined;
  readonly target: readonly string[];
  readonly only: readonly string[];
}
