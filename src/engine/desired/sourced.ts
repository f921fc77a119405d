import type { Fields, Path } from '../../model/json.ts';
import type { Declaration } from './declaration.ts';
import type { Part } from './load.ts';

/** The desired side with the documents that it was made of, for who is to change them. */
export interface Sourced extends Declaration {
  /** The sources laid over one another, variables replaced. */
  readonly merged: Fields;
  /** The documents that say exactly this path, the one in force first. */
  tellers(path: Path): readonly Part[];
}
