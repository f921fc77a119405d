/** accept: the sources as they have to be so that they declare what is live, with everything else in them as it is. Writes nothing. */

import type { ProjectFiles } from '../../config/desired-state.ts';
import type { DesiredStateWithSources } from '../../config/desired-state-with-sources.ts';
import { loadDesiredState } from '../../config/load-desired-state.ts';
import type { Project, Target } from '../../config/project.ts';
import { sectionsOf } from '../../config/validate.ts';
import type { ParsedFiles } from '../../config/yaml/parse.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Finding } from '../../model/finding.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { NotEditable, setIn } from './document-edits.ts';
import { editFiles } from './file-edits.ts';
import { type AcceptRequest, changedAddresses, type FileEdit, verifyEdits, withEdits } from './verify-edits.ts';

/** Where the sources lie, and who reads them. */
export interface Workspace {
  readonly tree: ProjectFiles;
  readonly project: Project;
  readonly target: Target;
  readonly kinds: readonly Kind[];
  readonly parsed: ParsedFiles;
}

/** The amended files, and the other targets that declare something else by them; or why nothing can be amended. */
export type AcceptResult =
  | { readonly amendments: readonly FileEdit[]; readonly others: readonly string[] }
  | { readonly refusals: readonly Finding[] };

/** Amends the sources of a target, all addresses or none, and proves the result by reading it. `now` in Unix milliseconds. */
export function acceptDrift(workspace: Workspace, asked: readonly AcceptRequest[], now: number): AcceptResult {
  const read = (tree: ProjectFiles, target: Target) => loadDesiredState(tree, workspace.project, target, workspace.kinds, workspace.parsed);
  const before = read(workspace.tree, workspace.target);
  const refusals: Finding[] = [];
  const refuse = ({ desired }: AcceptRequest, reason: string, hint: string): void => {
    const { file, line, column } = desired.inFile ?? before.sourceOf(desired.path);
    const summary = `${desired.address} cannot be accepted: ${reason}`;
    refusals.push({ severity: 'error', code: 'not-acceptable', summary, hint, file, line, column, address: desired.address });
  };
  let merged: JsonObject = before.merged;
  for (const each of inRemovableOrder(asked)) {
    const restated = restatedBy(each, merged, before);
    if (typeof restated === 'string') refuse(each, restated, 'edit the sources, or the account, by hand');
    else merged = restated;
  }
  const [first] = asked;
  if (refusals.length > 0 || !first) return { refusals };
  try {
    const amendments = editFiles(workspace.tree, before, merged, asked);
    const tree = withEdits(workspace.tree, amendments);
    const found = verifyEdits(asked, before, read(tree, workspace.target), now);
    for (const objection of found)
      refuse(first, objection, 'edit the sources by hand; a value that an anchor shares is written out beside it');
    if (found.length > 0) return { refusals };
    const others = workspace.project.targets.filter(
      (target) => target.name !== workspace.target.name && changedAddresses(read(workspace.tree, target), read(tree, target)).length > 0,
    );
    return { amendments, others: others.map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    refuse(first, error.message, error.hint);
    return { refusals };
  }
}

/** What the sources are to say once a resource is as it is live; a text says why they cannot. */
function restatedBy({ kind, desired, live }: AcceptRequest, merged: JsonObject, { adopt }: DesiredStateWithSources): JsonObject | string {
  if (live === null) {
    const kept = adopt.has(desired.address) ? said(merged, ['adopt', desired.address], undefined) : merged;
    return desired.inFile ? kept : said(kept, desired.path, undefined);
  }
  const statements = kind.configEdits?.(desired, live, sectionsOf(kind, merged) ?? {}) ?? 'its kind cannot be written from what is live';
  if (typeof statements === 'string') return statements;
  return statements.reduce((value, { path, value: told }) => said(value, path, told), merged);
}

function said(merged: JsonObject, path: Path, value: Json | undefined): JsonObject {
  const next = setIn(merged, path, value);
  return isJsonObject(next) ? next : merged;
}

/** What is gone last, the later items of a list before the earlier ones, whose indices then still hold. */
function inRemovableOrder(asked: readonly AcceptRequest[]): readonly AcceptRequest[] {
  const index = ({ desired }: AcceptRequest) => Number(desired.path.at(-1));
  const gone = asked.filter(({ live }) => live === null);
  return [...asked.filter(({ live }) => live !== null), ...gone.sort((a, b) => (index(b) || 0) - (index(a) || 0))];
}
