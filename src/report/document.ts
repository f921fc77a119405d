import type { Diagnosis } from '../model/diagnosis.ts';
import type { AddressExplanation, FieldExplanation } from '../model/explanation.ts';
import type { History } from '../model/history.ts';
import type { ImpactReport } from '../model/impact.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Failure, Plan, Validation } from '../model/plan.ts';

/** One line of the list of targets. */
export interface TargetEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly ledger: 'git' | 'none';
}

/** What can be reported; the same documents in every format. An outcome's plan adds names, where it is at hand. */
export type Document =
  | { readonly type: 'plan' | 'drift'; readonly plan: Plan }
  | { readonly type: 'outcome'; readonly outcome: Outcome; readonly plan?: Plan }
  | { readonly type: 'validation'; readonly validation: Validation }
  | { readonly type: 'history'; readonly history: History }
  | { readonly type: 'impact'; readonly impact: ImpactReport }
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'field'; readonly field: FieldExplanation }
  | { readonly type: 'address'; readonly address: AddressExplanation }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'targets'; readonly targets: readonly TargetEntry[] };

/** A live object that nobody declared; `target` tells the accounts apart where several are reported at once. */
export interface Unmanaged {
  readonly address: string;
  readonly name: string;
  readonly target?: string;
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
}

/** One format: documents in, the whole text with its final line break out. */
export type Renderer = (documents: readonly Document[], options: Options) => string;
