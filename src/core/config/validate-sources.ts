/** The third step of loading a desired state: validates the merged sources by their schema, and leaves out what is invalid. */
import type { UnlocatedFinding } from '../kinds/kind.ts';
import { isObject, type JsonObject, type Path, valueAt } from '../model/json.ts';
import type { ExpandedSources } from './expand/expand-sources.ts';
import { expansionPropertiesAt } from './expand/expansion-schema.ts';
import { limitFindings } from './findings.ts';
import { type PathSet, pathSet, withoutInvalidParts } from './path-set.ts';
import { describeSchemaError, formatPath, isNotReportedYet } from './schema-errors.ts';
import { fileOf, type Layer, nearestLocation } from './source-map.ts';
import type { SourceModel } from './source-model.ts';
import type { SchemaError } from './validator.ts';

/** A finding about the sources. `layers` are searched for its path; absent = all layers are. */
export interface SourceFinding extends UnlocatedFinding {
  readonly layers?: readonly Layer[];
}

/** The expanded sources, and what of them is valid. */
export interface ValidatedSources extends ExpandedSources {
  /** The merged sources without their invalid parts. */
  readonly valid: JsonObject;
  readonly errors: readonly SourceFinding[];
  /** Where something may be missing: what is unreadable, invalid or ambiguous. Nothing is reported as missing there. */
  readonly incomplete: PathSet;
}

/** Validates the merged sources. An error is reported where nothing about its cause is reported yet. */
export function validateSources(expanded: ExpandedSources, model: SourceModel): ValidatedSources {
  const { merged, layers, nullsWithoutEffect, unreadablePaths, unexpandedPaths } = expanded;
  const [unreadable, unexpanded] = [pathSet(unreadablePaths), pathSet(unexpandedPaths)];
  // A null in a field of a resource (a path of three steps or more) may be meant to remove a default. Where the defaults of its section could
  // not be read, it is therefore not reported.
  const mayRemoveUnreadDefault = (path: Path) => path.length > 2 && unexpanded.affectsSection(String(path[0]));
  const nullErrors = nullsWithoutEffect.flatMap(({ path, layer }): readonly SourceFinding[] =>
    unreadable.contains(path) || mayRemoveUnreadDefault(path) ? [] : [{ ...nullError(path), layers: layers.slice(layer, layer + 1) }],
  );
  const nulls = nullsWithoutEffect.flatMap(({ path }) => (valueAt(merged, path) === null ? [path] : []));
  const schemaErrors = findSchemaErrors(expanded, model, pathSet([...unreadablePaths, ...nulls]));
  const invalid = [...unreadablePaths, ...nulls, ...schemaErrors.map(pathMadeInvalidBy)];
  return {
    ...expanded,
    valid: withoutInvalidParts(merged, invalid, model.keyedSections),
    errors: [...nullErrors, ...schemaErrors],
    incomplete: pathSet([...invalid, ...expanded.ambiguousPaths]),
  };
}

/** Limits findings about the sources (`limitFindings`), before their positions are computed. */
export function limitByFile<Found extends SourceFinding>(
  findings: readonly Found[],
  { layers, project }: Pick<ValidatedSources, 'layers' | 'project'>,
  maxPerCode?: number,
  groupOf?: (finding: Found) => string,
): readonly Found[] {
  const fileOfFinding = ({ path, textFilePosition, layers: searched = layers }: SourceFinding): string =>
    textFilePosition?.file ?? fileOf(searched, path) ?? project.file;
  return limitFindings(findings, fileOfFinding, maxPerCode, groupOf);
}

/** Builds the error about a null that removes nothing. */
function nullError(path: Path): UnlocatedFinding {
  const summary = `${formatPath(path)} has no value, and no earlier source, template or default has one that null could remove`;
  return { code: 'null', summary, hint: 'Write a value, or remove the line: absent settings have their defaults.', path };
}

/** Returns the schema errors, except those that only repeat a finding at the paths `alreadyReported`. */
function findSchemaErrors(
  { merged, layers, entryListNames }: ExpandedSources,
  model: SourceModel,
  alreadyReported: PathSet,
): readonly UnlocatedFinding[] {
  return model
    .errorsOf(merged)
    .filter((error) => isNotReportedYet(error, alreadyReported))
    .map((error) => {
      const written = typeof error.value === 'number' ? nearestLocation(layers, error.path)?.written : undefined;
      const finding = describeSchemaError(withExpansionKeys(error, model), written);
      const isListName = error.keyword === 'type' && typeof error.value === 'string' && entryListNames.has(error.value);
      return isListName ? { ...finding, hint: `Write \`include: ${String(error.value)}\`` } : finding;
    });
}

/** Adds `template`, `with` and the like to the keys that the hint about an unknown key may suggest: expanded sources no longer have them. */
function withExpansionKeys(error: SchemaError, { templatedSections }: SourceModel): SchemaError {
  if (error.keyword !== 'additionalProperties') return error;
  const properties = isObject(error.schema.properties) ? error.schema.properties : {};
  return { ...error, schema: { ...error.schema, properties: { ...properties, ...expansionPropertiesAt(error.path, templatedSections) } } };
}

/** Returns the path that a schema error makes invalid. It is empty for an unknown section, which may be any section, misspelled. */
function pathMadeInvalidBy({ code, path }: UnlocatedFinding): Path {
  return code === 'unknown-key' && path.length === 1 ? [] : path;
}
