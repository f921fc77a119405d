import type { Kind, Service } from '../kinds/kind.ts';
import type { Origin } from '../model/change.ts';
import type { Severity } from '../model/finding.ts';
import type { ConfigState } from '../model/plan.ts';
import type { Guard, Target } from './desired/configuration.ts';
import type { Declaration } from './desired/declaration.ts';
import type { Allowed } from './guard.ts';
import type { Meaning, Sides } from './meaning.ts';
import type { Base, Memory } from './memory.ts';

/** What a run is about. `now` gives Unix milliseconds. */
export interface Run {
  readonly target: Target;
  /** The account's user ID: part of the fingerprint, never printed. */
  readonly owner: string;
  readonly declaration: Declaration;
  readonly rules: { readonly [code: string]: Severity | 'off' };
  /** The users' own rules. */
  readonly guards: readonly Guard[];
  readonly kinds: readonly Kind[];
  readonly service: Service;
  readonly now: () => number;
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  /** Only what has this origin; null = all. */
  readonly onlyOrigin: Extract<Origin, 'change' | 'drift'> | null;
  readonly allowed: Allowed;
  /** What both sides of the account mean for devices, which the engine does not know. */
  readonly meaningOf: (sides: Sides) => Meaning;
  readonly config: ConfigState | null;
  /** What the ledger knows; null without one. */
  readonly memory: Memory | null;
  /** Whether the configuration is that of an earlier commit (`--ref`). */
  readonly goesBack: boolean;
  /** What was desired at the last apply; null where nobody can tell. */
  readonly base: Base | null;
}
