import type { JsonObject, Path } from '../model/json.ts';
import type { DesiredState } from './desired-state.ts';
import type { SourceDocument } from './load-sources.ts';

/** The desired side with the documents that it was made of, for who is to change them. */
export interface DesiredStateWithSources extends DesiredState {
  /** The sources laid over one another, variables replaced. */
  readonly merged: JsonObject;
  /** The documents that say exactly this path, the one in force first. */
  definingDocuments(path: Path): readonly SourceDocument[];
}
