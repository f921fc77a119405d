/** Exports a catalogue of the assets that an exported account refers to, named by the service's descriptions (`export --assets`). */

import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/syntax-nodes.ts';
import type { ApiService, ExistingIds, Kind, ReferenceApi, ReferenceType } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import { compareStrings } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import type { ConfigReader, ExportedFile } from './export-account.ts';

/** Returns one file for each kind whose references can have names in a catalogue. @throws ApiError where a look-up fails */
export async function exportAssetCatalogue(
  files: readonly ExportedFile[],
  kinds: readonly Kind[],
  read: ConfigReader,
  service: ApiService,
  api: ReferenceApi,
): Promise<readonly ExportedFile[]> {
  const { resources } = read(files);
  const exported = await Promise.all(
    kinds.map(async (kind) => {
      const { referenceType } = kind;
      const { buildCatalogueSection } = referenceType ?? {};
      if (!referenceType || !buildCatalogueSection) return [];
      const own = resources.filter(({ address }) => isAddressOf(kind, address));
      const ids = [...new Set(own.flatMap((resource) => referenceType.referencesIn(resource).map(({ id }) => id)))].sort(compareStrings);
      return ids.length === 0
        ? []
        : [write(buildCatalogueSection, referenceType.noun, ids, await lookUp(referenceType, ids, service, api))];
    }),
  );
  return exported.flat();
}

async function lookUp(referenceType: ReferenceType, ids: readonly string[], service: ApiService, api: ReferenceApi): Promise<ExistingIds> {
  const parts = await Promise.all(referenceType.lookups(ids, api).map(({ findExisting }) => findExisting(service)));
  return new Map(parts.flatMap((part) => [...part]));
}

/** Writes one file. IDs that the service does not know are included, with a comment. */
function write(
  buildSection: NonNullable<ReferenceType['buildCatalogueSection']>,
  noun: string,
  ids: readonly string[],
  known: ExistingIds,
): ExportedFile {
  const { section, comment, value } = buildSection(ids, known);
  const unknown = ids.filter((id) => !known.has(id)).map((id) => visible(`# The service has no ${noun} ${id}.`));
  const lines = [`# ${comment}`, ...unknown, writeYaml({ [section]: escapeVariables(value) })];
  return { name: `${section}.yaml`, text: lines.join('\n') };
}
