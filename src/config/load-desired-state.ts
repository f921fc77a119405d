/** The road from a target's sources to its desired resources: load, overlay, validate, normalise. Reads files, and nothing else. */
import type { DesiredResource, Kind } from '../kinds/kind.ts';
import type { Finding } from '../model/finding.ts';
import { type Path, pointer } from '../model/json.ts';
import { adoptProblems, bindings, buildResources, type KindFinding, unmatchable } from './build-resources.ts';
import type { DesiredState, ProjectFiles } from './desired-state.ts';
import type { DesiredStateWithSources } from './desired-state-with-sources.ts';
import { dedupeFindings, findingAt } from './findings.ts';
import { type InvalidPaths, invalidBy, invalidPathsOf, withoutInvalid } from './invalid-paths.ts';
import { projectLocations } from './load-project.ts';
import { listSourceFiles, loadSources } from './load-sources.ts';
import { type MergedDocuments, mergeDocuments } from './merge-documents.ts';
import { movesOf } from './moves.ts';
import { overlaySources } from './overlay.ts';
import type { Project, Target } from './project.ts';
import { severityOf, unusedOverride } from './severity-overrides.ts';
import { definingDocumentsOf, fileOf, locationAt, locationIn, mergedLocationOf, type SourceLocation } from './source-map.ts';
import { createTextFileReader, type TextFileReader } from './text-files.ts';
import { keyedSections, validate } from './validate.ts';
import type { ParsedFiles, Point } from './yaml/parse.ts';
import { readerOf } from './yaml/reader.ts';

/**
 * What the repository says for one target; `parsed` holds the sources that were parsed before, and takes those that are parsed now. All mistakes are findings, collected to the end; with an error among them the resources may be incomplete.
 * @throws Error when two kinds claim one section, and for faults of the file system.
 */
export function loadDesiredState(
  tree: ProjectFiles,
  project: Project,
  target: Target,
  kinds: readonly Kind[],
  parsed?: ParsedFiles,
): DesiredStateWithSources {
  const reader = readerOf(tree, parsed);
  const home = projectLocations(reader, project.file);
  const loaded = loadSources(listSourceFiles(tree, target, project.file), reader, target);
  const keyed = keyedSections(kinds);
  const sources = loaded.sources.map((source) => mergeDocuments(source, keyed));
  const { value: merged, nulls } = overlaySources(sources.map((source) => source.value));
  const place = (path: Path, point?: Point): SourceLocation =>
    mergedLocationOf(sources, path, point) ?? home(['targets', target.name, 'sources']);

  const unread = invalidPathsOf(loaded.refused);
  const { contains } = invalidPathsOf([...loaded.refused, ...nulls]);
  const messages = validate(merged, contains, kinds, (path) => place(path).written);
  const refused = [...loaded.refused, ...nulls, ...messages.map(invalidBy)];
  const gaps = invalidPathsOf([
    ...refused,
    ...sources.flatMap(({ emptySections, repeated }) => [...emptySections, ...repeated].map(({ path }) => path)),
  ]);
  const textFiles = createTextFileReader(reader, (path) => fileOf(sources, path) ?? project.file);
  const { resources, problems } = buildResources(withoutInvalid(merged, refused, keyed), kinds, textFiles.tools);
  const addressOf = addresses(resources, kinds);
  const adopt = bindings(merged);

  const structure: readonly Finding[] = [
    ...loaded.findings,
    ...loaded.problems.map((problem) => findingAt(home(problem.path), problem)),
    ...sources.flatMap(repetitions),
    ...sources.flatMap(bareSections),
    ...nulls
      .filter((path) => !unread.contains(path))
      .map((path) => findingAt(place(path), { ...refusedNull(path), address: addressOf(path) })),
    ...messages.map((message) => findingAt(place(message.path, message.point), { ...message, address: addressOf(message.path) })),
  ];
  const moves = movesOf(merged, kinds, structure.length > 0 ? null : resources);
  const unbound = [...moves.problems, ...adoptProblems(adopt, kinds, resources, gaps), ...unmatchable(resources, adopt, gaps)];
  const findings = dedupeFindings([
    ...structure,
    ...unbound.map((finding) => findingAt(place(finding.path, 'key'), finding)),
    ...problems.filter((found) => !isDoubtful(found, gaps)).flatMap((found) => kindFinding(found, project, place, textFiles, addressOf)),
    ...ruleFindings(project, kinds, problems, home),
  ]);
  return {
    resources,
    managedSections: new Set(Object.keys(merged)),
    adopt,
    moved: moves.moved,
    removed: moves.removed,
    findings,
    digest: reader.digest(),
    sourceOf: place,
    exactSourceOf: (path) => locationAt(sources, path),
    merged,
    definingDocuments: (path) => definingDocumentsOf(sources, path),
  };
}

