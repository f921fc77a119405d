import type { Format } from '../report/document.ts';
import type { Options } from '../report/index.ts';
import type { Shard } from './shard.ts';

/** Levels of `--log-level`, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Forms of the log on stderr. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** What a command may add to how its reports look. */
export type RenderOptions = Partial<Pick<Options, 'requests' | 'unmanaged' | 'why'>>;

/** CI systems for which `init` has a recipe. */
export const CI_SYSTEMS = ['github', 'gitlab', 'none'] as const;

/** Shells for which `completion` has a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];

/** A report to write beside the one on stdout (`--out <format>=<file>`). */
export interface OutFile {
  readonly format: Format;
  readonly file: string;
}

/** Flags about what goes to stderr, and about colour. */
export interface NoiseOptions {
  readonly color: boolean;
  readonly quiet?: true | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
}

/** Flags that choose the project and its targets. */
export interface ProjectOptions {
  readonly project?: string | undefined;
  readonly target: readonly string[];
}

/** Flags of every command that reports (design section 5). */
export interface ReportOptions extends NoiseOptions {
  readonly format: Format;
  readonly out: readonly OutFile[];
}

/** Flags of the commands that report on targets. */
export interface TargetOptions extends ProjectOptions, ReportOptions {}

/** Flags of the commands that may share their targets with other machines. */
export interface ShardOptions extends TargetOptions {
  /** The part of the chosen targets that this run takes; without it all. */
  readonly shard?: Shard | undefined;
}

/** Flags of the commands that compare a target with its account. */
export interface PlanningOptions extends ShardOptions {
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  /** The configuration at this commit instead of the work tree's. */
  readonly ref?: string | undefined;
}
