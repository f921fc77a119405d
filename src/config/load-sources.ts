/** load: the files of a target's sources, parsed, with their variables replaced. */
import { posix } from 'node:path';
import type { Finding } from '../model/finding.ts';
import { isJsonObject, type JsonObject, type Path } from '../model/json.ts';
import type { ProjectFiles } from './desired-state.ts';
import { findSourceFiles, type SourceFiles } from './find-source-files.ts';
import { type FindingText, findingAt } from './findings.ts';
import type { Target } from './project.ts';
import { expandVariables } from './variables.ts';
import type { YamlFile } from './yaml/parse.ts';
import type { Reader } from './yaml/reader.ts';

/** One document of a source: a map of sections. */
export interface SourceDocument {
  readonly file: string;
  readonly yaml: YamlFile;
  /** Which of the file's documents it is, from 0. */
  readonly document: number;
  readonly value: JsonObject;
}

/** The documents of one entry of `sources`, by file name and then in the order of the file. */
export type Source = readonly SourceDocument[];

/** A finding about the target itself: the path in upkeep.yaml, and the rest. */
interface TargetProblem {
  readonly path: Path;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
}

/** What loading gave: sources in their order, findings about their files, problems of the target's own entries. */
export interface LoadedSources {
  readonly sources: readonly Source[];
  readonly findings: readonly Finding[];
  readonly problems: readonly TargetProblem[];
  /** Paths of the sources that cannot be relied on; the empty one where something is missing that may have been anything. */
  readonly refused: readonly Path[];
}

/** What is wrong with the files, while it is gathered. */
interface Gathered {
  readonly findings: Finding[];
  readonly refused: Path[];
}

/** The files behind each entry of a target's `sources`, or why there are none. */
export type SourceListing = readonly (SourceFiles | Omit<TargetProblem, 'path'>)[];

/** Lists the files of every source of a target, and reads none. */
export function listSourceFiles(tree: ProjectFiles, target: Target, projectFile: string): SourceListing {
  return target.sources.map((name) => filesOf(tree, name, projectFile));
}

/** Loads every source of a target; whatever is wrong with one file leaves the others to be looked at all the same. */
export function loadSources(listing: SourceListing, reader: Reader, target: Target): LoadedSources {
  const gathered: Gathered = { findings: [], refused: [] };
  const problems: TargetProblem[] = [];
  const sources = listing.map((found, index) => {
    if ('files' in found) {
      for (const way of found.repeated) gathered.findings.push(repeatedLink(way));
      return found.files.flatMap((file) => partsOf(file, reader, target, gathered));
    }
    problems.push({ path: ['targets', target.name, 'sources', index], ...found });
    gathered.refused.push([]);
    return [];
  });
  return { sources, problems, ...gathered };
}

function repeatedLink({ path, real }: SourceFiles['repeated'][number]): Finding {
  const summary = `\`${path}\` leads to \`${real}\`, which this source holds already`;
  return faultOf(path, { code: 'duplicate-link', summary, hint: 'Remove the link: each file of a source is read once.' });
}

/** A finding about a file or folder as a whole. */
function faultOf(file: string, words: FindingText): Finding {
  return findingAt({ file, line: 1, column: 1 }, words);
}

/** The files behind an entry of `sources`, sorted, or why there are none. */
function filesOf(tree: ProjectFiles, name: string, projectFile: string): SourceFiles | Omit<TargetProblem, 'path'> {
  const path = posix.normalize(name).replace(/(?<=.)\/$/, '');
  const found = tree.at(path);
  if (found === 'outside')
    return { code: 'outside-project', summary: `the source \`${name}\` lies outside the project, or is a link that leaves it` };
  if (found === 'file') return { files: [path], repeated: [] };
  if (found === 'missing')
    return {
      code: 'empty-source',
      summary: `the source \`${name}\` does not exist`,
      hint: 'Sources are relative to the folder of upkeep.yaml.',
    };
  const contents = findSourceFiles(tree, path, projectFile);
  if ('excess' in contents) return { code: contents.code, summary: `the source \`${name}\` ${contents.excess}` };
  if (contents.files.length > 0) return contents;
  return {
    code: 'empty-source',
    summary: `the source \`${name}\` holds no file`,
    hint: 'Only *.yaml and *.yml files count, in this folder and below.',
  };
}

function partsOf(file: string, reader: Reader, target: Target, { findings, refused }: Gathered): readonly SourceDocument[] {
  const got = reader.parse(file);
  if ('fault' in got) {
    findings.push(faultOf(file, { code: got.fault.code, summary: `\`${file}\` cannot be read: ${got.fault.reason}` }));
    refused.push([]);
    return [];
  }
  const { yaml } = got;
  const told = (place: { readonly line: number; readonly column: number }, words: FindingText) => {
    findings.push(findingAt({ file, line: place.line, column: place.column, excerpt: yaml.line(place.line) }, words));
  };
  for (const problem of yaml.problems) told(problem, problem);
  if (yaml.problems.length > 0) refused.push([]);
  for (const path of yaml.refused) refused.push(path);
  return yaml.documents.flatMap((content, document) => {
    const { value, problems } = expandVariables(content, target.vars);
    for (const problem of problems) {
      told(yaml.locate(document, problem.path), { code: 'unknown-variable', ...problem });
      refused.push(problem.path);
    }
    if (isJsonObject(value)) return [{ file, yaml, document, value }];
    if (!yaml.refused.some((path) => path.length === 0)) told(yaml.locate(document, []), notSections);
    refused.push([]);
    return [];
  });
}

const notSections: FindingText = {
  code: 'wrong-type',
  summary: 'a source file must hold a map of sections',
  hint: 'Write a section such as `playlists:` at the top level.',
};
