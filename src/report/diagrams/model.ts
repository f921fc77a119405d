/** Diagrams of a change: plain data derived from the plan document. Every text is unescaped data. */
import type { Effect } from '../../model/change.ts';

/** A picture of some fields of a change. */
export type Diagram = PlaylistDiff | SettingsMatrix | RequestSequence;

/** What became of an entry of a list: it stayed, moved, took another value at its place, came, or went. */
export type EntryChange = 'kept' | 'moved' | 'changed' | 'added' | 'removed';

/** A list of assets and ad breaks, before and after. */
export interface PlaylistDiff {
  readonly type: 'timeline';
  /** The field. */
  readonly name: string;
  /** Whether there was no such field before, or is none after. */
  readonly isNew: boolean;
  readonly isGone: boolean;
  /** Entries of the whole lists. */
  readonly lengths: { readonly before: number; readonly after: number };
  /** What is shown of them, long runs of what stayed folded. */
  readonly before: readonly Block[];
  readonly after: readonly Block[];
  /** How many entries moved, and so on; each counts once. */
  readonly counts: { readonly [fate in Exclude<EntryChange, 'kept'>]: number };
  /** Entries at the end, of both sides together, that are not shown. */
  readonly unshown: number;
}

/** A place on one side of a timeline. */
export type Block = Entry | Fold;

/** An asset or an ad break. */
export interface Entry {
  readonly type: 'beam' | 'ad';
  readonly label: string;
  readonly fate: EntryChange;
  /** Its place in the list, from 1. */
  readonly at: number;
  /** The same entry on the other side. */
  readonly other?: { readonly at: number; readonly label: string };
}

/** Several entries that stayed, as one; the first fold of one side is the first of the other. */
export interface Fold {
  readonly type: 'fold';
  readonly count: number;
}

/** Settings of systems by what they apply to: only those that change. */
export interface SettingsMatrix {
  readonly type: 'board';
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (readonly Setting[])[] }[];
}

/** One setting, before and after; null where there is no such side. */
export interface Setting {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly effect: Effect;
}

/** The way of a setting of the account from what it is to what it will be, request by request. */
export interface RequestSequence {
  readonly type: 'steps';
  readonly from: State;
  readonly steps: readonly SequenceStep[];
  readonly to: State;
  /** Why there are no steps; null where there are some, or none are asked for. */
  readonly without: string | null;
}

/** What a setting is at one time; empty where it is not there. */
export interface State {
  readonly title: string;
  readonly values: readonly Value[];
}

/** A member and its value. */
export interface Value {
  readonly name: string;
  readonly value: string;
}

/** One request. */
export interface SequenceStep {
  /** Its number among all requests of the plan. */
  readonly number: number;
  readonly request: string;
  readonly values: readonly Value[];
}
