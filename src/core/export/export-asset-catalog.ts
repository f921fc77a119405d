/** Exports a catalog of the assets that an exported account refers to, named by the service's descriptions (`export --assets`). */

import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/syntax-nodes.ts';
import type { ApiService, ExistingObjects, Kind, ReferenceApi, ReferenceType } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import { compareStrings } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import type { ConfigReader } from './export-account.ts';
import type { ExportedFile } from './source-files.ts';

/** A catalog, and the name of each asset in it by ID. */
export interface AssetCatalogExport {
  readonly files: readonly ExportedFile[];
  readonly names: ReadonlyMap<string, string>;
}

/** Exports one file for each kind whose references can have names in a catalog. @throws ApiError where a look-up fails */
export async function exportAssetCatalog(
  files: readonly ExportedFile[],
  kinds: readonly Kind[],
  read: ConfigReader,
  service: ApiService,
  api: ReferenceApi,
): Promise<AssetCatalogExport> {
  const { resources } = read(files);
  const exported = await Promise.all(
    kinds.map(async (kind) => {
      const { referenceLookup } = kind;
      const { buildCatalogSection } = referenceLookup ?? {};
      if (!referenceLookup || !buildCatalogSection) return [];
      const own = resources.filter(({ address }) => isAddressOf(kind, address));
      const ids = [...new Set(own.flatMap((resource) => referenceLookup.referencesIn(resource).map(({ id }) => id)))].sort(compareStrings);
      return ids.length === 0
        ? []
        : [write(buildCatalogSection, referenceLookup.noun, ids, await lookUp(referenceLookup, ids, service, api))];
    }),
  );
  const catalogs = exported.flat();
  return { files: catalogs.map(({ file }) => file), names: new Map(catalogs.flatMap(({ names }) => [...names])) };
}

async function lookUp(
  referenceLookup: ReferenceType,
  ids: readonly string[],
  service: ApiService,
  api: ReferenceApi,
): Promise<ExistingObjects> {
  const parts = await Promise.all(referenceLookup.lookups(ids, api).map(({ findExisting }) => findExisting(service)));
  return new Map(parts.flatMap((part) => [...part]));
}

/** Writes one file. IDs that the service does not know are included, with a comment. */
function write(
  buildSection: NonNullable<ReferenceType['buildCatalogSection']>,
  noun: string,
  ids: readonly string[],
  known: ExistingObjects,
): { readonly file: ExportedFile; readonly names: ReadonlyMap<string, string> } {
  const { section, comment, value, names } = buildSection(ids, known);
  const unknown = ids.filter((id) => !known.has(id)).map((id) => visible(`# The service has no ${noun} ${id}.`));
  const lines = [`# ${comment}`, ...unknown, writeYaml({ [section]: escapeVariables(value) })];
  return { file: { name: `${section}.yaml`, text: lines.join('\n') }, names };
}
