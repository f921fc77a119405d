/** Reads and validates upkeep.yaml, and fills in its defaults. No finding about it shows a value that may be a credential. */

import { CATALOG_IDS } from '../device-impact/device-catalog.ts';
import type { UnlocatedFinding } from '../kinds/kind.ts';
import type { Finding, FindingText, SourcePosition } from '../model/finding.ts';
import { isDay } from '../model/instant.ts';
import type { Json, MemberPart, Path } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { suggest } from './did-you-mean.ts';
import { createFileReader } from './file-reader.ts';
import { dedupeFindings, findingAt, withConflictPosition } from './findings.ts';
import { ledgerAddressProblem } from './ledger-address.ts';
import { pathSet } from './path-set.ts';
import { isRuleList, normalizeBaseUrl, type Project, type RawProject, toProject, validateProjectFile } from './project.ts';
import { describeSchemaError, isNotReportedYet } from './schema-errors.ts';
import type { SourceDocument } from './source-document.ts';
import { locationIn, locationOfOffset, type SourceLocation } from './source-location.ts';
import { stageProblems } from './stages.ts';
import { validateGuards } from './validate-guards.ts';
import type { SchemaError } from './validator.ts';
import { readWindows, windowWarnings } from './windows.ts';
import { parseYaml, type YamlFile } from './yaml/parse.ts';

/**
 * Parses and validates upkeep.yaml (design section 3). `today` is the day of the run, UTC. The project is null if there is an error.
 */
export function loadProject(
  files: ProjectFiles,
  today: string,
  file = 'upkeep.yaml',
): { readonly project: Project | null; readonly findings: readonly Finding[] } {
  const result = createFileReader(files).read(file);
  if ('error' in result) {
    return failed([
      findingAt({ file, line: 1, column: 1 }, { code: result.error.code, summary: `\`${file}\` cannot be read: ${result.error.reason}` }),
    ]);
  }
  const yaml = parseYaml(result.bytes);
  const findings = yaml.errors.map((error) => findingAt({ file, line: error.line, column: error.column }, error));
  const content = yaml.documents[0];
  if (content === undefined || yaml.documents.length > 1) {
    const summary = `\`${file}\` must hold exactly one document, with \`version\` and \`targets\``;
    return failed(findings.length > 0 ? findings : [findingAt({ file, line: 1, column: 1 }, { code: 'wrong-type', summary })]);
  }
  const locationOf = (path: Path, part?: MemberPart) => withoutSecretLine(locationIn({ file, yaml, index: 0 }, path, part), path);
  const checked = validateProjectFile(copyContent(content));
  const unlocated =
    'value' in checked
      ? [
          ...baseUrlFindings(checked.value),
          ...ledgerFindings(checked.value),
          ...deviceFindings(checked.value),
          ...ruleFindings(checked.value),
          ...stageFindings(checked.value),
          ...windowFindings(checked.value),
        ]
      : schemaFindings(checked.errors, yaml);
  findings.push(
    ...unlocated.map((finding) => findingAt(locationOf(finding.path, finding.part), withConflictPosition(finding, locationOf))),
  );
  if ('value' in checked) findings.push(...guardFindings(checked.value, { file, yaml, index: 0 }));
  if (!('value' in checked) || findings.length > 0) return failed(findings);
  const project = toProject(file, checked.value, today, locationOf);
  const ofTargets = project.targets.map(({ windows }) => windows);
  const warnings = windowWarnings(project.windows, ofTargets, today).map((warning) => findingAt(locationOf(warning.path), warning));
  return { project, findings: warnings };
}

/** Returns a function that finds where upkeep.yaml has a key, or what is left of its path. */
export function positionsIn(files: ProjectFiles, file: string): (path: Path) => SourcePosition {
  const yaml = parseYaml(files.read(file));
  return (path) => {
    const { line, column } = yaml.locationOf(0, path, 'key');
    return { file, line, column };
  };
}

/** Returns findings about the guards; those about expressions at the character where the error begins. */
function guardFindings({ guards }: RawProject, document: Pick<SourceDocument, 'file' | 'yaml' | 'index'>): readonly Finding[] {
  const expressionFindings = validateGuards(guards, ['guards']).map((error) => {
    const { path, expression, offset } = error;
    return findingAt(locationOfOffset(locationIn(document, path), expression, offset, document.yaml.line), error);
  });
  const ids = guards.map(({ id }) => id);
  const idAt = (index: number) => locationIn(document, ['guards', index, 'id']);
  const duplicates = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [{ id, index, first: ids.indexOf(id) }]));
  const duplicateFindings = duplicates.map(({ id, index, first }) => {
    const summary = `there is a guard \`${id}\` already`;
    return findingAt(idAt(index), { code: 'duplicate-item', summary, otherPlace: idAt(first), hint: 'Give each guard an id of its own.' });
  });
  return [...expressionFindings, ...duplicateFindings];
}

