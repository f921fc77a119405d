/** Finds and reads files of tests (`*.test.yaml`). */
import { posix } from 'node:path';
import testSchema from '../../schemas/test.schema.json' with { type: 'json' };
import { createFileReader, isTestFile } from '../core/config/file-reader.ts';
import { findingAt } from '../core/config/findings.ts';
import { describeSchemaError } from '../core/config/schema-errors.ts';
import { locationIn } from '../core/config/source-location.ts';
import { createValidator } from '../core/config/validator.ts';
import { parseYaml, type YamlFile } from '../core/config/yaml/parse.ts';
import { compareStrings, type Finding } from '../core/model/finding.ts';
import { isJsonObject, type JsonObject, type Path } from '../core/model/json.ts';
import type { ProjectFiles } from '../core/model/project-files.ts';

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
}

const { target, case: testCase, run, expect, change } = testSchema.definitions;
// Sources are validated when they are loaded.
const validate = createValidator<RawTests>({ ...testSchema, definitions: { target, case: testCase, run, expect, change, sources: {} } });

/** Maximum number of files and folders among which files of tests are looked for. */
const MAX_ENTRIES = 200_000;

/** Lists the files of tests below the folder of upkeep.yaml, sorted; what begins with a dot, and node_modules, is left out. */
export function findTestFiles(files: ProjectFiles): readonly string[] {
  const found: string[] = [];
  const folders = ['.'];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined && entries <= MAX_ENTRIES; folder = folders.pop()) {
    for (const name of files.list(folder)) {
      entries += 1;
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
  if (isJsonObject(raw)) return { paths: [`${file}.${path.slice(1).join('-')}.yaml`], text: textAt(yaml, path, raw) };
  const paths = typeof raw === 'string' ? [raw] : raw;
  return { paths: paths.map((each) => posix.join(posix.dirname(file), each)), text: null };
}

/** Returns the file in which a source stands that a case holds: the file of tests itself; any other path as it is. */
export function fileOfSource(path: string): string {
  return path.replace(/(\.test\.ya?ml)\.\d+-(?:base|head)\.yaml$/, '$1');
}

/**
 * Returns the text of a map at a path, on the lines where it stands, so that findings about it name them. A map in brackets is written anew,
 * on its first line.
 */
function textAt(yaml: YamlFile, path: Path, value: JsonObject): string {
  const [first] = Object.keys(value);
  const key = yaml.locationOf(0, path, 'key');
  const start = first === undefined ? key : yaml.locationOf(0, [...path, first], 'key');
  const above = '\n'.repeat(start.line - 1);
  if (start.line === key.line) return `${above}${' '.repeat(start.column - 1)}${JSON.stringify(value)}\n`;
  const lines: string[] = [];
  const indentation = start.column - 1;
  for (let number = start.line, blank = 0; blank < MAX_BLANK_LINES; number++) {
    const line = yaml.line(number);
    const isBlank = /^\s*(?:#.*)?$/.test(line);
    if (!isBlank && line.search(/\S/) < indentation) break;
    blank = isBlank ? blank + 1 : 0;
    lines.push(line);
  }
  return `${above}${lines.join('\n')}\n`;
}

/** After so many lines without content, the file has ended. */
const MAX_BLANK_LINES = 1_000;
