/** The first step of loading a desired state: lists and parses the files of a target's sources. */

import { posix } from 'node:path';
import type { Finding, FindingText } from '../model/finding.ts';
import { isJsonObject, type Path } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import { findSourceFiles, resolvedPath, type SourceFiles } from './find-source-files.ts';
import { findingAt } from './findings.ts';
import type { Project, Target } from './project.ts';
import { withSeverity } from './severity-rules.ts';
import { readProjectDocument, type SourceDocument } from './source-document.ts';
import { locationIn } from './source-location.ts';
import type { ParseCache } from './yaml/parse.ts';

/** The documents of one entry of `sources`, sorted by file name, then by their order in the file. */
export type Source = readonly SourceDocument[];

/** The loaded sources of a target, and what is wrong with them. */
export interface LoadedSources {
  readonly project: Project;
  readonly target: Target;
  readonly reader: FileReader;
  /** The content of upkeep.yaml. */
  readonly projectDocument: SourceDocument;
  readonly sources: readonly Source[];
  readonly findings: readonly Finding[];
  /**
   * Paths in the merged sources whose value is missing or unusable. The empty path means that some content could not be read, which may
   * belong to any section.
   */
  readonly unreadablePaths: readonly Path[];
}

/** Collects findings about the files and unreadable paths. */
interface FindingCollector {
  readonly findings: Finding[];
  readonly unreadablePaths: Path[];
}

/** The files of each entry of a target's `sources`, or the text of a finding where there are none. */
export type SourceListing = readonly (SourceFiles | FindingText)[];

/** Lists the files of every source of a target without reading them. */
export function listSourceFiles(projectFiles: ProjectFiles, target: Target, projectFile: string): SourceListing {
  const nameOf = new Map<string, string>();
  return target.sources.map(({ path }) => listFiles(projectFiles, path, projectFile, nameOf));
}

/** Loads every source of a target. The other files are checked even if one has an error. `parseCache` shares parsed files between targets. */
export function loadSources(files: ProjectFiles, project: Project, target: Target, parseCache?: ParseCache): LoadedSources {
  const reader = createFileReader(files, parseCache);
  const projectDocument = readProjectDocument(reader, project.file);
  const collector: FindingCollector = { findings: [], unreadablePaths: [] };
  const sources = listSourceFiles(files, target, project.file).map((found, index) => {
    if ('files' in found) {
      for (const link of found.duplicateLinks) collector.findings.push(duplicateLinkFinding(link));
      for (const file of found.notRead) collector.findings.push(...withSeverity(notReadFinding(file), project.rules));
      return found.files.flatMap((file) => loadFile(file, reader, collector));
    }
    collector.findings.push(findingAt(locationIn(projectDocument, ['targets', target.name, 'sources', index]), found));
    collector.unreadablePaths.push([]);
    return [];
  });
  return { project, target, reader, projectDocument, sources, ...collector };
}

function duplicateLinkFinding({ path, resolved }: SourceFiles['duplicateLinks'][number]): Finding {
  const summary = `\`${path}\` leads to \`${resolved}\`, which this source holds already`;
  return fileFinding(path, { code: 'duplicate-link', summary, hint: 'Remove the link: each file of a source is read once.' });
}

function notReadFinding(file: string): Finding {
  const summary = `\`${file}\` looks like a source, and is not read`;
  const hint = 'Sources end with .yaml or .yml in small letters, and do not begin with a dot. Rename it, or move it elsewhere.';
  return fileFinding(file, { severity: 'warning', code: 'file-not-read', summary, hint });
}

function fileFinding(file: string, text: FindingText): Finding {
  return findingAt({ file, line: 1, column: 1 }, text);
}

/**
 * Lists the files of an entry of `sources`, sorted. Returns the text of a finding where there are none, or where an earlier entry names the
 * same file or folder. `nameOf` holds the earlier ones by their path without links.
 */
function listFiles(projectFiles: ProjectFiles, name: string, projectFile: string, nameOf: Map<string, string>): SourceFiles | FindingText {
  const path = posix.normalize(name).replace(/(?<=.)\/$/, '');
  const type = projectFiles.typeOf(path);
  if (type === 'outside')
    return { code: 'outside-project', summary: `the source \`${name}\` lies outside the project, or is a link that leaves it` };
  if (type === 'skipped') return { files: [path], duplicateLinks: [], notRead: [] };
  if (type === 'missing' || type === 'special')
    return {
      code: 'empty-source',
      summary: `the source \`${name}\` ${type === 'missing' ? 'does not exist' : 'is neither a file nor a folder'}`,
      hint: 'Sources are relative to the folder of upkeep.yaml.',
    };
  const resolved = resolvedPath(projectFiles, path);
  const earlier = nameOf.get(resolved);
  if (earlier !== undefined)
    return {
      code: 'duplicate-item',
      summary: `the source \`${name}\` is named twice, at first as \`${earlier}\``,
      hint: 'Keep one of them: sources are read in their order, and what a later one says counts.',
    };
  nameOf.set(resolved, name);
  if (type === 'file') return { files: [path], duplicateLinks: [], notRead: [] };
  const found = findSourceFiles(projectFiles, path, projectFile);
  if ('reason' in found) return { code: found.code, summary: `the source \`${name}\` ${found.reason}` };
  if (found.files.length > 0) return found;
  return {
    code: 'empty-source',
    summary: `the source \`${name}\` holds no file`,
    hint: 'Only *.yaml and *.yml files count, in this folder and below.',
  };
}

const NOT_CHECKED_OUT_HINT =
  'Check it out (git sparse-checkout, or git update-index --no-skip-worktree), or plan the commit: plan --ref HEAD.';

function loadFile(file: string, reader: FileReader, { findings, unreadablePaths }: FindingCollector): readonly SourceDocument[] {
  const result = reader.parse(file);
  if ('error' in result) {
    const hint = result.error.code === 'not-checked-out' ? { hint: NOT_CHECKED_OUT_HINT } : {};
    findings.push(fileFinding(file, { code: result.error.code, summary: `\`${file}\` cannot be read: ${result.error.reason}`, ...hint }));
    unreadablePaths.push([]);
    return [];
  }
  const { yaml } = result;
  const addFinding = (position: { readonly line: number; readonly column: number }, text: FindingText) => {
    findings.push(findingAt({ file, line: position.line, column: position.column, excerpt: yaml.line(position.line) }, text));
  };
  for (const error of yaml.errors) addFinding(error, error);
  if (yaml.errors.length > 0) unreadablePaths.push([]);
  for (const path of yaml.invalidPaths) unreadablePaths.push(path);
  return yaml.documents.flatMap((content, index) => {
    if (isJsonObject(content)) return [{ file, yaml, index, content }];
    if (!yaml.invalidPaths.some((path) => path.length === 0)) addFinding(yaml.locationOf(index, []), notSections);
    unreadablePaths.push([]);
    return [];
  });
}

const notSections: FindingText = {
  code: 'wrong-type',
  summary: 'a source file must hold a map of sections',
  hint: 'Write a section such as `playlists:` at the top level.',
};
