/** The fourth step of loading a desired state: the kinds declare their resources, and what is written beside them is applied to these. */
import { type DesiredResource, errorFinding, type Kind, type UnlocatedFinding } from '../kinds/kind.ts';
import { firstOf } from '../model/collections.ts';
import { matchesGlob } from '../model/glob.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { adoptFindings, readAdopt, unmatchableFindings } from './adopt.ts';
import { textFileReader } from './file-reader.ts';
import { createFindingList } from './findings.ts';
import { applyIgnoreChanges } from './ignore-changes.ts';
import { readMovedAndRemoved } from './moved-and-removed.ts';
import type { Target } from './project.ts';
import { fileOf, locationInSources } from './source-map.ts';
import type { SourceModel } from './source-model.ts';
import { limitByFile, type ValidatedSources } from './validate-sources.ts';

/** The declared resources, and what is wrong with them. */
export interface DeclaredResources extends ValidatedSources {
  readonly resources: readonly DesiredResource[];
  /** Address to remote ID. */
  readonly adopt: ReadonlyMap<string, string>;
  /** New address to old address. */
  readonly moved: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  /** The findings of each kind. */
  readonly kindFindings: readonly KindFindings[];
  /** About `adopt`, `moved`, `removed` and `ignore_changes`. */
  readonly addressFindings: readonly UnlocatedFinding[];
}

/** What one kind found. */
export interface KindFindings {
  readonly kind: Kind;
  readonly findings: readonly UnlocatedFinding[];
}

/** Declares the resources of every kind. A kind relies on its schema, so it gets the valid parts only. */
export function declareResources(validated: ValidatedSources, model: SourceModel, maxPerCode?: number): DeclaredResources {
  const { project, target, reader, layers, merged, valid, incomplete } = validated;
  const readText = textFileReader(reader, (path) => fileOf(layers, path) ?? project.file);
  const adopt = readAdopt(merged);
  const findingList = () => createFindingList<UnlocatedFinding>((found) => limitByFile(found, validated, maxPerCode));
  const services = { readText, adoptedId: (address: string) => adopt.get(address), findingList };
  const declared = model.kinds.flatMap((kind) => {
    const sections = sectionsOf(kind, valid);
    return sections === undefined ? [] : [{ kind, ...kind.declare(sections, services) }];
  });
  const all = declared.flatMap(({ resources }) => resources);
  // With an error, the sources may declare more resources than could be read.
  const isComplete = validated.errors.length === 0 && !validated.findings.some(({ severity }) => severity === 'error');
  const { moved, removed, findings } = readMovedAndRemoved(merged, model, isComplete ? all : null);
  const ignoring = applyIgnoreChanges(merged, model, all, target, (path) => locationInSources(validated, path));
  return {
    ...validated,
    resources: ignoring.resources,
    adopt,
    moved,
    removed,
    kindFindings: declared,
    addressFindings: [
      ...findings,
      ...ignoring.findings.filter(({ severity }) => severity !== 'warning' || isComplete),
      ...adoptFindings(adopt, model, all, incomplete),
      ...unmatchableFindings(all, adopt, incomplete),
      ...unmanagedFindings(all, target),
    ],
  };
}

/** Returns errors about resources that this project must not declare: others manage them. */
function unmanagedFindings(resources: readonly DesiredResource[], { name, manages }: Target): readonly UnlocatedFinding[] {
  if (manages === null) return [];
  const outside = resources.filter(({ address }) => !manages.some((glob) => matchesGlob(glob, address)));
  return outside.map(({ address, path, textFilePosition }) => ({
    ...errorFinding(
      'not-managed',
      path,
      `${address} is outside of \`manages\` of target ${name}, which names ${firstOf(manages, 5).join(', ')}`,
      'Give it a key that `manages` names, declare it in the project that manages it, or extend `manages` in upkeep.yaml, under review.',
    ),
    part: 'key',
    ...(textFilePosition === undefined ? {} : { textFilePosition }),
  }));
}

/** Returns the sections of a kind, or undefined where the merged sources have none. */
export function sectionsOf(kind: Kind, merged: JsonObject): { readonly [section: string]: Json } | undefined {
  const present = kind.sections.flatMap(({ key }): [string, Json][] => (merged[key] === undefined ? [] : [[key, merged[key]]]));
  return present.length === 0 ? undefined : Object.fromEntries(present);
}
