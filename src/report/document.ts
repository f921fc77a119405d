/** Documents, formats and options of reports. This file loads no renderer, so that the command line can read it first. */

import type { AccountExportReport } from '../core/model/account-export.ts';
import type { AccountOverview } from '../core/model/account-overview.ts';
import type { Decision } from '../core/model/decision.ts';
import type { AddressExplanation, FieldExplanation } from '../core/model/explanation.ts';
import type { ImpactReport } from '../core/model/impact.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../core/model/plan.ts';
import type { ProbeReport } from '../probe/probe-report.ts';
import type { DiagramSource } from './diagrams/index.ts';
import type { Acceptance } from './documents/acceptance.ts';
import type { Diagnosis } from './documents/diagnosis.ts';
import type { History } from './documents/history.ts';
import type { TestReport } from './documents/tests.ts';

/** A target in the list of targets. */
export interface TargetEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly ledger: 'git' | 'none' | { readonly git: string };
  /** The commit last applied, null for edits that were not committed; absent where nothing was applied, or nobody knows. */
  readonly commit?: string | null;
  /** Since when it is, ISO 8601 in UTC; null where nothing was applied. */
  readonly since?: string | null;
  /** Why it stands there in part only, clauses; absent where it does wholly. */
  readonly inPart?: readonly string[];
  /** What an apply of the newest commit of the branch may do now, if it has something to do; absent without stages and windows. */
  readonly decision?: Decision;
  /** Whether its windows are open, and when they open and close next; absent where it has none. */
  readonly windows?: string;
}

/**
 * A document that can be reported in every format. An outcome or a failure may include its plan for context, an export the account, which
 * HTML shows.
 */
export type Document =
  | { readonly type: 'plan' | 'drift'; readonly plan: Plan }
  | { readonly type: 'outcome'; readonly outcome: Outcome; readonly plan?: Plan }
  | { readonly type: 'validation'; readonly validation: Validation }
  | { readonly type: 'history'; readonly history: History }
  | { readonly type: 'impact'; readonly impact: ImpactReport }
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'probe'; readonly probe: ProbeReport }
  | { readonly type: 'acceptance'; readonly acceptance: Acceptance }
  | { readonly type: 'tests'; readonly tests: TestReport }
  | { readonly type: 'export'; readonly accountExport: AccountExportReport; readonly account?: AccountOverview }
  | { readonly type: 'field'; readonly field: FieldExplanation }
  | { readonly type: 'address'; readonly address: AddressExplanation }
  | { readonly type: 'failure'; readonly failure: ErrorReport; readonly plan?: Plan }
  | { readonly type: 'targets'; readonly targets: readonly TargetEntry[] };

/** Returns what was decided of the run of a document; undefined where that was not decided, or it has no run. */
export function decisionOf(document: Document): Decision | undefined {
  switch (document.type) {
    case 'plan':
      return document.plan.decision;
    case 'outcome':
      return document.outcome.decision;
    case 'failure':
      return document.failure.decision;
    default:
      return undefined;
  }
}

/** An undeclared live object; `target` distinguishes the accounts if several are reported at once. */
export interface Undeclared {
  readonly address: string;
  readonly name: string;
  readonly target?: string;
}

/** The origin of a report: the command, and the folder of the files that it names. */
export interface ReportOrigin {
  /** As on the command line: `plan`. */
  readonly command: string;
  /** Version of upkeep. */
  readonly version: string;
  /** Path from the root of the git work tree to the folder of upkeep.yaml: ends with `/`, or is empty. */
  readonly folder: string;
  /** File name of upkeep.yaml in that folder. */
  readonly project: string;
  /** The pages of the repository on its code host; absent outside CI. */
  readonly pages?: CodeHostPages;
}

/** The pages of a repository, to which an HTML report links. */
export interface CodeHostPages {
  readonly host: 'github' | 'gitlab';
  /** An https address without a slash at its end. */
  readonly repository: string;
  readonly pullRequest?: number;
}

/** The options of a report. JSON documents are complete whatever the options are. */
export interface Options {
  readonly color: boolean;
  /** Width of the terminal, columns; below 60 counts as 60. */
  readonly width: number;
  /** Whether a plan lists its requests in every format, not only in HTML. */
  readonly requests: boolean;
  /** Whether each change is an entry of its own, however many are equal or similar. */
  readonly full: boolean;
  /** Whether the reader of an outcome has just confirmed its plan, which is above it: what the plan shows is not repeated. */
  readonly afterPlan: boolean;
  /** Whether an impact report lists the rules. */
  readonly why: boolean;
  /** The undeclared objects to list; null gives only their number. */
  readonly undeclared: readonly Undeclared[] | null;
  readonly origin: ReportOrigin;
  /** Returns the diagram that the kind of a change describes. */
  readonly diagramOf: DiagramSource;
  /** The content of the file that this report will replace; null if there is none, or the format does not need it. */
  readonly previousReport: string | null;
}

/** Renders documents as the whole text of one format, with a final line break. */
export type Renderer = (documents: readonly Document[], options: Options) => string;

/** The formats of all documents, by name. */
export const FORMATS = ['text', 'markdown', 'html', 'json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab', 'prometheus'] as const;

/** The formats of the list of targets, by name. */
export const TARGET_FORMATS = [...FORMATS, 'github-matrix'] as const;

/** The name of a format. */
export type Format = (typeof TARGET_FORMATS)[number];

/** Decides whether a text is the name of a format. */
export function isFormat(text: string): text is Format {
  return TARGET_FORMATS.some((format) => format === text);
}