function failed(findings: readonly Finding[]): { readonly project: null; readonly findings: readonly Finding[] } {
  return { project: null, findings: dedupeFindings(findings) };
}

/** Copies the content, so that values shared by aliases get their defaults separately. */
function copyContent(content: Json): Json {
  const copy: Json = JSON.parse(JSON.stringify(content));
  return copy;
}

/** Removes the excerpt of a location if its line may contain a credential, even one that is in the wrong place. */
function withoutSecretLine(
  location: SourceLocation,
  path: Path,
): Omit<SourceLocation, 'excerpt'> & { readonly excerpt: string | undefined } {
  const mayBeSecret =
    path.includes('credentials') ||
    path.includes('ledger') ||
    path[0] === 'notify' ||
    /key|\bowner\b|secret|token|passw|credential|@/i.test(location.excerpt ?? '');
  return { ...location, excerpt: mayBeSecret ? undefined : location.excerpt };
}

function schemaFindings(all: readonly SchemaError[], yaml: YamlFile): readonly UnlocatedFinding[] {
  const invalid = pathSet(yaml.invalidPaths);
  const errors = all.filter((error) => isNotReportedYet(error, invalid));
  const findingsBySecret = new Map<string, UnlocatedFinding>();
  const others: UnlocatedFinding[] = [];
  for (const error of errors) {
    const { path } = error;
    if (path[0] === 'notify' && isNotifySecret(error)) findingsBySecret.set(path.slice(0, 3).join('/'), receiverError(error));
    else if (path[0] !== 'targets' || path[2] !== 'credentials') others.push(describeSchemaError(error, yaml.locationOf(0, path).written));
    else if (path.length === pairPathLength(path)) findingsBySecret.set(path.join('/'), credentialPairError(error));
    else findingsBySecret.set(path.slice(0, pairPathLength(path) + 1).join('/'), credentialError(error));
  }
  return [...others, ...findingsBySecret.values()];
}

/** Decides whether an error is about a value that may be the address or the key of a receiver, an entry of `notify`. */
function isNotifySecret({ path, keyword, value }: SchemaError): boolean {
  return keyword !== 'required' && (path[2] === 'url' || path[2] === 'secret' || (path.length < 3 && typeof value === 'string'));
}

/** Describes an error of the address or the key of a receiver, without any of its content. */
function receiverError({ path }: SchemaError): UnlocatedFinding {
  const [, , name] = path;
  if (name === undefined) {
    const hint = 'Write a list of { url: { env: NAME }, on: [failed, blocked] }.';
    return { path, code: 'wrong-type', summary: '`notify` must be a list of receivers', hint };
  }
  const hint = 'Write { env: NAME }. What was committed is no longer secret: replace it.';
  return { path: path.slice(0, 3), code: 'literal-credential', summary: `\`${name}\` must name an environment variable`, hint };
}

/** Returns the length of the path of the pair of owner and key that contains a path: 4 for `read` and `write`, else 3. */
function pairPathLength(path: Path): number {
  return path[3] === 'read' || path[3] === 'write' ? 4 : 3;
}

/** Describes an error of a pair of credentials itself. An unknown key may be a secret, and is not shown. */
function credentialPairError({ path }: SchemaError): UnlocatedFinding {
  const forms = '`owner` and `api_key`, or `owner` and `scoped_key`';
  const [, , , part] = path;
  const summary =
    part === undefined
      ? `\`credentials\` must hold ${forms}, or such a pair each for \`read\` and \`write\`, and nothing else`
      : `\`${String(part)}\` must hold ${forms}, and nothing else`;
  return { path, ...credentialText('credential-source', summary) };
}

/** Describes an error of one credential, without any of its content. */
function credentialError({ path, value }: SchemaError): UnlocatedFinding {
  const length = pairPathLength(path) + 1;
  const at = { path: path.slice(0, length) };
  const name = String(path[length - 1]);
  // A value of `env` that is not the name of a variable is probably the credential itself.
  const looksLikeLiteral = path.length > length ? path[length] === 'env' : typeof value !== 'object' || value === null;
  if (!looksLikeLiteral)
    return { ...at, ...credentialText('credential-source', `\`${name}\` must have exactly one of env, file and command`) };
  return { ...at, ...credentialText('literal-credential', `\`${name}\` must say where the credential is found, not what it is`) };
}

