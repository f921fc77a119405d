/** Exports a catalog of the assets that an exported account refers to, named by the service's descriptions (`export --assets`). */

import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/syntax-nodes.ts';
import { ApiError, type ApiService, type ExistingObjects, type Kind, type ReferenceApi, type ReferenceType } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import { compareStrings } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import type { ConfigReader } from './export-account.ts';
import type { ExportedFile } from './source-files.ts';

/** A catalog, and the name of each asset in it by ID. */
export interface AssetCatalogExport {
  readonly files: readonly ExportedFile[];
  readonly names: ReadonlyMap<string, string>;
  /** The errors of the look-ups that failed. What they asked for is not in the catalog. */
  readonly errors: readonly ApiError[];
}

/** Exports one file for each kind whose references can have names in a catalog, with what could be looked up. */
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
      if (!referenceLookup || !buildCatalogSection) return { files: [], errors: [] };
      const own = resources.filter(({ address }) => isAddressOf(kind, address));
      const ids = [...new Set(own.flatMap((resource) => referenceLookup.referencesIn(resource).map(({ id }) => id)))].sort(compareStrings);
      const { asked, known, errors } = await lookUp(referenceLookup, ids, service, api);
      return { files: asked.length === 0 ? [] : [write(buildCatalogSection, referenceLookup.noun, asked, known)], errors };
    }),
  );
  const catalogs = exported.flatMap(({ files: written }) => written);
  return {
    files: catalogs.map(({ file }) => file),
    names: new Map(catalogs.flatMap(({ names }) => [...names])),
    errors: exported.flatMap(({ errors }) => errors),
  };
}

/** What was looked up: the IDs that the service was asked for and told about, and those of them that exist. */
interface LookedUp {
  readonly asked: readonly string[];
  readonly known: ExistingObjects;
  readonly errors: readonly ApiError[];
}

async function lookUp(referenceLookup: ReferenceType, ids: readonly string[], service: ApiService, api: ReferenceApi): Promise<LookedUp> {
  const parts = await Promise.all(
    referenceLookup.lookups(ids, api).map(async ({ ids: asked, findExisting }): Promise<LookedUp> => {
      try {
        return { asked, known: await findExisting(service), errors: [] };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { asked: [], known: new Map(), errors: [error] };
      }
    }),
  );
  return {
    asked: parts.flatMap(({ asked }) => asked),
    known: new Map(parts.flatMap(({ known }) => [...known])),
    errors: parts.flatMap(({ errors }) => errors),
  };
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
