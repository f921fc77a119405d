/** The last step of loading a desired state: gives each finding its position in the files, its severity and its address. */
import type { DesiredResource, Kind, UnlocatedFinding } from '../kinds/kind.ts';
import { declaresResources } from '../model/address.ts';
import type { Finding } from '../model/finding.ts';
import { type Path, pointer } from '../model/json.ts';
import type { DeclaredResources } from './declare-resources.ts';
import type { Definition } from './expand/definition.ts';
import { dedupeFindings, findingAt, withConflictPosition } from './findings.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { lazy } from './lazy.ts';
import type { PathSet } from './path-set.ts';
import type { Target } from './project.ts';
import { addressesOf, canSetSeverity, isSwitchedOff, unusedSeverityRules, withSeverity, withSeverityOfAll } from './severity-rules.ts';
import { locationIn, type SourceLocation } from './source-location.ts';
import { definitionsOf, locationInSources } from './source-map.ts';
import type { SourceModel } from './source-model.ts';
import { limitByFile, type SourceFinding } from './validate-sources.ts';

/** Returns all findings, sorted. `maxPerCode` limits how many with the same code are located for each file; the others are counted. */
export function locateFindings(declared: DeclaredResources, model: SourceModel, maxPerCode?: number): readonly Finding[] {
  const { project, target, projectDocument, merged, layers, findings, errors, addressFindings, kindFindings, incomplete } = declared;
  const locationOf = (path: Path, part?: UnlocatedFinding['part']) => locationInSources(declared, path, part);
  const addressOf = createAddressLookup(declared.resources, model);
  const limit = <Found extends SourceFinding>(all: readonly Found[]) => limitByFile(all, declared, maxPerCode);

  const schemaFindings = limit(errors).map(({ layers: searched = layers, ...finding }) =>
    schemaFindingAt(
      locationInSources({ ...declared, layers: searched }, finding.path, finding.part),
      { ...withConflictPosition(finding, locationOf), address: addressOf(finding.path) },
      definitionsOf(layers, finding.path)[0],
      target.vars,
    ),
  );
  const locateKindFinding = (kind: Kind, finding: UnlocatedFinding, judge: typeof withSeverity): readonly Finding[] => {
    const canSet = canSetSeverity(finding, kind);
    if ((canSet && isSwitchedOff(finding.code, project.rules)) || mayFollowFromIncompleteCatalog(kind, finding, incomplete)) return [];
    const { textFilePosition: at } = finding;
    const location = at ?? locationOf(finding.path);
    const address = finding.address ?? addressOf(finding.path);
    const located = findingAt(location, { ...withConflictPosition(finding, locationOf), address });
    return judge(located, project.rules, canSet);
  };
  const locateHidden = (found: readonly UnlocatedFinding[]): readonly Finding[] => {
    const addresses = ({ code, path }: UnlocatedFinding) => addressesOf(code, addressOf(path), project.rules);
    return limitByFile(found, declared, maxPerCode, addresses).flatMap((finding) =>
      withSeverityOfAll(findingAt(locationOf(finding.path, finding.part), { ...finding, address: addressOf(finding.path) }), project.rules),
    );
  };
  return dedupeFindings([
    ...findings,
    ...schemaFindings,
    ...limit(addressFindings).flatMap((finding) =>
      withSeverity(findingAt(locationOf(finding.path, 'key'), withConflictPosition(finding, locationOf)), project.rules),
    ),
    ...kindFindings.flatMap(({ kind, findings: found }) => {
      const mixed = found.filter(({ unlisted }) => unlisted !== undefined);
      const single = found.filter(({ unlisted }) => unlisted === undefined);
      const addresses = ({ code, path, address = addressOf(path) }: UnlocatedFinding) => addressesOf(code, address, project.rules);
      return [
        ...limit(mixed).flatMap((finding) => locateKindFinding(kind, finding, withSeverity)),
        ...limitByFile(single, declared, maxPerCode, addresses).flatMap((finding) => locateKindFinding(kind, finding, withSeverityOfAll)),
      ];
    }),
    ...locateHidden(hiddenCharacters(merged)),
    ...hiddenCharacters(projectDocument.content).flatMap((finding) => {
      // Its line may hold a credential.
      const { excerpt: _, ...location } = locationIn(projectDocument, finding.path, finding.part);
      return withSeverity(findingAt(location, finding), project.rules);
    }),
    ...unusedSeverityRules(project.rules, model).map((finding) =>
      findingAt(locationIn(projectDocument, finding.path, finding.part), finding),
    ),
  ]);
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

/** Decides whether a warning may be wrong, because a section that resources refer to (the asset catalog) is incomplete. */
function mayFollowFromIncompleteCatalog({ sections }: Kind, { severity }: UnlocatedFinding, incomplete: PathSet): boolean {
  return severity === 'warning' && sections.some((section) => !declaresResources(section) && incomplete.affectsSection(section.key));
}

/** Creates a function that returns the address of the resource that contains a path; undefined where it is unknown. */
function createAddressLookup(resources: readonly DesiredResource[], { kinds }: SourceModel): (path: Path) => string | undefined {
  const known = lazy(() => {
    const addresses = new Map(resources.map((resource) => [pointer(resource.path), resource.address]));
    for (const kind of kinds) if (kind.type === 'setting') for (const { key } of kind.sections) addresses.set(pointer([key]), kind.name);
    return addresses;
  });
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const address = known().get(pointer(path.slice(0, length)));
      if (address !== undefined) return address;
    }
    return undefined;
  };
}