/** Whether a warning may be there only because a catalogue is not whole. */
function isDoubtful({ kind, problem: finding }: KindFinding, gaps: InvalidPaths): boolean {
  return finding.severity === 'warning' && kind.sections.some(({ key, manages }) => !manages && gaps.affectsSection(key));
}

function repetitions({ repeated }: MergedDocuments): readonly Finding[] {
  return repeated.map(({ path, part, earlier }) => {
    const first = locationIn(earlier, path, 'key');
    const summary = `\`${String(path.at(-1))}\` is written twice in one source`;
    return findingAt(locationIn(part, path, 'key'), {
      code: 'duplicate-key',
      summary,
      hint: `It stands first in ${first.file}, line ${first.line}; keep one of them.`,
    });
  });
}

function bareSections({ emptySections }: MergedDocuments): readonly Finding[] {
  return emptySections.map(({ path, part }) => {
    const summary = `nothing is written behind \`${String(path[0])}:\``;
    const hint = 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.';
    return findingAt(locationIn(part, path, 'key'), { code: 'null', summary, hint });
  });
}

function refusedNull(path: Path): { readonly code: string; readonly summary: string; readonly hint: string } {
  const summary = `\`${String(path.at(-1))}\` is null, and no earlier source says anything that it could remove`;
  return { code: 'null', summary, hint: 'Leave the line out; what is absent stands at its default.' };
}

/** The address of the resource that a path leads into, where it is known. */
function addresses(resources: readonly DesiredResource[], kinds: readonly Kind[]): (path: Path) => string | undefined {
  let known: ReadonlyMap<string, string> | undefined;
  return (path) => {
    known ??= addressesByPlace(resources, kinds);
    for (let length = path.length; length > 0; length--) {
      const address = known.get(pointer(path.slice(0, length)));
      if (address !== undefined) return address;
    }
    return undefined;
  };
}

function addressesByPlace(resources: readonly DesiredResource[], kinds: readonly Kind[]): ReadonlyMap<string, string> {
  const known = new Map(resources.map((resource) => [pointer(resource.path), resource.address]));
  for (const kind of kinds)
    if (kind.singleton) for (const { key } of kind.sections) known.set(pointer([key]), kind.addresses[0] ?? kind.name);
  return known;
}

function kindFinding(
  { kind, problem: finding }: KindFinding,
  project: Project,
  place: DesiredState['sourceOf'],
  textFiles: TextFileReader,
  addressOf: (path: Path) => string | undefined,
): readonly Finding[] {
  const severity = severityOf(finding, kind, project.rules);
  if (severity === 'off') return [];
  const { inFile } = finding;
  const site = inFile === undefined ? place(finding.path) : { ...inFile, excerpt: textFiles.line(inFile.file, inFile.line) };
  return [findingAt(site, { ...finding, severity, address: finding.address ?? addressOf(finding.path) })];
}

function ruleFindings(
  project: Project,
  kinds: readonly Kind[],
  problems: readonly KindFinding[],
  home: (path: Path, point?: Point) => SourceLocation,
): readonly Finding[] {
  return Object.keys(project.rules).flatMap((code) => {
    const odd = unusedOverride(code, kinds, problems);
    return odd === undefined ? [] : [findingAt(home(['rules', code], 'key'), { severity: 'warning', code: 'unknown-rule', ...odd })];
  });
}
