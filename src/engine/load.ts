/** load: the files of a target's sources, parsed, with their variables replaced. */
import { posix } from 'node:path';
import { compareText, type Finding } from '../model/finding.ts';
import { type Fields, isFields, type Path } from '../model/json.ts';
import type { Target } from './configuration.ts';
import type { Tree } from './declaration.ts';
import { parseYaml, type YamlFile } from './parse.ts';
import type { Reader } from './reader.ts';
import { expandVariables } from './variables.ts';

/** One document of a source: a map of sections. */
export interface Part {
  readonly file: string;
  readonly yaml: YamlFile;
  /** Which of the file's documents it is, from 0. */
  readonly document: number;
  readonly value: Fields;
}

/** The documents of one entry of `sources`, by file name and then in the order of the file. */
export type Source = readonly Part[];

/** A finding about the target itself: the path in upkeep.yaml, and the rest. */
interface TargetProblem {
  readonly path: Path;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
}

/** What loading gave: sources in their order, findings about their files, problems of the target's own entries. */
export interface Loaded {
  readonly sources: readonly Source[];
  readonly findings: readonly Finding[];
  readonly problems: readonly TargetProblem[];
}

/** Files and folders that one source may hold: a bound for links that lead in circles. */
const MAX_ENTRIES = 200_000;

/** Loads every source of a target; whatever is wrong with one file leaves the others to be looked at all the same. */
export function load(tree: Tree, reader: Reader, target: Target, projectFile: string): Loaded {
  const findings: Finding[] = [];
  const problems: TargetProblem[] = [];
  const sources = target.sources.map((name, index) => {
    const found = filesOf(tree, name, projectFile);
    if ('files' in found) return found.files.flatMap((file) => partsOf(file, reader, target, findings));
    problems.push({ path: ['targets', target.name, 'sources', index], ...found });
    return [];
  });
  return { sources, findings, problems };
}

/** The files behind an entry of `sources`, sorted, or why there are none. */
function filesOf(tree: Tree, name: string, projectFile: string): { readonly files: readonly string[] } | Omit<TargetProblem, 'path'> {
  const path = posix.normalize(name).replace(/(?<=.)\/$/, '');
  const found = tree.at(path);
  if (found === 'outside')
    return { code: 'outside-project', summary: `the source \`${name}\` lies outside the project, or is a link that leaves it` };
  if (found === 'file') return { files: [path] };
  if (found === 'missing')
    return {
      code: 'empty-source',
      summary: `the source \`${name}\` does not exist`,
      hint: 'Sources are relative to the folder of upkeep.yaml.',
    };
  const files = yamlFilesBelow(tree, path, projectFile);
  if (files === null) return { code: 'too-large', summary: `the source \`${name}\` holds more than ${MAX_ENTRIES} files and folders` };
  if (files.length > 0) return { files };
  return {
    code: 'empty-source',
    summary: `the source \`${name}\` holds no file`,
    hint: 'Only *.yaml and *.yml files count, in this folder and below.',
  };
}

/** All *.yaml and *.yml below a folder, without hidden folders and upkeep.yaml itself; null when there are too many entries. */
function yamlFilesBelow(tree: Tree, folder: string, projectFile: string): readonly string[] | null {
  const files: string[] = [];
  const folders = [folder];
  let entries = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of tree.list(next)) {
      if (++entries > MAX_ENTRIES) return null;
      if (name.startsWith('.')) continue;
      const path = next === '.' ? name : `${next}/${name}`;
      const isYaml = /\.ya?ml$/.test(name);
      const found = tree.at(path);
      if (found === 'folder') folders.push(path);
      else if (isYaml && path !== projectFile) files.push(path);
    }
  }
  return files.sort(compareText);
}

function partsOf(file: string, reader: Reader, target: Target, findings: Finding[]): readonly Part[] {
  const got = reader.read(file);
  if ('fault' in got) {
    findings.push({
      severity: 'error',
      code: got.fault.code,
      summary: `\`${file}\` cannot be read: ${got.fault.reason}`,
      file,
      line: 1,
      column: 1,
    });
    return [];
  }
  const yaml = parseYaml(got.bytes);
  for (const problem of yaml.problems) findings.push({ severity: 'error', ...problem, file, excerpt: yaml.line(problem.line) });
  return yaml.documents.flatMap((content, document) => {
    const { value, problems } = expandVariables(content, target.vars);
    const told = (path: Path, code: string, summary: string, hint: string) => {
      const { line, column } = yaml.locate(document, path);
      findings.push({ severity: 'error', code, summary, hint, file, line, column, excerpt: yaml.line(line) });
    };
    for (const problem of problems) told(problem.path, 'unknown-variable', problem.summary, problem.hint);
    if (isFields(value)) return [{ file, yaml, document, value }];
    told([], 'wrong-type', 'a source file must hold a map of sections', 'Write a section such as `playlists:` at the top level.');
    return [];
  });
}
