import type { Format } from '../../report/document.ts';
import type { Options } from '../../report/index.ts';
import { EVENT_LEVELS } from './run-events.ts';
import type { Shard } from './shard.ts';

/** Levels of `--log-level`, most verbose first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Formats of the log on stderr. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** The options of a report that a command sets. */
export type RenderOptions = Partial<Pick<Options, 'requests' | 'undeclared' | 'why' | 'afterPlan'>>;

/** A report that is written in addition to that on stdout (`--out <format>=<file>`). */
export interface OutFile {
  readonly format: Format;
  readonly file: string;
}

/** Flags for stderr and for color. */
export interface NoiseOptions {
  readonly color: boolean;
  readonly quiet?: true | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
}

/** Whether stderr shows no progress: with --quiet, and where each line is an event of the log in JSON. */
export function hidesProgress({ quiet, logLevel, logFormat }: Pick<NoiseOptions, 'quiet' | 'logLevel' | 'logFormat'>): boolean {
  const withEvents: readonly string[] = EVENT_LEVELS;
  return quiet === true || (logFormat === 'json' && withEvents.includes(logLevel));
}

/** Flags that choose the project and its targets. */
export interface ProjectOptions {
  readonly project?: string | undefined;
  readonly target: readonly string[];
}

/** Flags of every command that reports (design section 5, reports for people). */
export interface ReportOptions extends NoiseOptions {
  readonly format: Format;
  readonly out: readonly OutFile[];
  /** Whether each change is listed by itself. */
  readonly full?: true | undefined;
}

/** Flags of the commands that report on targets. */
export interface TargetOptions extends ProjectOptions, ReportOptions {
  /** The commit whose upkeep.yaml counts, but for `sources` and `vars`; undefined = the work tree. */
  readonly trustFrom?: string | undefined;
  /** The file into which the exchanges with the service are recorded. */
  readonly record?: string | undefined;
}

/** Flags of the commands whose targets can be divided among machines. */
export interface ShardOptions extends TargetOptions {
  /** The part of the chosen targets that this run takes; undefined = all. */
  readonly shard?: Shard | undefined;
}

/** Flags of the commands that compare a target with its account. */
export interface PlanningOptions extends ShardOptions {
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  /** The configuration at this commit instead of the work tree's. */
  readonly ref?: string | undefined;
}
