/** A project that lies in memory, what somebody has made of its account, and the room as a whole. */

import type { DesiredStateWithSources } from '../../../src/config/desired-state.ts';
import { loadDesiredState } from '../../../src/config/load-desired-state.ts';
import { loadProject } from '../../../src/config/load-project.ts';
import { memoryFiles } from '../../../src/config/project-folder.ts';
import { type AcceptResult, acceptDrift, type Workspace } from '../../../src/drift/accept/accept.ts';
import type { AcceptRequest, FileEdit } from '../../../src/drift/accept/verify-edits.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { LiveResource } from '../../../src/kinds/kind.ts';
import { kindOfAddress } from '../../../src/model/address.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { ProjectFiles } from '../../../src/model/project-files.ts';
import { differencesOf } from '../../../src/plan/diff-resources.ts';
import { asset } from '../../e2e/accounts.ts';

export { asset, type Workspace };

/** 2025-06-15 in Unix milliseconds. */
export const NOW = 1_750_000_000_000;

/** What is written or live, by section. */
export interface Sections {
  readonly [section: string]: Json;
}

/** Files by their names. */
export interface Files {
  readonly [name: string]: string;
}

/** Settings of targets by their names, the first one's being those that are looked at; without any, one that reads all YAML files. */
export interface Targets {
  readonly [name: string]: { readonly sources: readonly string[]; readonly vars?: Files };
}

/** The desk of the first target. */
export function deskOf(texts: Files, targets?: Targets): Workspace {
  const settings = { base_url: 'https://services.example.com', credentials: { owner: { env: 'OWNER' }, api_key: { env: 'KEY' } } };
  const named = targets ?? { main: { sources: Object.keys(texts).filter((name) => name.endsWith('.yaml')) } };
  const written = Object.entries(named).map(([name, own]) => [name, { ...settings, ...own }]);
  const text = JSON.stringify({ version: 1, targets: Object.fromEntries(written) });
  const files = memoryFiles([{ name: 'upkeep.yaml', text }, ...Object.entries(texts).map(([name, text]) => ({ name, text }))]);
  const { project, findings } = loadProject(files);
  const [target] = project?.targets ?? [];
  if (!project || !target) throw new Error(`not a valid project: ${JSON.stringify(findings)}`);
  return { files, project, target, kinds, parseCache: new Map() };
}

/** What the sources of the first target say. */
export function sourcedFrom({ files, project, target }: Workspace): DesiredStateWithSources {
  const sourced = loadDesiredState(files, project, target, kinds);
  const mistakes = sourced.findings.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) throw new Error(`not valid sources: ${JSON.stringify(mistakes)}`);
  return sourced;
}

/** What is declared and live otherwise, in the order of the sources; the live side is what these sections would declare, and what they leave out is gone. */
export function askedFor(workspace: Workspace, live: Sections): readonly AcceptRequest[] {
  const there = new Map(sourcedFrom(deskOf({ 'a.yaml': JSON.stringify(live) })).resources.map((each) => [each.address, each]));
  return sourcedFrom(workspace).resources.flatMap((desired): readonly AcceptRequest[] => {
    const kind = kindOfAddress(kinds, desired.address);
    if (!kind) throw new Error(`an address of no kind: ${desired.address}`);
    const fields = there.get(desired.address)?.fields;
    if (fields === undefined) return [{ kind, desired, live: null }];
    const side = liveSide(String(desired.path[0]), there.get(desired.address)?.remoteName ?? '', fields);
    return differencesOf(kind, desired, side, NOW).length > 0 ? [{ kind, desired, live: side }] : [];
  });
}

function liveSide(section: string, label: string, fields: JsonObject): LiveResource {
  return { id: 'live', remoteName: label, fields, matchableByRemoteName: true, configSection: section, unknown: [] };
}

/** The room as a whole: what becomes of these files, or why nothing does. */
export function accepted(workspace: Workspace, live: Sections): AcceptResult {
  return acceptDrift(workspace, askedFor(workspace, live), NOW);
}

/** Amended files as text. */
export function textsOf(edits: readonly FileEdit[]): Files {
  return Object.fromEntries(edits.map(({ file, after }) => [file, new TextDecoder('utf-8', { ignoreBOM: true }).decode(after)]));
}

/** The texts that came out; the reasons where none did. */
export function outcomeOf(found: AcceptResult): Files | readonly string[] {
  return 'refusals' in found ? found.refusals.map(({ summary }) => summary) : textsOf(found.edits);
}

/** The project files with other answers about links. */
export function linked(files: ProjectFiles, links: Files): ProjectFiles {
  return { ...files, real: (path) => links[path] ?? path };
}

/** The texts that come out of these files; the reasons where none do. */
export function outcome(files: Files, live: Sections, targets?: Targets): Files | readonly string[] {
  return outcomeOf(accepted(deskOf(files, targets), live));
}

export const beams = (...numbers: readonly number[]) => numbers.map((number) => ({ beam: asset(number) }));

/** Two playlists as people write them, and both as they are declared. */
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
