/** A project in memory, and `drift accept` of a live account that differs from it. */

import type { DesiredStateWithSources } from '../../../../src/core/config/desired-state.ts';
import { loadDesiredState } from '../../../../src/core/config/load-desired-state.ts';
import { loadProject } from '../../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../../src/core/config/project-folder.ts';
import { type AcceptResult, acceptDrift, type Workspace } from '../../../../src/core/drift/accept/accept.ts';
import type { AcceptRequest, FileEdit } from '../../../../src/core/drift/accept/verify-edits.ts';
import { kinds } from '../../../../src/core/kinds/index.ts';
import type { LiveResource } from '../../../../src/core/kinds/kind.ts';
import { kindOfAddress } from '../../../../src/core/model/address.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import type { ProjectFiles } from '../../../../src/core/model/project-files.ts';
import { differencesOf } from '../../../../src/core/plan/diff-resources.ts';
import { asset } from '../../../e2e/accounts.ts';
import { expectGitApplies } from '../../../support/git-apply.ts';
import { sourceModel } from '../../../support/source-model.ts';

export { asset, type Workspace };

/** 2025-06-15 in Unix milliseconds. */
export const NOW = 1_750_000_000_000;

/** Declared or live values, by section. */
export interface Sections {
  readonly [section: string]: Json;
}

/** Files by their names. */
export interface Files {
  readonly [name: string]: string;
}

/** Settings of targets by name; the tests accept drift of the first. By default, one target reads all YAML files. */
export interface Targets {
  readonly [name: string]: { readonly sources: readonly string[]; readonly vars?: Files };
}

/** Returns the workspace of the first target. */
export function workspaceOf(texts: Files, targets?: Targets): Workspace {
  const settings = { base_url: 'https://services.example.com', credentials: { owner: { env: 'OWNER' }, api_key: { env: 'KEY' } } };
  const named = targets ?? { main: { sources: Object.keys(texts).filter((name) => name.endsWith('.yaml')) } };
  const written = Object.entries(named).map(([name, own]) => [name, { ...settings, ...own }]);
  const text = JSON.stringify({ version: 1, targets: Object.fromEntries(written) });
  const files = memoryFiles([{ name: 'upkeep.yaml', text }, ...Object.entries(texts).map(([name, text]) => ({ name, text }))]);
  const { project, findings } = loadProject(files, '2027-01-01');
  const [target] = project?.targets ?? [];
  if (!project || !target) throw new Error(`not a valid project: ${JSON.stringify(findings)}`);
  return { files, project, target, model: sourceModel, parseCache: new Map() };
}

/** Loads the sources of the first target. @throws Error where they are not valid */
export function loadSources({ files, project, target }: Workspace): DesiredStateWithSources {
  const sourced = loadDesiredState(files, project, target, sourceModel);
  const errors = sourced.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`not valid sources: ${JSON.stringify(errors)}`);
  return sourced;
}

/**
 * Returns requests to accept every resource that differs, in the order of the sources. `live` declares the live account; what it leaves out
 * is gone.
 */
export function acceptRequests(workspace: Workspace, live: Sections): readonly AcceptRequest[] {
  const liveResources = new Map(loadSources(workspaceOf({ 'a.yaml': JSON.stringify(live) })).resources.map((each) => [each.address, each]));
  return loadSources(workspace).resources.flatMap((desired): readonly AcceptRequest[] => {
    const kind = kindOfAddress(kinds, desired.address);
    if (!kind) throw new Error(`an address of no kind: ${desired.address}`);
    const fields = liveResources.get(desired.address)?.fields;
    if (fields === undefined) return [{ kind, desired, live: null }];
    const liveResource = liveResourceOf(String(desired.path[0]), liveResources.get(desired.address)?.remoteName ?? '', fields);
    return differencesOf(kind, desired, liveResource, NOW).length > 0 ? [{ kind, desired, live: liveResource }] : [];
  });
}

function liveResourceOf(section: string, remoteName: string, fields: JsonObject): LiveResource {
  return { id: 'live', remoteName, fields, isMatchableByRemoteName: true, configSection: section, unknownMembers: [] };
}

/** Accepts all drift. */
export function acceptAll(workspace: Workspace, live: Sections): AcceptResult {
  return acceptDrift(workspace, acceptRequests(workspace, live), NOW);
}

/** Returns the edited files as text, by name; git must give the same from the diffs. */
export function textsOf(edits: readonly FileEdit[]): Files {
  expectGitApplies(edits);
  return Object.fromEntries(edits.map(({ file, after }) => [file, new TextDecoder('utf-8', { ignoreBOM: true }).decode(after)]));
}

/** Returns the edited files as text, or the reasons where the drift is refused. */
export function textsOrReasons(found: AcceptResult): Files | readonly string[] {
  return 'refusals' in found ? found.refusals.map(({ summary }) => summary) : textsOf(found.edits);
}

/** Returns the files with these symbolic links. */
export function withLinks(files: ProjectFiles, links: Files): ProjectFiles {
  return { ...files, resolve: (path) => links[path] ?? path };
}

/** Accepts all drift of these files. Returns the edited files as text, or the reasons where the drift is refused. */
export function acceptedTexts(files: Files, live: Sections, targets?: Targets): Files | readonly string[] {
  return textsOrReasons(acceptAll(workspaceOf(files, targets), live));
}

export const beams = (...numbers: readonly number[]) => numbers.map((number) => ({ beam: asset(number) }));

/** Two playlists with comments and short forms, as people write them. */
export const EVENING = `# the evening
playlists:
  # the block itself
  evening:   # as people call it
    desc: 'Evening block'  # quoted on purpose
    repeat: 3   # three times
    skip_drm: false
    playlist:
      - beam: ${asset(1)} # the opener
      # before the film
      - ad: 90
      - beam: { id: ${asset(2)} }

  other: { playlist: [beam: ${asset(3)}, beam: ${asset(4)}] }
`;
export const evening = { desc: 'Evening block', repeat: 3, playlist: [{ beam: asset(1) }, { ad: 90 }, { beam: asset(2) }] };
export const other = { playlist: beams(3, 4) };
