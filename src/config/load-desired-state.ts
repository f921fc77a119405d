/** Loads the desired state of a target: load the sources, overlay, validate, build resources. Reads files and nothing else. */
import type { DesiredResource, Kind } from '../kinds/kind.ts';
import type { Finding } from '../model/finding.ts';
import { type Path, pointer } from '../model/json.ts';
import { adoptFindings, adoptOf, buildResources, type KindFinding, unmatchableResources } from './build-resources.ts';
import type { DesiredState, DesiredStateWithSources } from './desired-state.ts';
import { createFileReader, createTextFileReader, type TextFileReader } from './file-reader.ts';
import { dedupeFindings, findingAt } from './findings.ts';
import { projectLocations } from './load-project.ts';
import { listSourceFiles, loadSources } from './load-sources.ts';
import { movesOf } from './moved-and-removed.ts';
import { type MergedDocuments, mergeDocuments, overlaySources } from './overlay.ts';
import type { Project, Target } from './project.ts';
import type { ProjectFiles } from './project-files.ts';
import { severityOf, unusedOverride } from './severity-rules.ts';
import { definingDocumentsOf, fileOf, locationAt, locationIn, mergedLocationOf, type SourceLocation } from './source-map.ts';
import { type InvalidPaths, invalidBy, invalidPathsOf, keyedSections, validate, withoutInvalid } from './source-schema.ts';
import type { ParsedFiles, Point } from './yaml/parse.ts';

/**
 * Loads the desired state of one target. All errors are collected as findings; with an error among them, the resources may be incomplete.
 * `parsed` caches parsed sources by hash across targets.
 * @throws Error when two kinds claim one section, and for errors of the file system.
 */
export function loadDesiredState(
  tree: ProjectFiles,
  project: Project,
  target: Target,
  kinds: readonly Kind[],
  parsed?: ParsedFiles,
): DesiredStateWithSources {
  const reader = createFileReader(tree, parsed);
  const projectLocation = projectLocations(reader, project.file);
  const loaded = loadSources(listSourceFiles(tree, target, project.file), reader, target);
  const keyed = keyedSections(kinds);
  const sources = loaded.sources.map((source) => mergeDocuments(source, keyed));
  const { value: merged, nulls } = overlaySources(sources.map((source) => source.value));
  const locate = (path: Path, point?: Point): SourceLocation =>
    mergedLocationOf(sources, path, point) ?? projectLocation(['targets', target.name, 'sources']);

  const invalidInFiles = invalidPathsOf(loaded.invalidPaths);
  const invalidBeforeSchema = invalidPathsOf([...loaded.invalidPaths, ...nulls]);
  const schemaErrors = validate(merged, invalidBeforeSchema.contains, kinds, (path) => locate(path).written);
  const invalidPaths = [...loaded.invalidPaths, ...nulls, ...schemaErrors.map(invalidBy)];
  // Parts of which `resources` may lack something: no finding may be based on what is missing there.
  const gaps = invalidPathsOf([
    ...invalidPaths,
    ...sources.flatMap(({ emptySections, repeated }) => [...emptySections, ...repeated].map(({ path }) => path)),
  ]);
  const textFiles = createTextFileReader(reader, (path) => fileOf(sources, path) ?? project.file);
  const { resources, findings: kindFindings } = buildResources(withoutInvalid(merged, invalidPaths, keyed), kinds, textFiles.context);
  const addressOf = createAddressLookup(resources, kinds);
  const adopt = adoptOf(merged);

  const sourceFindings: readonly Finding[] = [
    ...loaded.findings,
    ...loaded.problems.map((problem) => findingAt(projectLocation(problem.path), problem)),
    ...sources.flatMap(duplicateKeyFindings),
    ...sources.flatMap(emptySectionFindings),
    ...nulls
      .filter((path) => !invalidInFiles.contains(path))
      .map((path) => findingAt(locate(path), { ...uselessNull(path), address: addressOf(path) })),
    ...schemaErrors.map((error) => findingAt(locate(error.path, error.point), { ...error, address: addressOf(error.path) })),
  ];
  const moves = movesOf(merged, kinds, sourceFindings.length > 0 ? null : resources);
  const bindingFindings = [
    ...moves.problems,
    ...adoptFindings(adopt, kinds, resources, gaps),
    ...unmatchableResources(resources, adopt, gaps),
  ];
  const findings = dedupeFindings([
    ...sourceFindings,
    ...bindingFindings.map((finding) => findingAt(locate(finding.path, 'key'), finding)),
    ...kindFindings
      .filter((found) => !isFromIncompleteSection(found, gaps))
      .flatMap((found) => kindFinding(found, project, locate, textFiles, addressOf)),
    ...overrideFindings(project, kinds, kindFindings, projectLocation),
  ]);
  return {
    resources,
    managedSections: new Set(Object.keys(merged)),
    adopt,
    moved: moves.moved,
    removed: moves.removed,
    findings,
    digest: reader.digest(),
    sourceOf: locate,
    exactSourceOf: (path) => locationAt(sources, path),
    merged,
    definingDocuments: (path) => definingDocumentsOf(sources, path),
  };
}

/** Decides whether a warning may be false because a section that others refer to (the asset catalogue) is incomplete. */
function isFromIncompleteSection({ kind, finding }: KindFinding, gaps: InvalidPaths): boolean {
  return finding.severity === 'warning' && kind.sections.some(({ key, declares }) => declares === null && gaps.affectsSection(key));
}

function duplicateKeyFindings({ repeated }: MergedDocuments): readonly Finding[] {
  return repeated.map(({ path, part, earlier }) => {
    const first = locationIn(earlier, path, 'key');
    const summary = `\`${String(path.at(-1))}\` is defined twice in one source`;
    return findingAt(locationIn(part, path, 'key'), {
      code: 'duplicate-key',
      summary,
      hint: `The first one is in ${first.file}, line ${first.line}; keep one of them.`,
    });
  });
}

function emptySectionFindings({ emptySections }: MergedDocuments): readonly Finding[] {
  return emptySections.map(({ path, part }) => {
    const summary = `\`${String(path[0])}:\` has no value`;
    const hint = 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.';
    return findingAt(locationIn(part, path, 'key'), { code: 'null', summary, hint });
  });
}

function uselessNull(path: Path): { readonly code: string; readonly summary: string; readonly hint: string } {
  const summary = `\`${String(path.at(-1))}\` is null, and no earlier source has a value that it could remove`;
  return { code: 'null', summary, hint: 'Remove the line; absent settings have their defaults.' };
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

function kindFinding(
  { kind, finding }: KindFinding,
  project: Project,
  locate: DesiredState['sourceOf'],
  textFiles: TextFileReader,
  addressOf: (path: Path) => string | undefined,
): readonly Finding[] {
  const severity = severityOf(finding, kind, project.rules);
  if (severity === 'off') return [];
  const { inFile } = finding;
  const location = inFile === undefined ? locate(finding.path) : { ...inFile, excerpt: textFiles.line(inFile.file, inFile.line) };
  return [findingAt(location, { ...finding, severity, address: finding.address ?? addressOf(finding.path) })];
}

function overrideFindings(
  project: Project,
  kinds: readonly Kind[],
  kindFindings: readonly KindFinding[],
  projectLocation: (path: Path, point?: Point) => SourceLocation,
): readonly Finding[] {
  return Object.keys(project.rules).flatMap((code) => {
    const unused = unusedOverride(code, kinds, kindFindings);
    return unused === undefined
      ? []
      : [findingAt(projectLocation(['rules', code], 'key'), { severity: 'warning', code: 'unknown-rule', ...unused })];
  });
}
