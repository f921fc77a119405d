/** Finds and reads files of tests (`*.test.yaml`). */
import { posix } from 'node:path';
import testSchema from '../../schemas/test.schema.json' with { type: 'json' };
import { createFileReader, isTestFile } from '../core/config/file-reader.ts';
import { findingAt } from '../core/config/findings.ts';
import { describeSchemaError } from '../core/config/schema-errors.ts';
import { locationIn } from '../core/config/source-location.ts';
import { createValidator } from '../core/config/validator.ts';
import { parseYaml, type YamlFile } from '../core/config/yaml/parse.ts';
import { EXIT_CODES } from '../core/model/exit-codes.ts';
import { compareStrings, type Finding, type SourcePosition } from '../core/model/finding.ts';
import { equal, isJsonObject, type JsonObject, type Path } from '../core/model/json.ts';
import type { ProjectFiles } from '../core/model/project-files.ts';
import { CliError } from './run/exit-codes.ts';

/** What stands on one side of a case: a source that is written in it, or the paths of files or folders beside the file of tests. */
type RawSources = string | readonly string[] | JsonObject;

/** What a plan must say. What is absent is not compared. */
export interface Expectation {
  /** A glob. */
  readonly verdict?: string;
  /** What is named of each change, by address; `none` is an address without one. */
  readonly changes?: { readonly [address: string]: 'none' | JsonObject };
  /** Names of safety checks, and `guard/ID`, by address. */
  readonly blocked?: { readonly [address: string]: readonly string[] };
  /** Numbers, by code. */
  readonly findings?: { readonly [code: string]: number };
}

/** A case as written, without the defaults of `run`. */
interface RawCase {
  readonly name: string;
  readonly target?: string;
  readonly base?: RawSources;
  readonly head: RawSources;
  readonly run?: { readonly [member: string]: string };
  readonly expect: Expectation;
}

interface RawTests {
  readonly target?: string;
  readonly cases: readonly RawCase[];
}

/** One case of a file of tests. */
export interface TestCase {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** Null where the project has only one. */
  readonly target: string | null;
  readonly base: TestSources | null;
  readonly head: TestSources;
  /** Members of `run` as written. */
  readonly run: { readonly [member: string]: string };
  readonly expect: Expectation;
}

/** One side of a case: paths relative to the folder of upkeep.yaml, and the text of a source that stands in the case, under its path. */
export interface TestSources {
  readonly paths: readonly string[];
  /** Null where the paths are files of the project. */
  readonly text: string | null;
  /** Number of lines of the file of tests above the text. */
  readonly linesAbove: number;
}

const { target, case: testCase, run, expect, change } = testSchema.definitions;
// Sources are validated when they are loaded.
const validate = createValidator<RawTests>({ ...testSchema, definitions: { target, case: testCase, run, expect, change, sources: {} } });

/** Maximum number of files and folders among which files of tests are looked for. */
const MAX_ENTRIES = 200_000;

/**
 * Lists the files of tests below the folder of upkeep.yaml, sorted; what begins with a dot, and node_modules, is left out. @throws CliError
 * where there are too many files to look at
 */
export function findTestFiles(files: ProjectFiles): readonly string[] {
  const found: string[] = [];
  const folders = ['.'];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of files.list(folder)) {
      entries += 1;
      if (entries > MAX_ENTRIES) throw tooManyFiles();
      if (name.startsWith('.') || name === 'node_modules') continue;
      const path = folder === '.' ? name : `${folder}/${name}`;
      const type = files.typeOf(path);
      // A link could lead anywhere, and round in circles.
      if ((type !== 'folder' && type !== 'file') || (files.resolve?.(path) ?? path) !== path) continue;
      if (type === 'folder') folders.push(path);
      else if (type === 'file' && isTestFile(name)) found.push(path);
    }
  }
  return found.sort(compareStrings);
}

function tooManyFiles(): CliError {
  const summary = `there are more than ${MAX_ENTRIES} files and folders below the folder of upkeep.yaml`;
  return new CliError(EXIT_CODES.invalid, 'too-large', summary, 'name the files of tests');
}

