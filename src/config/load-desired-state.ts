/** Loads the desired state of a target: load the sources, overlay, validate, build resources. Reads files and nothing else. */
import type { DeclareServices, DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { declaresResources } from '../model/address.ts';
import type { Finding, FindingText } from '../model/finding.ts';
import { type JsonObject, type MemberPart, type Path, pointer } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { adoptFindings, readAdopt, unmatchableFindings } from './adopt.ts';
import type { DesiredStateWithSources } from './desired-state.ts';
import { createFileReader, createTextFileReader, type TextFileReader } from './file-reader.ts';
import { dedupeFindings, findingAt, limitFindings } from './findings.ts';
import { applyIgnoreChanges } from './ignore-changes.ts';
import { projectLocations } from './load-project.ts';
import { listSourceFiles, loadSources } from './load-sources.ts';
import { readMovedAndRemoved } from './moved-and-removed.ts';
import { type MergedDocuments, mergeDocuments, overlaySources } from './overlay.ts';
import { type PathSet, pathSet, withoutInvalidParts } from './path-set.ts';
import type { Project, Target } from './project.ts';
import { type KindFinding, severityOf, unusedSeverityRules } from './severity-rules.ts';
import { documentsDefining, exactLocation, fileOf, locationIn, nearestLocation, type SourceLocation } from './source-map.ts';
import { keyedSections, pathMadeInvalidBy, sectionsOf, validateSources } from './source-schema.ts';
import type { ParseCache } from './yaml/parse.ts';

/**
 * Loads the desired state of one target. Collects all errors as findings. If there is an error, the resources may be incomplete.
 * `parseCache` shares parsed sources between targets. `mostFindings` is the number of findings with the same code that are listed of one
 * file.
 *
 * Four sets record which paths of the merged sources are wrong. Each contains the set before it. What a set suppresses at its paths:
 *
 * | set              | adds                                                   | suppresses                                                |
 * |------------------|--------------------------------------------------------|-----------------------------------------------------------|
 * | unreadable       | files, values and variables that could not be read     | errors about the null that the parser leaves there        |
 * | unreadableOrNull | nulls that remove nothing                              | schema errors about a value that already has an error     |
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
  mostFindings?: number,
): DesiredStateWithSources {
  const reader = createFileReader(files, parseCache);
  const projectLocation = projectLocations(reader, project.file);
  const loaded = loadSources(listSourceFiles(files, target, project.file), reader, target);
  const keyed = keyedSections(kinds);
  const sources = loaded.sources.map((source) => mergeDocuments(source, keyed));
  const { value: merged, nulls } = overlaySources(sources.map((source) => source.value));
  const locationOf = (path: Path, part?: MemberPart): SourceLocation =>
    nearestLocation(sources, path, part) ?? projectLocation(['targets', target.name, 'sources']);

  const unreadable = pathSet(loaded.unreadablePaths);
  const unreadableOrNull = pathSet([...loaded.unreadablePaths, ...nulls]);
  const schemaErrors = validateSources(merged, unreadableOrNull, kinds, (path) => locationOf(path).written);
  const invalid = [...loaded.unreadablePaths, ...nulls, ...schemaErrors.map(pathMadeInvalidBy)];
  const incomplete = pathSet([
    ...invalid,
    ...sources.flatMap(({ bareSections, duplicates }) => [...bareSections, ...duplicates].map(({ path }) => path)),
  ]);
  const textFiles = createTextFileReader(reader, (path) => fileOf(sources, path) ?? project.file);
  const fileOfFinding = ({ path, textFilePosition }: UnlocatedFinding): string =>
    textFilePosition?.file ?? fileOf(sources, path) ?? project.file;
  const adopt = readAdopt(merged);
  const services: DeclareServices = { readText: textFiles.readText, adoptedId: (address) => adopt.get(address) };
  const valid = withoutInvalidParts(merged, invalid, keyed);
  const { resources, kindFindings } = declareResources(valid, kinds, services, (findings) =>
    limitFindings(findings, fileOfFinding, mostFindings),
  );
  const addressOf = createAddressLookup(resources, kinds);

  const nullErrors = nulls.filter((path) => !unreadable.contains(path)).map(nullError);
  const sourceFindings: readonly Finding[] = [
    ...loaded.findings,
    ...loaded.projectFindings.map((finding) => findingAt(projectLocation(finding.path, finding.part), finding)),
    ...sources.flatMap(duplicateKeyFindings),
    ...sources.flatMap(bareSectionFindings),
    ...limitFindings([...nullErrors, ...schemaErrors], fileOfFinding, mostFindings).map((finding) =>
      findingAt(locationOf(finding.path, finding.part), { ...finding, address: addressOf(finding.path) }),
    ),
  ];
  // With an error, the sources may declare more resources than could be read.
  const completeResources = sourceFindings.length > 0 ? null : resources;
  const { moved, removed, findings: moveFindings } = readMovedAndRemoved(merged, kinds, completeResources);
  const ignoring = applyIgnoreChanges(merged, kinds, resources, target, locationOf);
  const addressFindings = [
    ...moveFindings,
    ...ignoring.findings,
    ...adoptFindings(adopt, kinds, resources, incomplete),
    ...unmatchableFindings(resources, adopt, incomplete),
  ];
  const findings = dedupeFindings([
    ...sourceFindings,
    ...addressFindings.map((finding) => findingAt(locationOf(finding.path, 'key'), finding)),
    ...kindFindings
      .filter((found) => !mayFollowFromIncompleteCatalogue(found, incomplete))
      .flatMap((found) => locateKindFinding(found, project, locationOf, textFiles, addressOf)),
    ...unusedSeverityRules(project.rules, kinds, kindFindings).map((finding) =>
      findingAt(projectLocation(finding.path, finding.part), finding),
    ),
  ]);
  return {
    resources: ignoring.resources,
    managedSections: new Set(Object.keys(merged)),
    adopt,
    moved,
    removed,
    findings,
    digest: reader.digest(),
    positionOf: locationOf,
    exactPositionOf: (path) => exactLocation(sources, path),
    merged,
    definingDocuments: (path) => documentsDefining(sources, path),
  };
}

/** Declares the resources of every kind. A kind relies on its schema, so `valid` are the merged sources without their invalid parts. */
function declareResources(
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

function duplicateKeyFindings({ duplicates }: MergedDocuments): readonly Finding[] {
  return duplicates.map(({ path, document, earlier }) => {
    const first = locationIn(earlier, path, 'key');
    return findingAt(locationIn(document, path, 'key'), {
      code: 'duplicate-key',
      summary: `\`${String(path.at(-1))}\` is defined twice in one source`,
      hint: `The first one is in ${first.file}, line ${first.line}; keep one of them.`,
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
    return findingAt(locationIn(document, path, 'key'), text);
  });
}

/** Builds the error about a null that removes nothing. */
function nullError(path: Path): UnlocatedFinding {
  const summary = `\`${String(path.at(-1))}\` is null, and no earlier source has a value that it could remove`;
  return { code: 'null', summary, hint: 'Remove the line; absent settings have their defaults.', path };
}

/** Decides whether a warning may be wrong, because a section that resources refer to (the asset catalogue) is incomplete. */
function mayFollowFromIncompleteCatalogue({ kind, finding }: KindFinding, incomplete: PathSet): boolean {
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
  return [findingAt(location, { ...finding, severity, address: finding.address ?? addressOf(finding.path) })];
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
