/**
 * Loads the desired state of a target: load the sources, expand them (variables, defaults, templates, tables), overlay
 * them, validate, build resources. Reads files and nothing else.
 */
import type { DeclareServices, DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { declaresResources } from '../model/address.ts';
import type { Finding, FindingText } from '../model/finding.ts';
import { isJsonObject, type JsonObject, type MemberPart, type Path, pointer, valueAt } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { adoptFindings, readAdopt, unmatchableFindings } from './adopt.ts';
import type { DefinedPlace, DesiredStateWithSources } from './desired-state.ts';
import type { Definition } from './expand/definition.ts';
import { expandSources } from './expand/expand-sources.ts';
import { createFileReader, createTextFileReader, type TextFileReader } from './file-reader.ts';
import { dedupeFindings, findingAt, limitFindings, withConflictPosition } from './findings.ts';
import { applyIgnoreChanges } from './ignore-changes.ts';
import { readProjectDocument } from './load-project.ts';
import { listSourceFiles, loadSources } from './load-sources.ts';
import { readMovedAndRemoved } from './moved-and-removed.ts';
import { type MergedDocuments, overlayLayers } from './overlay.ts';
import { type PathSet, pathSet, withoutInvalidParts } from './path-set.ts';
import type { Project, Target } from './project.ts';
import { formatPath } from './schema-errors.ts';
import { type KindFinding, severityOf, unusedSeverityRules } from './severity-rules.ts';
import { locationIn, type SourceLocation } from './source-location.ts';
import { definitionsOf, fileOf, type Layer, nearestLocation } from './source-map.ts';
import { keyedSections, pathMadeInvalidBy, sectionsOf, validateSources } from './source-schema.ts';
import type { ParseCache } from './yaml/parse.ts';

/**
 * Loads the desired state of one target. Collects all errors as findings. If there is an error, the resources may be incomplete.
 * `parseCache` shares parsed sources between targets. `maxPerCode` limits how many findings with the same code are listed for each file.
 *
 * Four sets record which paths of the merged sources are wrong. Each contains the set before it. What a set suppresses at its paths:
 *
 * | set              | adds                                                   | suppresses                                                |
 * |------------------|--------------------------------------------------------|-----------------------------------------------------------|
 * | unreadable       | what could not be read or expanded                     | errors about a null there: the cause is reported          |
 * | unreadableOrNull | nulls that are left in the merged value                | schema errors there, see `isNotReportedYet`               |
 * | invalid          | values that the schema rejects                         | the value itself: the kinds do not get it                 |
 * | incomplete       | sections without a value, keys defined twice           | findings about what is missing there                      |
 *
 * @throws Error when two kinds claim one section, and for errors of the file system.
 */
export function loadDesiredState(
  files: ProjectFiles,
  project: Project,
  target: Target,
  kinds: readonly Kind[],
  parseCache?: ParseCache,
  maxPerCode?: number,
): DesiredStateWithSources {
  const reader = createFileReader(files, parseCache);
  const projectDocument = readProjectDocument(reader, project.file);
  const projectLocation = (path: Path, part?: MemberPart) => locationIn(projectDocument, path, part);
  const loaded = loadSources(listSourceFiles(files, target, project.file), reader, target);
  const { layers, mergedBySource, ...expanded } = expandSources({
    sources: loaded.sources,
    isIncomplete: loaded.findings.some(({ severity }) => severity === 'error'),
    target,
    kinds,
    reader,
    projectDocument,
  });
  // The sections that are merged member by member.
  const keyed = keyedSections(kinds);
  const { value: merged, nullsWithoutEffect } = overlayLayers(layers.map((layer) => layer.value));
  const locationInLayers = (searched: readonly Layer[], path: Path, part?: MemberPart): SourceLocation =>
    nearestLocation(searched, path, part) ?? projectLocation(['targets', target.name, 'sources']);
  const locationOf = (path: Path, part?: MemberPart): SourceLocation => locationInLayers(layers, path, part);

  const unreadablePaths = [...loaded.unreadablePaths, ...expanded.unreadablePaths];
  const unreadable = pathSet(unreadablePaths);
  const remainingNulls = nullsWithoutEffect.flatMap(({ path }) => (valueAt(merged, path) === null ? [path] : []));
  const unreadableOrNull = pathSet([...unreadablePaths, ...remainingNulls]);
  // For a hint: a text in place of entries that is the name of an entry list probably lacks `include:`.
  const schemaErrors = validateSources(merged, unreadableOrNull, kinds, (path) => locationOf(path).written, expanded.entryListNames);
  const invalid = [...unreadablePaths, ...remainingNulls, ...schemaErrors.map(pathMadeInvalidBy)];
  const incomplete = pathSet([
    ...invalid,
    ...mergedBySource.flatMap(({ bareSections, duplicates }) => [...bareSections, ...duplicates].map(({ path }) => path)),
  ]);
  const textFiles = createTextFileReader(reader, (path) => fileOf(layers, path) ?? project.file);
  const fileOfFinding = ({ path, textFilePosition, layers: searched = layers }: SourceFinding): string =>
    textFilePosition?.file ?? fileOf(searched, path) ?? project.file;
  const adopt = readAdopt(merged);
  const services: DeclareServices = { readText: textFiles.readText, adoptedId: (address) => adopt.get(address) };
  const valid = withoutInvalidParts(merged, invalid, keyed);
  const { resources, kindFindings } = declareAllKinds(valid, kinds, services, (findings) =>
    limitFindings(findings, fileOfFinding, maxPerCode),
  );
  const addressOf = createAddressLookup(resources, kinds);

  // A null in a field of a resource (a path of three steps or more) may be meant to remove a default. Where the defaults of its section could
  // not be read, it is therefore not reported.
  const unreadableInExpansion = pathSet(expanded.unreadablePaths);
  const mayRemoveUnreadDefault = (path: Path) => path.length > 2 && unreadableInExpansion.affectsSection(String(path[0]));
  const nullErrors = nullsWithoutEffect.flatMap(({ path, layer }): SourceFinding[] =>
    unreadable.contains(path) || mayRemoveUnreadDefault(path) ? [] : [{ ...nullError(path), layers: layers.slice(layer, layer + 1) }],
  );
  const sourceFindings: readonly Finding[] = [
    ...loaded.findings,
    ...expanded.findings.flatMap((finding) => withSeverity(finding, project)),
    ...loaded.projectFindings.map((finding) => findingAt(projectLocation(finding.path, finding.part), finding)),
    ...mergedBySource.flatMap((source) => duplicateKeyFindings(source, keyed)),
    ...mergedBySource.flatMap(bareSectionFindings),
    ...limitFindings<SourceFinding>([...nullErrors, ...schemaErrors], fileOfFinding, maxPerCode).map(
      ({ layers: searched = layers, ...finding }) =>
        schemaFindingAt(
          locationInLayers(searched, finding.path, finding.part),
          { ...withConflictPosition(finding, locationOf), address: addressOf(finding.path) },
          definitionsOf(layers, finding.path)[0],
          target.vars,
        ),
    ),
  ];
  // With an error, the sources may declare more resources than could be read.
  const completeResources = sourceFindings.some(({ severity }) => severity === 'error') ? null : resources;
  const { moved, removed, findings: moveFindings } = readMovedAndRemoved(merged, kinds, completeResources);
  const ignoring = applyIgnoreChanges(merged, kinds, resources, target, locationOf);
  const addressFindings = [
    ...moveFindings,
    ...ignoring.findings.filter(({ severity }) => severity !== 'warning' || completeResources !== null),
    ...adoptFindings(adopt, kinds, resources, incomplete),
    ...unmatchableFindings(resources, adopt, incomplete),
  ];
  const findings = dedupeFindings([
    ...sourceFindings,
    ...addressFindings.flatMap((finding) =>
      withSeverity(findingAt(locationOf(finding.path, 'key'), withConflictPosition(finding, locationOf)), project),
    ),
    ...kindFindings
      .filter((found) => !mayFollowFromIncompleteCatalog(found, incomplete))
      .flatMap((found) => locateKindFinding(found, project, locationOf, textFiles, addressOf)),
    ...unusedSeverityRules(project, kinds).map((finding) => findingAt(projectLocation(finding.path, finding.part), finding)),
  ]);
  return {
    resources: ignoring.resources,
    presentKeys: new Set(Object.keys(merged)),
    adopt,
    moved,
    removed,
    findings,
    digest: reader.digest(),
    positionOf: locationOf,
    placesOf: (path) => definitionsOf(layers, path).map((definition) => placeOf(definition, path)),
    merged,
    definitionsOf: (path) => definitionsOf(layers, path),
  };
}

function placeOf({ layerType, template, value, depth, locate }: Definition, path: Path): DefinedPlace {
  const rest = path.slice(depth);
  const { file, line, column, written } = locate(rest, 'value');
  return {
    layer: layerType,
    ...(template === undefined ? {} : { template }),
    value: valueAt(value, rest) ?? null,
    file,
    line,
    column,
    written,
  };
}

/** Returns a finding with the severity that `rules` sets for a warning of its code. Returns none where that is `off`. */
function withSeverity(finding: Finding, { rules }: Project): readonly Finding[] {
  const severity = finding.severity === 'warning' ? (rules[finding.code] ?? finding.severity) : finding.severity;
  return severity === 'off' ? [] : [{ ...finding, severity }];
}

/** Declares the resources of every kind. A kind relies on its schema, so `valid` are the merged sources without their invalid parts. */
function declareAllKinds(
  valid: JsonObject,
  kinds: readonly Kind[],
  services: DeclareServices,
  limit: (findings: readonly UnlocatedFinding[]) => readonly UnlocatedFinding[],
): { readonly resources: readonly DesiredResource[]; readonly kindFindings: readonly KindFinding[] } {
  const resources: DesiredResource[] = [];
  const kindFindings: KindFinding[] = [];
  for (const kind of kinds) {
    const sections = sectionsOf(kind, valid);
    if (sections === undefined) continue;
    const declared = kind.declare(sections, services);
    for (const resource of declared.resources) resources.push(resource);
    for (const finding of limit(declared.findings)) kindFindings.push({ kind, finding });
  }
  return { resources, kindFindings };
}

function duplicateKeyFindings({ duplicates }: MergedDocuments, keyed: ReadonlySet<string>): readonly Finding[] {
  return duplicates.map(({ path, document, earlier }) => {
    const section = String(path[0]);
    if (path.length === 1 && keyed.has(section) && !isJsonObject(document.value[section])) {
      const summary = `\`${section}\` must be a map, not a list or a text`;
      return findingAt(document.locate(path, 'value'), { code: 'wrong-type', summary, hint: 'Write each entry below a key of its own.' });
    }
    return findingAt(document.locate(path, 'key'), {
      code: 'duplicate-key',
      summary: `\`${String(path.at(-1))}\` is defined twice in one source`,
      otherPlace: earlier.locate(path, 'key'),
      hint: 'Keep one of them.',
    });
  });
}

function bareSectionFindings({ bareSections }: MergedDocuments): readonly Finding[] {
  return bareSections.map(({ path, document }) => {
    const text: FindingText = {
      code: 'null',
      summary: `\`${String(path[0])}:\` has no value`,
      hint: 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.',
    };
    return findingAt(document.locate(path, 'key'), text);
  });
}

/**
 * Builds a finding about a value. Where a variable gives a value of the wrong type, the hint says so; where a template or defaults hold an
 * unknown key, the finding names the template or the defaults instead of the resource.
 */
function schemaFindingAt(
  location: SourceLocation,
  finding: UnlocatedFinding,
  definition: Definition | undefined,
  vars: Target['vars'],
): Finding {
  if (finding.code === 'unknown-key' && finding.path.length === 3 && definition !== undefined && definition.layerType !== 'document') {
    const origin =
      definition.layerType === 'template' ? `the template \`${definition.template ?? ''}\`` : `\`defaults\` of ${String(finding.path[0])}`;
    return findingAt(location, { ...finding, address: undefined, summary: `unknown key \`${String(finding.path[2])}\` in ${origin}` });
  }
  const names = [...(location.written ?? '').matchAll(/(?<!\$)\$\{([^}]+)\}/g)].flatMap(([, name]) => name ?? []);
  const [name] = names;
  if (finding.code !== 'wrong-type' || name === undefined) return findingAt(location, finding);
  const value = vars.get(name)?.value;
  const isQuoted = names.length === 1 && typeof value === 'string' && /^-?\d+$|^true$|^false$/.test(value);
  const hint = isQuoted
    ? `Write the value of \`${name}\` without quotes in \`vars\`.`
    : `It is made of ${names.map((each) => `\`\${${each}}\``).join(', ')}: a value that is only a variable keeps its type; within a longer text it becomes text.`;
  return findingAt(location, { ...finding, hint });
}

/** A finding about the sources. `layers` are searched for its path; absent = all layers are. */
interface SourceFinding extends UnlocatedFinding {
  readonly layers?: readonly Layer[];
}

/** Builds the error about a null that removes nothing. */
function nullError(path: Path): UnlocatedFinding {
  const summary = `${formatPath(path)} has no value, and no earlier source, template or default has one that null could remove`;
  return { code: 'null', summary, hint: 'Write a value, or remove the line: absent settings have their defaults.', path };
}

/** Decides whether a warning may be wrong, because a section that resources refer to (the asset catalog) is incomplete. */
function mayFollowFromIncompleteCatalog({ kind, finding }: KindFinding, incomplete: PathSet): boolean {
  return (
    finding.severity === 'warning' && kind.sections.some((section) => !declaresResources(section) && incomplete.affectsSection(section.key))
  );
}

/** Builds the finding of a kind with its position and severity. Returns none where a severity rule is `off`. */
function locateKindFinding(
  { kind, finding }: KindFinding,
  project: Project,
  locationOf: (path: Path) => SourceLocation,
  textFiles: TextFileReader,
  addressOf: (path: Path) => string | undefined,
): readonly Finding[] {
  const severity = severityOf(finding, kind, project.rules);
  if (severity === 'off') return [];
  const { textFilePosition: at } = finding;
  const location = at === undefined ? locationOf(finding.path) : { ...at, excerpt: textFiles.line(at.file, at.line) };
  return [
    findingAt(location, { ...withConflictPosition(finding, locationOf), severity, address: finding.address ?? addressOf(finding.path) }),
  ];
}

/** Creates a function that returns the address of the resource that contains a path; undefined where it is unknown. */
function createAddressLookup(resources: readonly DesiredResource[], kinds: readonly Kind[]): (path: Path) => string | undefined {
  let known: ReadonlyMap<string, string> | undefined;
  return (path) => {
    known ??= addressesByPath(resources, kinds);
    for (let length = path.length; length > 0; length--) {
      const address = known.get(pointer(path.slice(0, length)));
      if (address !== undefined) return address;
    }
    return undefined;
  };
}

function addressesByPath(resources: readonly DesiredResource[], kinds: readonly Kind[]): ReadonlyMap<string, string> {
  const known = new Map(resources.map((resource) => [pointer(resource.path), resource.address]));
  for (const kind of kinds) if (kind.type === 'setting') for (const { key } of kind.sections) known.set(pointer([key]), kind.name);
  return known;
}
