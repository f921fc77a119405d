/** Loads the desired state of a target in five steps. Reads files and nothing else. */
import { type Path, valueAt } from '../model/json.ts';
import type { ProjectFiles } from '../model/project-files.ts';
import { declareResources } from './declare-resources.ts';
import type { DefinedPlace, DesiredStateWithSources } from './desired-state.ts';
import type { Definition } from './expand/definition.ts';
import { expandSources } from './expand/expand-sources.ts';
import { loadSources } from './load-sources.ts';
import { locateFindings } from './locate-findings.ts';
import type { Project, Target } from './project.ts';
import { definitionsOf, locationInSources } from './source-map.ts';
import type { SourceModel } from './source-model.ts';
import { validateSources } from './validate-sources.ts';
import type { ParseCache } from './yaml/parse.ts';

/**
 * Loads the desired state of one target. Collects all errors as findings. If there is an error, the resources may be incomplete.
 * `parseCache` shares parsed sources between targets. `maxPerCode` limits how many findings with the same code are listed for each file.
 * @throws for errors of the file system
 */
export function loadDesiredState(
  files: ProjectFiles,
  project: Project,
  target: Target,
  model: SourceModel,
  parseCache?: ParseCache,
  maxPerCode?: number,
): DesiredStateWithSources {
  const loaded = loadSources(files, project, target, parseCache);
  const expanded = expandSources(loaded, model, maxPerCode);
  const validated = validateSources(expanded, model);
  const declared = declareResources(validated, model, maxPerCode);
  const findings = locateFindings(declared, model, maxPerCode);

  const { resources, merged, layers, adopt, moved, removed } = declared;
  return {
    resources,
    presentKeys: new Set(Object.keys(merged)),
    adopt,
    moved,
    removed,
    findings,
    digest: loaded.reader.digest(),
    positionOf: (path) => locationInSources(declared, path),
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
