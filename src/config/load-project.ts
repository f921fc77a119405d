/** Reads and validates upkeep.yaml, and fills in its defaults. No finding about it shows a value that may be a credential. */

import type { Finding } from '../model/finding.ts';
import type { Json, Path } from '../model/json.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import { dedupeFindings, type FindingText, findingAt } from './findings.ts';
import type { SourceDocument } from './load-sources.ts';
import { baseUrl, type Project, type RawProject, toProject, validateProjectFile } from './project.ts';
import type { ProjectFiles } from './project-files.ts';

import { describeSchemaError, type SchemaErrorMessage } from './schema-errors.ts';
import { locateOffset, locationIn, type SourceLocation } from './source-map.ts';
import { invalidPathsOf } from './source-schema.ts';
import { validateGuards } from './validate-guards.ts';
import type { SchemaError } from './validator.ts';
import { type Point, parseYaml, type YamlFile } from './yaml/parse.ts';

/** Parses and validates upkeep.yaml (design section 3). The project is null exactly when a finding is an error. */
export function loadProject(
  tree: ProjectFiles,
  file = 'upkeep.yaml',
): { readonly project: Project | null; readonly findings: readonly Finding[] } {
  const result = createFileReader(tree).read(file);
  if ('fault' in result) {
    return failed([
      findingAt({ file, line: 1, column: 1 }, { code: result.fault.code, summary: `\`${file}\` cannot be read: ${result.fault.reason}` }),
    ]);
  }
  const yaml = parseYaml(result.bytes);
  const findings = yaml.problems.map((problem) => findingAt({ file, line: problem.line, column: problem.column }, problem));
  const content = yaml.documents[0];
  if (content === undefined || yaml.documents.length > 1) {
    const summary = `\`${file}\` must hold exactly one document, with \`version\` and \`targets\``;
    return failed(findings.length > 0 ? findings : [findingAt({ file, line: 1, column: 1 }, { code: 'wrong-type', summary })]);
  }
  const locate = (path: Path, point?: Point) => withoutSecretLine(locationIn({ file, yaml, document: 0 }, path, point), path);
  const checked = validateProjectFile(copyContent(content));
  const messages = 'value' in checked ? baseUrlErrors(checked.value) : schemaErrorMessages(checked.mismatches, yaml);
  findings.push(...messages.map((message) => findingAt(locate(message.path, message.point), message)));
  if ('value' in checked) findings.push(...guardFindings(checked.value, { file, yaml, document: 0 }));
  return 'value' in checked && findings.length === 0 ? { project: toProject(file, checked.value, locate), findings } : failed(findings);
}

/** Returns findings about the guards, each at the character where the error begins. */
function guardFindings({ guards }: RawProject, part: Pick<SourceDocument, 'file' | 'yaml' | 'document'>): readonly Finding[] {
  const expressionFindings = validateGuards(guards, ['guards']).map(({ path, value, offset, summary, hint }) => {
    const location = locateOffset(locationIn(part, path), value, offset, part.yaml.line);
    return findingAt(location, { code: 'guard-expression', summary, hint });
  });
  const ids = guards.map(({ id }) => id);
  const duplicates = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [{ id, index }]));
  const duplicateFindings = duplicates.map(({ id, index }) => {
    const text = { code: 'duplicate-item', summary: `there is a guard \`${id}\` already`, hint: 'Give each guard an id of its own.' };
    return findingAt(locationIn(part, ['guards', index, 'id']), text);
  });
  return [...expressionFindings, ...duplicateFindings];
}

function failed(findings: readonly Finding[]): { readonly project: null; readonly findings: readonly Finding[] } {
  return { project: null, findings: dedupeFindings(findings) };
}

/**
 * Returns a function that locates paths of a valid upkeep.yaml, for findings about a target. The file is part of the digest of `reader`.
 */
export function projectLocations(reader: FileReader, file: string): (path: Path, point?: Point) => SourceLocation {
  const result = reader.read(file);
  const yaml = parseYaml('bytes' in result ? result.bytes : new Uint8Array());
  return (path, point) => locationIn({ file, yaml, document: 0 }, path, point);
}

/** Copies the content, so that values shared by aliases get their defaults separately. */
function copyContent(content: Json): Json {
  const copy: Json = JSON.parse(JSON.stringify(content));
  return copy;
}

/** Removes the excerpt of a location whose line may contain a credential, also one that is in the wrong place. */
function withoutSecretLine(
  location: SourceLocation,
  path: Path,
): Omit<SourceLocation, 'excerpt'> & { readonly excerpt: string | undefined } {
  const mayBeSecret = path.includes('credentials') || /key|\bowner\b|secret|token|passw|credential|@/i.test(location.excerpt);
  return { ...location, excerpt: mayBeSecret ? undefined : location.excerpt };
}

function schemaErrorMessages(all: readonly SchemaError[], yaml: YamlFile): readonly SchemaErrorMessage[] {
  const invalidPaths = invalidPathsOf(yaml.invalidPaths);
  const errors = all.filter(({ path, value }) => typeof value === 'number' || !invalidPaths.contains(path));
  const credentials = new Map<string, SchemaErrorMessage>();
  const others: SchemaErrorMessage[] = [];
  for (const error of errors) {
    const { path } = error;
    if (path[0] !== 'targets' || path[2] !== 'credentials') others.push(describeSchemaError(error, yaml.locate(0, path).written));
    else if (path.length === 3) others.push(credentialsError(error));
    else credentials.set(path.slice(0, 4).join('/'), credentialError(error));
  }
  return [...others, ...credentials.values()];
}

/** Describes an error of `credentials` itself. Known keys may be shown; an unknown key may be a secret. */
function credentialsError(error: SchemaError): SchemaErrorMessage {
  const at = { path: error.path, point: 'value' } as const;
  if (error.keyword === 'required') return describeSchemaError(error, undefined);
  return { ...at, ...credentialText('credential-source', '`credentials` must hold `owner` and `api_key`, and nothing else') };
}

/** Describes an error of one credential, without any of its content. */
function credentialError({ path, value }: SchemaError): SchemaErrorMessage {
  const at = { path: path.slice(0, 4), point: 'value' } as const;
  const name = String(path[3]);
  const literal = path.length > 4 ? path[4] === 'env' : typeof value !== 'object' || value === null;
  if (!literal) return { ...at, ...credentialText('credential-source', `\`${name}\` must have exactly one of env, file and command`) };
  return { ...at, ...credentialText('literal-credential', `\`${name}\` must say where the credential is found, not what it is`) };
}

function credentialText(code: string, summary: string): FindingText {
  const hint =
    'Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is known, and should be replaced.';
  return { code, summary, hint };
}

function baseUrlErrors({ targets }: RawProject): readonly SchemaErrorMessage[] {
  return Object.entries(targets).flatMap(([name, target]): SchemaErrorMessage[] => {
    if (baseUrl(target.base_url) !== null) return [];
    const summary = '`base_url` must be an https address without user, query or fragment';
    const hint = 'http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open.';
    return [{ code: 'base-url', summary, hint, path: ['targets', name, 'base_url'], point: 'value' }];
  });
}
