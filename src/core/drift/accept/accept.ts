/** `drift accept`: edits the sources so that they declare the live values, and leaves everything else in them unchanged. Writes no file. */

import { sectionsOf } from '../../config/declare-resources.ts';
import type { DesiredStateWithSources } from '../../config/desired-state.ts';
import { loadDesiredState } from '../../config/load-desired-state.ts';
import type { Project, Target } from '../../config/project.ts';
import type { SourceModel } from '../../config/source-model.ts';
import type { ParseCache } from '../../config/yaml/parse.ts';
import { listOf } from '../../model/collections.ts';
import type { Finding } from '../../model/finding.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from '../../model/json.ts';
import type { ProjectFiles } from '../../model/project-files.ts';
import { editsPerDocument, NotEditable, setIn } from './document-edits.ts';
import { editFiles } from './file-edits.ts';
import { type AcceptRequest, changedAddresses, type FileEdit, MAX_NAMED, verifyEdits, withEdits } from './verify-edits.ts';

/** The project files, and all that reading them needs. */
export interface Workspace {
  readonly files: ProjectFiles;
  readonly project: Project;
  readonly target: Target;
  readonly model: SourceModel;
  readonly parseCache: ParseCache;
}

/** The edited files, and the other targets whose desired state changes with them; or why nothing can be edited. */
export type AcceptResult =
  | { readonly edits: readonly FileEdit[]; readonly others: readonly string[] }
  | { readonly refusals: readonly Finding[] };

/** Edits the sources of a target for all requests or for none, and verifies the result by loading it. `now` in Unix milliseconds. */
export function acceptDrift(workspace: Workspace, requests: readonly AcceptRequest[], now: number): AcceptResult {
  const read = (files: ProjectFiles, target: Target) =>
    loadDesiredState(files, workspace.project, target, workspace.model, workspace.parseCache);
  const before = read(workspace.files, workspace.target);
  const refusals: Finding[] = [];
  const refuse = ({ desired }: AcceptRequest, reason: string, hint: string): void => {
    const { file, line, column } = desired.textFilePosition ?? before.positionOf(desired.path);
    const summary = `${desired.address} cannot be accepted: ${reason}`;
    refusals.push({ severity: 'error', code: 'not-acceptable', summary, hint, file, line, column, address: desired.address });
  };
  let merged: JsonObject = before.merged;
  for (const request of inRemovableOrder(requests)) {
    const accepted = acceptOne(request, merged, before);
    if ('reason' in accepted) refuse(request, accepted.reason, 'edit the sources, or the account, by hand');
    else merged = accepted.merged;
  }
  const [first] = requests;
  if (refusals.length > 0 || !first) return { refusals };
  try {
    const sourceEdits = editsPerDocument(before, merged);
    const edits = editFiles(workspace.files, sourceEdits, requests);
    const editedFiles = withEdits(workspace.files, edits);
    const problems = verifyEdits(requests, before, read(editedFiles, workspace.target), now);
    const [elsewhere] = sourceEdits.elsewhere;
    if (elsewhere && problems.length > 0) {
      const origins = listOf(
        sourceEdits.elsewhere.map(({ origin }) => origin),
        MAX_NAMED,
      );
      refuse(
        requestAt(elsewhere.path, requests) ?? first,
        `${origins}; it is not edited there, because ${listOf(problems, MAX_NAMED)}`,
        ELSEWHERE_HINT,
      );
    } else
      for (const problem of problems)
        refuse(first, problem, 'edit the sources by hand; a value that an anchor shares is written out beside it');
    if (problems.length > 0) return { refusals };
    const others = workspace.project.targets.filter(
      (target) =>
        target.name !== workspace.target.name && changedAddresses(read(workspace.files, target), read(editedFiles, target)).length > 0,
    );
    return { edits, others: others.map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    refuse(requestAt(error.path, requests) ?? first, error.message, error.hint);
    return { refusals };
  }
}

const ELSEWHERE_HINT =
  'override it in a later source, give the resource a value of its own (a column, a parameter, an entry), or edit by hand';

/** Returns the request about the resource that holds a path of the merged sources. */
function requestAt(path: Path, requests: readonly AcceptRequest[]): AcceptRequest | undefined {
  return requests.find(({ desired }) => desired.path.every((step, index) => path[index] === step));
}

/** Returns the merged sources with one resource as it is live, or the reason why that is not possible. */
function acceptOne(
  { kind, desired, live }: AcceptRequest,
  merged: JsonObject,
  { adopt }: DesiredStateWithSources,
): { readonly merged: JsonObject } | { readonly reason: string } {
  if (live === null) {
    const withoutAdopt = adopt.has(desired.address) ? setInObject(merged, ['adopt', desired.address], undefined) : merged;
    return { merged: desired.textFilePosition ? withoutAdopt : setInObject(withoutAdopt, desired.path, undefined) };
  }
  const edits = kind.configEdits?.(desired, live, sectionsOf(kind, merged) ?? {}) ?? {
    reason: 'its kind cannot be written from what is live',
  };
  if ('reason' in edits) return edits;
  return { merged: edits.reduce((sources, { path, value }) => setInObject(sources, path, value), merged) };
}

function setInObject(merged: JsonObject, path: Path, value: Json | undefined): JsonObject {
  const next = setIn(merged, path, value);
  return isJsonObject(next) ? next : merged;
}

/** Sorts requests: removals last, later items of a list before earlier ones, so that their indices stay valid. */
function inRemovableOrder(requests: readonly AcceptRequest[]): readonly AcceptRequest[] {
  const index = ({ desired }: AcceptRequest) => Number(desired.path.at(-1));
  const gone = requests.filter(({ live }) => live === null);
  return [...requests.filter(({ live }) => live !== null), ...gone.sort((a, b) => (index(b) || 0) - (index(a) || 0))];
}
