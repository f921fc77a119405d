import type { Acceptance } from '../model/acceptance.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import type { AddressExplanation, FieldExplanation } from '../model/explanation.ts';
import type { History } from '../model/history.ts';
import type { ImpactReport } from '../model/impact.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ErrorReport, Plan, Validation } from '../model/plan.ts';
import type { DiagramSource } from './diagrams/index.ts';

/** One line of the list of targets. */
export interface TargetEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly ledger: 'git' | 'none';
}

/** The documents that can be reported in every format. An outcome or a failure may include its plan for context. */
export type Document =
  | { readonly type: 'plan' | 'drift'; readonly plan: Plan }
  | { readonly type: 'outcome'; readonly outcome: Outcome; readonly plan?: Plan }
  | { readonly type: 'validation'; readonly validation: Validation }
  | { readonly type: 'history'; readonly history: History }
  | { readonly type: 'impact'; readonly impact: ImpactReport }
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'acceptance'; readonly acceptance: Acceptance }
  | { readonly type: 'field'; readonly field: FieldExplanation }
  | { readonly type: 'address'; readonly address: AddressExplanation }
  | { readonly type: 'failure'; readonly failure: ErrorReport; readonly plan?: Plan }
  | { readonly type: 'targets'; readonly targets: readonly TargetEntry[] };

/** An unmanaged live object; `target` distinguishes the accounts if several are reported at once. */
export interface Unmanaged {
  readonly address: string;
  readonly name: string;
  readonly target?: string;
}

/** The origin of a report: the command, and the location of the files that it names. */
export interface Site {
  /** As it stands on the command line, `plan`. */
  readonly command: string;
  /** Version of upkeep. */
  readonly version: string;
  /** Path from the top of the git work tree to the folder of upkeep.yaml: ends with `/`, or is empty. */
  readonly folder: string;
  /** Name of upkeep.yaml in that folder. */
  readonly project: string;
}

/** How to report. JSON documents are complete whatever the options say. */
export interface Options {
  readonly colour: boolean;
  /** Columns of the terminal; below 60 counts as 60. */
  readonly width: number;
  /** Whether a plan lists the requests it would send. */
  readonly requests: boolean;
  /** Whether a report on devices lists the rules behind each answer. */
  readonly why: boolean;
  /** The unmanaged objects to list, or null to give only their number. */
  readonly unmanaged: readonly Unmanaged[] | null;
  readonly site: Site;
  /** Returns the diagram that the kind of a change describes. */
  readonly diagramOf: DiagramSource;
  /** The content of the file that this report will replace; null if there is none or it is not needed. */
  readonly earlier: string | null;
}

/** Renders documents as the whole text of one format, with a final line break. */
export type Renderer = (documents: readonly Document[], options: Options) => string;