function credentialText(code: string, summary: string): FindingText {
  const hint =
    'Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ...] }. A credential that was committed is no longer secret: replace it.';
  return { code, summary, hint };
}

const LOOPBACK_HINT = 'http:// is accepted for 127.0.0.0/8, [::1] and localhost only, because requests would travel in the open.';

function baseUrlFindings({ targets }: RawProject): readonly UnlocatedFinding[] {
  return Object.entries(targets).flatMap(([name, target]): UnlocatedFinding[] => {
    const path = ['targets', name, 'base_url'];
    const normal = normalizeBaseUrl(target.base_url);
    const withoutApi = normal?.replace(/\/api(?:\/v[34])?$/, '');
    if (normal !== null && withoutApi === normal) return [];
    if (withoutApi !== undefined)
      return [
        {
          code: 'base-url',
          summary: '`base_url` ends with a part of the paths that upkeep adds itself',
          hint: `Write ${withoutApi}`,
          path,
        },
      ];
    const summary = '`base_url` must be an https address without user, query or fragment';
    const withScheme = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(target.base_url)
      ? normalizeBaseUrl(`https://${target.base_url}`)
      : null;
    const hint = withScheme === null ? LOOPBACK_HINT : `Write ${withScheme}`;
    return [{ code: 'base-url', summary, hint, path }];
  });
}

function ledgerFindings({ targets, project }: RawProject): readonly UnlocatedFinding[] {
  return Object.entries(targets).flatMap(([name, { ledger }]): UnlocatedFinding[] => {
    if (typeof ledger === 'string') return [];
    const problem = ledgerAddressProblem(ledger.git) ?? (project === undefined ? UNNAMED_PROJECT : null);
    return problem === null ? [] : [{ ...problem, path: ['targets', name, 'ledger', 'git'] }];
  });
}

/** A ledger repository may hold the ledgers of many projects, of which the folders say nothing there. */
const UNNAMED_PROJECT = {
  code: 'missing-key',
  summary: 'a ledger in a repository of its own needs `project`, the name under which it records whose it is',
  hint: 'Write it at the top of upkeep.yaml, for example `project: content`, and keep it.',
};

/** Returns findings about entries of the list of rules whose last day does not exist, or whose `within` has a file. */
function ruleFindings({ rules }: RawProject): readonly UnlocatedFinding[] {
  if (!isRuleList(rules)) return [];
  return rules.flatMap(({ until, within, file }, index): UnlocatedFinding[] => {
    const code = 'invalid-value';
    const noDay = { code, summary: `\`${until}\` is not a day`, hint: 'Write it as YEAR-MONTH-DAY, such as 2027-03-31.' };
    const hint = 'Name the resources by `address`, or leave `within` out.';
    const noFile = { code, summary: '`within` counts before it is known in which file a finding is', hint };
    return [
      ...(until === undefined || isDay(until) ? [] : [{ ...noDay, path: ['rules', index, 'until'] }]),
      ...(within === undefined || file === undefined ? [] : [{ ...noFile, path: ['rules', index, 'within'] }]),
    ];
  });
}

/** Returns findings about `after` and `soak` of the targets. */
function stageFindings({ targets }: RawProject): readonly UnlocatedFinding[] {
  return stageProblems(
    Object.entries(targets).map(([name, { after, soak, ledger, branch }]) => ({
      name,
      after,
      hasSoak: soak !== undefined,
      hasLedger: ledger !== 'none',
      hasBranch: branch !== undefined,
    })),
  );
}

function windowFindings({ windows, targets }: RawProject): readonly UnlocatedFinding[] {
  return [
    ...readWindows(windows, ['windows']).findings,
    ...Object.entries(targets).flatMap(([name, target]) => readWindows(target.windows, ['targets', name, 'windows']).findings),
  ];
}

/** Returns findings about device classes that are not built in and have no `system`. */
function deviceFindings({ devices }: RawProject): readonly UnlocatedFinding[] {
  return Object.entries(devices).flatMap(([id, declared]): UnlocatedFinding[] => {
    if (CATALOG_IDS.has(id) || (declared !== null && declared.system !== undefined)) return [];
    const known = [...CATALOG_IDS];
    const similar = suggest(id, known);
    const hint = similar === undefined ? `The built-in classes are ${known.join(', ')}.` : `Did you mean \`${similar}\`?`;
    return [{ code: 'unknown-device', summary: `\`${id}\` is no built-in class of devices`, hint, path: ['devices', id] }];
  });
}
