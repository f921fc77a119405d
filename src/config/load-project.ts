/** upkeep.yaml: read, checked, with its defaults. No finding about it shows a value that may be a credential. */

import type { Finding } from '../model/finding.ts';
import type { Json, Path } from '../model/json.ts';
import type { ProjectFiles } from './desired-state.ts';
import { dedupeFindings, type FindingText, findingAt } from './findings.ts';
import { invalidPathsOf } from './invalid-paths.ts';
import type { SourceDocument } from './load-sources.ts';
import type { Project } from './project.ts';
import { baseUrl, type RawProject, toProject, validateProjectFile } from './project-file.ts';
import { describeSchemaError, type SchemaErrorMessage } from './schema-errors.ts';
import { locationIn, type SourceLocation } from './source-map.ts';
import { validateGuards } from './validate-guards.ts';
import type { SchemaError } from './validator.ts';
import { locateOffset } from './yaml/locate-offset.ts';
import { type Point, parseYaml, type YamlFile } from './yaml/parse.ts';
import { type Reader, readerOf } from './yaml/reader.ts';

/** Parses and validates upkeep.yaml (design section 3). The project is null exactly when a finding is an error. */
export function loadProject(
  tree: ProjectFiles,
  file = 'upkeep.yaml',
): { readonly project: Project | null; readonly findings: readonly Finding[] } {
  const got = readerOf(tree).read(file);
  if ('fault' in got) {
    return failed([
      findingAt({ file, line: 1, column: 1 }, { code: got.fault.code, summary: `\`${file}\` cannot be read: ${got.fault.reason}` }),
    ]);
  }
  const yaml = parseYaml(got.bytes);
  const findings = yaml.problems.map((problem) => findingAt({ file, line: problem.line, column: problem.column }, problem));
  const content = yaml.documents[0];
  if (content === undefined || yaml.documents.length > 1) {
    const summary = `\`${file}\` must hold exactly one document, with \`version\` and \`targets\``;
    return failed(findings.length > 0 ? findings : [findingAt({ file, line: 1, column: 1 }, { code: 'wrong-type', summary })]);
  }
  const site = (path: Path, point?: Point) => withoutSecretLine(locationIn({ file, yaml, document: 0 }, path, point), path);
  const checked = validateProjectFile(unshared(content));
  const messages = 'value' in checked ? urlMistakes(checked.value) : settingMistakes(checked.mismatches, yaml);
  findings.push(...messages.map((message) => findingAt(site(message.path, message.point), message)));
  if ('value' in checked) findings.push(...guardFindings(checked.value, { file, yaml, document: 0 }));
  return 'value' in checked && findings.length === 0 ? { project: toProject(file, checked.value, site), findings } : failed(findings);
}

/** What is wrong with the guards, each at the character where it begins. */
function guardFindings({ guards }: RawProject, part: Pick<SourceDocument, 'file' | 'yaml' | 'document'>): readonly Finding[] {
  const wrong = validateGuards(guards, ['guards']).map(({ path, value, offset, summary, hint }) => {
    const location = locateOffset(locationIn(part, path), value, offset, part.yaml.line);
    return findingAt(location, { code: 'guard-expression', summary, hint });
  });
  const ids = guards.map(({ id }) => id);
  const twice = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [{ id, index }]));
  const named = twice.map(({ id, index }) => {
    const words = { code: 'duplicate-item', summary: `there is a guard \`${id}\` already`, hint: 'Give each guard an id of its own.' };
    return findingAt(locationIn(part, ['guards', index, 'id']), words);
  });
  return [...wrong, ...named];
}

function failed(findings: readonly Finding[]): { readonly project: null; readonly findings: readonly Finding[] } {
  return { project: null, findings: dedupeFindings(findings) };
}

/** Places in a valid upkeep.yaml, for findings about a target. The file counts as read. */
export function projectLocations(reader: Reader, file: string): (path: Path, point?: Point) => SourceLocation {
  const got = reader.read(file);
  const yaml = parseYaml('bytes' in got ? got.bytes : new Uint8Array());
  return (path, point) => locationIn({ file, yaml, document: 0 }, path, point);
}

/** Values that aliases share are written apart, because each place takes its own defaults. */
function unshared(content: Json): Json {
  const copy: Json = JSON.parse(JSON.stringify(content));
  return copy;
}

/** A place without its line, where the line may hold a credential, wherever it was put by mistake. */
function withoutSecretLine(
  location: SourceLocation,
  path: Path,
): Omit<SourceLocation, 'excerpt'> & { readonly excerpt: string | undefined } {
  const telling = path.includes('credentials') || /key|\bowner\b|secret|token|passw|credential|@/i.test(location.excerpt);
  return { ...location, excerpt: telling ? undefined : location.excerpt };
}

function settingMistakes(all: readonly SchemaError[], yaml: YamlFile): readonly SchemaErrorMessage[] {
  const invalidPaths = invalidPathsOf(yaml.refused);
  const errors = all.filter(({ path, value }) => typeof value === 'number' || !invalidPaths.contains(path));
  const credentials = new Map<string, SchemaErrorMessage>();
  const others: SchemaErrorMessage[] = [];
  for (const error of errors) {
    const { path } = error;
    if (path[0] !== 'targets' || path[2] !== 'credentials') others.push(describeSchemaError(error, yaml.locate(0, path).written));
    else if (path.length === 3) others.push(credentialsMistake(error));
    else credentials.set(path.slice(0, 4).join('/'), credentialMistake(error));
  }
  return [...others, ...credentials.values()];
}

/** A mistake in `credentials` itself: its keys may be told, but for one that nobody knows. */
function credentialsMistake(error: SchemaError): SchemaErrorMessage {
  const at = { path: error.path, point: 'value' } as const;
  if (error.keyword === 'required') return describeSchemaError(error, undefined);
  return { ...at, ...credentialWords('credential-source', '`credentials` must hold `owner` and `api_key`, and nothing else') };
}

/** A mistake in one credential, told without any of its content. */
function credentialMistake({ path, value }: SchemaError): SchemaErrorMessage {
  const at = { path: path.slice(0, 4), point: 'value' } as const;
  const name = String(path[3]);
  const literal = path.length > 4 ? path[4] === 'env' : typeof value !== 'object' || value === null;
  if (!literal) return { ...at, ...credentialWords('credential-source', `\`${name}\` must have exactly one of env, file and command`) };
  return { ...at, ...credentialWords('literal-credential', `\`${name}\` must say where the credential is found, not what it is`) };
}

function credentialWords(code: string, summary: string): FindingText {
  const hint =
    'Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is known, and should be replaced.';
  return { code, summary, hint };
}

function urlMistakes({ targets }: RawProject): readonly SchemaErrorMessage[] {
  return Object.entries(targets).flatMap(([name, target]): SchemaErrorMessage[] => {
    if (baseUrl(target.base_url) !== null) return [];
    const summary = '`base_url` must be an https address without user, query or fragment';
    const hint = 'http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open.';
    return [{ code: 'base-url', summary, hint, path: ['targets', name, 'base_url'], point: 'value' }];
  });
}
