/** Catalogues for an exported account: names for what its resources refer to, made of the service's own descriptions (`export --assets`). */

import { escapeVariables } from '../config/variables.ts';
import { writeYaml } from '../config/yaml/yaml.ts';
import type { ApiService, ExistingIds, Kind, ReferenceApi, ReferenceType } from '../kinds/kind.ts';
import { compareStrings } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import type { ConfigReader, ExportedFile } from './export-account.ts';

/** One file for each kind whose references can have names. @throws ServiceError where one of them could not be looked up */
export async function exportAssetAliases(
  files: readonly ExportedFile[],
  kinds: readonly Kind[],
  read: ConfigReader,
  service: ApiService,
  api: ReferenceApi,
): Promise<readonly ExportedFile[]> {
  const { resources } = read(files);
  const written = await Promise.all(
    kinds.map(async ({ references: referenceType, addresses }) => {
      const { aliasSection } = referenceType ?? {};
      if (!referenceType || !aliasSection) return [];
      const own = resources.filter(({ address }) => addresses.some((prefix) => address.startsWith(prefix)));
      const ids = [...new Set(own.flatMap((resource) => referenceType.references(resource).map(({ id }) => id)))].sort(compareStrings);
      return ids.length === 0 ? [] : [write(aliasSection, referenceType.noun, ids, await lookedUp(referenceType, ids, service, api))];
    }),
  );
  return written.flat();
}

async function lookedUp(
  referenceType: ReferenceType,
  ids: readonly string[],
  service: ApiService,
  api: ReferenceApi,
): Promise<ExistingIds> {
  const parts = await Promise.all(referenceType.lookups(ids, api).map(({ ask }) => ask(service)));
  return new Map(parts.flatMap((part) => [...part]));
}

/** What the service does not know is in the catalogue all the same, and said. */
function write(
  catalogue: NonNullable<ReferenceType['aliasSection']>,
  noun: string,
  ids: readonly string[],
  known: ExistingIds,
): ExportedFile {
  const { section, remark, value } = catalogue(ids, known);
  const unknown = ids.filter((id) => !known.has(id)).map((id) => visible(`# The service has no ${noun} ${id}.`));
  const lines = [`# ${remark}`, ...unknown, writeYaml({ [section]: escapeVariables(value) })];
  return { name: `${section}.yaml`, text: lines.join('\n') };
}
