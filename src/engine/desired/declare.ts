/** The road from a target's sources to its desired resources: load, overlay, validate, normalise. Reads files, and nothing else. */
import type { Desired, Kind } from '../../kinds/kind.ts';
import type { Finding } from '../../model/finding.ts';
import { type Path, pointer } from '../../model/json.ts';
import type { Project, Target } from './configuration.ts';
import type { Declaration, Tree } from './declaration.ts';
import { findingAt, settleFindings } from './findings.ts';
import { list, load } from './load.ts';
import { movesOf } from './moves.ts';
import { adoptProblems, bindings, type KindProblem, normalise, unrecognisable } from './normalise.ts';
import { overlaySources } from './overlay.ts';
import type { ParsedFiles, Point } from './parse.ts';
import { fileOf, type Site, siteAt, siteIn, siteOf, tellersOf } from './places.ts';
import { projectPlaces } from './project.ts';
import { readerOf } from './reader.ts';
import { type Refusals, refusalsOf, refusedBy, withoutRefused } from './refusals.ts';
import { oddRule, severityOf } from './rules.ts';
import type { Sourced } from './sourced.ts';
import { type Desk, deskFor } from './tools.ts';
import { type United, unite } from './unite.ts';
import { keyedSections, validate } from './validate.ts';

/**
 * What the repository says for one target; `parsed` holds the sources that were parsed before, and takes those that are parsed now. All mistakes are findings, collected to the end; with an error among them the resources may be incomplete.
 * @throws Error when two kinds claim one section, and for faults of the file system.
 */
export function declare(tree: Tree, project: Project, target: Target, kinds: readonly Kind[], parsed?: ParsedFiles): Sourced {
  const reader = readerOf(tree, parsed);
  const home = projectPlaces(reader, project.file);
  const loaded = load(list(tree, target, project.file), reader, target);
  const keyed = keyedSections(kinds);
  const sources = loaded.sources.map((source) => unite(source, keyed));
  const { value: merged, nulls } = overlaySources(sources.map((source) => source.value));
  const place = (path: Path, point?: Point): Site => siteOf(sources, path, point) ?? home(['targets', target.name, 'sources']);

  const unread = refusalsOf(loaded.refused);
  const { covers } = refusalsOf([...loaded.refused, ...nulls]);
  const mistakes = validate(merged, covers, kinds, (path) => place(path).written);
  const refused = [...loaded.refused, ...nulls, ...mistakes.map(refusedBy)];
  const gaps = refusalsOf([...refused, ...sources.flatMap(({ bare, repeated }) => [...bare, ...repeated].map(({ path }) => path))]);
  const desk = deskFor(reader, (path) => fileOf(sources, path) ?? project.file);
  const { resources, problems } = normalise(withoutRefused(merged, refused, keyed), kinds, desk.tools);
  const addressOf = addresses(resources, kinds);
  const adopt = bindings(merged);

  const structure: readonly Finding[] = [
    ...loaded.findings,
    ...loaded.problems.map((problem) => findingAt(home(problem.path), problem)),
    ...sources.flatMap(repetitions),
    ...sources.flatMap(bareSections),
    ...nulls
      .filter((path) => !unread.covers(path))
      .map((path) => findingAt(place(path), { ...refusedNull(path), address: addressOf(path) })),
    ...mistakes.map((mistake) => findingAt(place(mistake.path, mistake.point), { ...mistake, address: addressOf(mistake.path) })),
  ];
  const moves = movesOf(merged, kinds, structure.length > 0 ? null : resources);
  const unbound = [...moves.problems, ...adoptProblems(adopt, kinds, resources, gaps), ...unrecognisable(resources, adopt, gaps)];
  const findings = settleFindings([
    ...structure,
    ...unbound.map((problem) => findingAt(place(problem.path, 'key'), problem)),
    ...problems.filter((found) => !isDoubtful(found, gaps)).flatMap((found) => kindFinding(found, project, place, desk, addressOf)),
    ...ruleFindings(project, kinds, problems, home),
  ]);
  return {
    resources,
    present: new Set(Object.keys(merged)),
    adopt,
    moved: moves.moved,
    removed: moves.removed,
    findings,
    digest: reader.digest(),
    place,
    written: (path) => siteAt(sources, path),
    merged,
    tellers: (path) => tellersOf(sources, path),
  };
}

/** Whether a warning may be there only because a catalogue is not whole. */
function isDoubtful({ kind, problem }: KindProblem, gaps: Refusals): boolean {
  return problem.severity === 'warning' && kind.sections.some(({ key, manages }) => !manages && gaps.touches(key));
}

function repetitions({ repeated }: United): readonly Finding[] {
  return repeated.map(({ path, part, earlier }) => {
    const first = siteIn(earlier, path, 'key');
    const summary = `\`${String(path.at(-1))}\` is written twice in one source`;
    return findingAt(siteIn(part, path, 'key'), {
      code: 'duplicate-key',
      summary,
      hint: `It stands first in ${first.file}, line ${first.line}; keep one of them.`,
    });
  });
}

function bareSections({ bare }: United): readonly Finding[] {
  return bare.map(({ path, part }) => {
    const summary = `nothing is written behind \`${String(path[0])}:\``;
    const hint = 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.';
    return findingAt(siteIn(part, path, 'key'), { code: 'null', summary, hint });
  });
}

function refusedNull(path: Path): { readonly code: string; readonly summary: string; readonly hint: string } {
  const summary = `\`${String(path.at(-1))}\` is null, and no earlier source says anything that it could remove`;
  return { code: 'null', summary, hint: 'Leave the line out; what is absent stands at its default.' };
}

/** The address of the resource that a path leads into, where it is known. */
function addresses(resources: readonly Desired[], kinds: readonly Kind[]): (path: Path) => string | undefined {
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

function addressesByPlace(resources: readonly Desired[], kinds: readonly Kind[]): ReadonlyMap<string, string> {
  const known = new Map(resources.map((resource) => [pointer(resource.path), resource.address]));
  for (const kind of kinds)
    if (kind.singleton) for (const { key } of kind.sections) known.set(pointer([key]), kind.addresses[0] ?? kind.name);
  return known;
}

function kindFinding(
  { kind, problem }: KindProblem,
  project: Project,
  place: Declaration['place'],
  desk: Desk,
  addressOf: (path: Path) => string | undefined,
): readonly Finding[] {
  const severity = severityOf(problem, kind, project.rules);
  if (severity === 'off') return [];
  const { inFile } = problem;
  const site = inFile === undefined ? place(problem.path) : { ...inFile, excerpt: desk.line(inFile.file, inFile.line) };
  return [findingAt(site, { ...problem, severity, address: problem.address ?? addressOf(problem.path) })];
}

function ruleFindings(
  project: Project,
  kinds: readonly Kind[],
  problems: readonly KindProblem[],
  home: (path: Path, point?: Point) => Site,
): readonly Finding[] {
  return Object.keys(project.rules).flatMap((code) => {
    const odd = oddRule(code, kinds, problems);
    return odd === undefined ? [] : [findingAt(home(['rules', code], 'key'), { severity: 'warning', code: 'unknown-rule', ...odd })];
  });
}
