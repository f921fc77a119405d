/** What a program passes to the functions of the library, and what it gets. */
import type { Grouping } from '../core/model/account-export.ts';
import type { OverridableCheck } from '../core/model/change.ts';
import type { Condition } from '../core/model/decision.ts';
import type { Fetch } from '../core/model/fetch.ts';
import type { PlanDocument } from '../report/view/verdict.ts';

/** The name of an exit code of the command line. */
export type ExitName =
  | 'done'
  | 'error'
  | 'changes'
  | 'drift'
  | 'blocked'
  | 'failed'
  | 'stale'
  | 'credentials'
  | 'invalid'
  | 'locked'
  | 'incomplete'
  | 'interrupted';

/** The functions that work on the targets of a project. */
export type Operation = 'validate' | 'plan' | 'apply' | 'drift' | 'exportAccount' | 'history' | 'doctor';

/** Levels of what a logger gets, most verbose first. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Receives what the command line writes to stderr. */
export interface Logger {
  /** `text` is one line, or a message and the line of its hint; it holds no secret of this run. */
  log(level: LogLevel, text: string): void;
}

/** Options of every function. */
export interface ProjectOptions {
  /** The folder of upkeep.yaml, or the file; default: the working directory of the process and the folders above it. */
  readonly project?: string | undefined;
  /** Names of targets, or globs; default: the only target. `validate` and `doctor` take all by default. */
  readonly targets?: readonly string[] | undefined;
  /** Environment variables in addition to those of the process, for credentials; undefined removes one. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Ends the run as Ctrl-C does: no request is started, those in flight finish, and what was done is recorded. */
  readonly signal?: AbortSignal | undefined;
  /** Receives messages; default: nobody does. */
  readonly logger?: Logger | undefined;
  /** The least level of requests that the logger gets; default: `warn`, which has none. Messages come at every level. */
  readonly logLevel?: LogLevel | undefined;
}

/** Options of `validate`. */
export interface ValidateOptions extends ProjectOptions {
  /** A commit from which everything of upkeep.yaml but `sources` and `vars` is taken. */
  readonly trustFrom?: string | undefined;
}

/** Options of the functions that send requests. */
export interface AccountOptions extends ProjectOptions {
  /** Sends the requests to the services in place of the network, for tests. */
  readonly fetch?: Fetch | undefined;
}

/** Options of `drift`. */
export interface DriftOptions extends AccountOptions {
  /** Address globs; default: all. */
  readonly only?: readonly string[] | undefined;
  /** The configuration of this commit in place of the work tree's. */
  readonly ref?: string | undefined;
}

/**
 * What a run may override: `deletes=N` allows N deletes at most, and `CHECK=GLOB` overrides a check for the addresses that match. `promotion` and
 * `window` let a run pass that waits.
 */
export type Override =
  | OverridableCheck
  | 'deletes'
  | `deletes=${number}`
  | `${OverridableCheck | 'deletes'}=${string}`
  | Condition
  | 'dirty';

/** Options of `plan`. */
export interface PlanOptions extends DriftOptions, Pick<ValidateOptions, 'trustFrom'> {
  /** Safety checks that are overridden. */
  readonly allow?: readonly Override[] | undefined;
  /** A commit that stands for the one last applied. */
  readonly base?: string | undefined;
  /** Only changes of the repository (`change`) or made by hand (`drift`), and those of origin both or unknown. */
  readonly onlyOrigin?: 'change' | 'drift' | undefined;
}

/** Options of `apply`. Without `plans`, `expect` or `yes` nothing is written. */
export interface ApplyOptions extends Omit<PlanOptions, 'base' | 'trustFrom'> {
  /** Documents of `plan`: exactly these changes are applied, and none if one of them has become another. */
  readonly plans?: readonly PlanDocument[] | undefined;
  /** The fingerprint that the plan must have. */
  readonly expect?: string | undefined;
  /** Applies whatever the plan is. */
  readonly yes?: true | undefined;
  /** Applies the rest when changes are blocked or a kind could not be read. */
  readonly skipBlocked?: true | undefined;
  /** How long to wait for the lock that another run holds, seconds; default: 0. */
  readonly lockTimeout?: number | undefined;
}

/** Options of `exportAccount`. */
export interface ExportOptions extends AccountOptions {
  /** Whether a catalog of the assets is exported, too. */
  readonly assets?: true | undefined;
  /** How playlists are divided among files. */
  readonly groupBy?: Grouping | undefined;
  /** Whether ten or more playlists that differ in the same fields only become a template and a table. */
  readonly templates?: true | undefined;
}

/** The result of a run in which every target got its document. */
export interface Result<Document> {
  readonly exit: ExitName;
  /** The number of the exit code. */
  readonly code: number;
  /** One for each target, in the order of upkeep.yaml: the JSON documents of the command line. */
  readonly documents: readonly Document[];
}

/** A file of an export. */
export interface ExportedFile {
  /** Its path below the folder of the export, with `/`. */
  readonly name: string;
  readonly text: string;
}