/** Reads a file of tests: its cases, or why it cannot be used. */
export function readTestFile(
  files: ProjectFiles,
  file: string,
): { readonly cases: readonly TestCase[] } | { readonly findings: readonly Finding[] } {
  const at = (code: string, summary: string) => ({ findings: [findingAt({ file, line: 1, column: 1 }, { code, summary })] });
  const result = createFileReader(files).read(file, ['.test.yaml', '.test.yml']);
  if ('error' in result) return at(result.error.code, `\`${file}\` cannot be read: ${result.error.reason}`);
  const yaml = parseYaml(result.bytes);
  if (yaml.errors.length > 0) return { findings: yaml.errors.map((error) => findingAt({ file, ...error }, error)) };
  const [content] = yaml.documents;
  if (content === undefined || yaml.documents.length > 1)
    return at('wrong-type', `\`${file}\` must hold exactly one document, with \`cases\``);
  const checked = validate(content);
  if ('errors' in checked) {
    const findings = checked.errors.map((error) => {
      const finding = describeSchemaError(error, yaml.locationOf(0, error.path).written);
      return findingAt(locationIn({ file, yaml, index: 0 }, finding.path, finding.part), finding);
    });
    return { findings };
  }
  const { value } = checked;
  const cases = value.cases.map((each, index): TestCase => {
    const sourcesOf = (side: 'base' | 'head', raw: RawSources) => testSources(file, yaml, ['cases', index, side], raw);
    return {
      file,
      line: yaml.locationOf(0, ['cases', index]).line,
      name: each.name,
      target: each.target ?? value.target ?? null,
      base: each.base === undefined ? null : sourcesOf('base', each.base),
      head: sourcesOf('head', each.head),
      run: each.run ?? {},
      expect: each.expect,
    };
  });
  return { cases };
}

function testSources(file: string, yaml: YamlFile, path: Path, raw: RawSources): TestSources {
  if (isJsonObject(raw)) return { paths: [`${file}.${path.slice(1).join('-')}.yaml`], ...textAt(yaml, path, raw) };
  const paths = typeof raw === 'string' ? [raw] : raw;
  return { paths: paths.map((each) => posix.join(posix.dirname(file), each)), text: null, linesAbove: 0 };
}

/** Returns the place of a finding: of one about a source that a case holds, in the file of tests. */
export function placeInTests(
  { file, line }: SourcePosition,
  { linesAbove, text }: TestSources,
): { readonly file: string; readonly line: number } {
  const tests = file.replace(/(\.test\.ya?ml)\.\d+-(?:base|head)\.yaml$/, '$1');
  return text === null || tests === file ? { file, line } : { file: tests, line: line + linesAbove };
}

/** Returns the text of a map at a path, from the line where it stands: as it is written if that alone means the same, else written anew. */
function textAt(yaml: YamlFile, path: Path, value: JsonObject): { readonly text: string; readonly linesAbove: number } {
  const [first] = Object.keys(value);
  const start = first === undefined ? yaml.locationOf(0, path, 'key') : yaml.locationOf(0, [...path, first], 'key');
  const lines: string[] = [];
  for (let number = start.line, blank = 0; blank < MAX_BLANK_LINES; number++) {
    const line = yaml.line(number);
    const isBlank = /^\s*(?:#.*)?$/.test(line);
    if (!isBlank && line.search(/\S/) < start.column - 1) break;
    blank = isBlank ? blank + 1 : 0;
    lines.push(line);
  }
  const written = `${lines.join('\n')}\n`;
  const { documents, errors } = parseYaml(Buffer.from(written));
  const isWhole = errors.length === 0 && documents.length === 1 && equal(documents[0] ?? null, value);
  return { text: isWhole ? written : `${' '.repeat(start.column - 1)}${JSON.stringify(value)}\n`, linesAbove: start.line - 1 };
}

/** After so many lines without content, the map has probably ended. */
const MAX_BLANK_LINES = 100;
