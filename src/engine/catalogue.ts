/** Catalogues for an exported account: names for what its resources refer to, made of the service's own descriptions (`export --assets`). */
import type { Kind, Known, ReferenceApi, References, Service } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { visible } from '../model/visible-text.ts';
import { writeYaml } from './desired/yaml.ts';
import { type ExportedFile, literal, type Reader } from './export.ts';

/** One file for each kind whose references can have names. @throws ServiceError where one of them could not be looked up */
export async function exportCatalogues(
  files: readonly ExportedFile[],
  kinds: readonly Kind[],
  read: Reader,
  service: Service,
  api: ReferenceApi,
): Promise<readonly ExportedFile[]> {
  const { resources } = read(files);
  const written = await Promise.all(
    kinds.map(async ({ references, addresses }) => {
      const { catalogue } = references ?? {};
      if (!references || !catalogue) return [];
      const own = resources.filter(({ address }) => addresses.some((prefix) => address.startsWith(prefix)));
      const ids = [...new Set(own.flatMap((resource) => references.mentions(resource).map(({ id }) => id)))].sort(compareText);
      return ids.length === 0 ? [] : [write(catalogue, references.noun, ids, await lookedUp(references, ids, service, api))];
    }),
  );
  return written.flat();
}

async function lookedUp(references: References, ids: readonly string[], service: Service, api: ReferenceApi): Promise<Known> {
  const parts = await Promise.all(references.lookUps(ids, api).map(({ ask }) => ask(service)));
  return new Map(parts.flatMap((part) => [...part]));
}

/** What the service does not know is in the catalogue all the same, and said. */
function write(catalogue: NonNullable<References['catalogue']>, noun: string, ids: readonly string[], known: Known): ExportedFile {
  const { section, remark, value } = catalogue(ids, known);
  const unknown = ids.filter((id) => !known.has(id)).map((id) => visible(`# The service has no ${noun} ${id}.`));
  const lines = [`# ${remark}`, ...unknown, writeYaml({ [section]: literal(value) })];
  return { name: `${section}.yaml`, text: lines.join('\n') };
}
