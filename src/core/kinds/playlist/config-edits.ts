/** Edits of the sources that declare a playlist as the account holds it (`drift accept`). */
import { equal, isJsonObject, type Json, type JsonObject, stableJson } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import type { ConfigEdit, NotDeclarable, Sections } from '../kind.ts';
import { type AssetCatalog, readAssetCatalog } from './asset-catalog.ts';
import { expandEntry } from './declare.ts';
import { type DesiredPlaylist, type Entry, externalIdOf, INTEGER_FIELD_NAMES, type LivePlaylist, type PlaylistFields } from './model.ts';
import { whyNotDeclarable } from './not-declarable.ts';

/** Returns an edit for each field that differs. The edits of a smart start are those of its group. */
export function configEdits(
  { path, fields, externalIds = {} }: DesiredPlaylist,
  live: LivePlaylist,
  sections: Sections,
): readonly ConfigEdit[] | NotDeclarable {
  const [section = '', key = ''] = path.map(String);
  const reason = whyNotDeclarable(live);
  const differs = (name: keyof PlaylistFields) => !equal(fields[name], live.fields[name]);
  if (reason !== undefined) return { reason };
  if (section === 'smart_starts' && differs('playlist')) return { reason: 'its list no longer holds exactly its own asset' };
  const written = memberOf(sections[section], key);
  const scalars = (['desc', ...INTEGER_FIELD_NAMES] as const).filter(differs).map((name): ConfigEdit => {
    return { path: [section, key, name], value: inWrittenForm(memberOf(written, name), live.fields[name]) };
  });
  if (!differs('playlist')) return scalars;
  const list = toWrittenList(
    asList(memberOf(written, 'playlist')) ?? [],
    live.fields.playlist.flatMap((entry) => ('odd' in entry ? [] : [entry])),
    readAssetCatalog(sections.assets).catalog,
    externalIds,
  );
  return [...scalars, { path: [section, key, 'playlist'], value: list }];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Returns 1 and 0 as true and false where the sources write the setting so. */
function inWrittenForm(written: Json | undefined, value: Json | undefined): Json | undefined {
  return typeof written === 'boolean' && (value === 0 || value === 1) ? value === 1 : value;
}

/**
 * Converts the live entries to a list for the sources. Entries that the sources contain keep their form. A new entry gets the form of the
 * entry at its position, with the name from the catalog.
 */
function toWrittenList(
  written: readonly unknown[],
  entries: readonly Entry[],
  catalog: AssetCatalog,
  externalIds: { readonly [externalId: string]: string },
): readonly Json[] {
  const oldEntries = written.filter(isEntry).map((value) => {
    const entry = expandEntry(value, catalog);
    const externalId = entry && 'beam' in entry ? externalIdOf(entry.beam.id) : undefined;
    const id = externalId !== undefined && Object.hasOwn(externalIds, externalId) ? externalIds[externalId] : undefined;
    return { value, entry: id === undefined ? entry : { beam: { id } } };
  });
  const oldIndexes = indexesOfEqualTexts(
    oldEntries.map(({ entry }) => stableJson(entry ?? null)),
    entries.map((entry) => stableJson(entry)),
  );
  return entries.map((entry, index) => {
    return oldEntries[oldIndexes[index] ?? -1]?.value ?? newEntry(entry, oldEntries[index]?.value ?? oldEntries[0]?.value, catalog);
  });
}

/**
 * Returns, for each text of `after`, the index of an equal text of `before`; -1 where there is none. Pairs equal beginnings and equal ends
 * first, then every remaining text with the first unused equal one.
 */
function indexesOfEqualTexts(before: readonly string[], after: readonly string[]): readonly number[] {
  const found = new Map<number, number>();
  const shift = before.length - after.length;
  for (let at = 0; at < after.length && after[at] === before[at]; at++) found.set(at, at);
  const head = found.size;
  for (let at = after.length - 1; at >= head && at + shift >= head && after[at] === before[at + shift]; at--) found.set(at, at + shift);
  const used = new Set(found.values());
  return after.map((text, at) => {
    const from = found.get(at) ?? before.findIndex((each, index) => each === text && !used.has(index));
    used.add(from);
    return from;
  });
}

/** Narrows the type of an element: the schema accepts only objects. */
function isEntry(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Writes an entry in the long or short form of `like`. If the asset has no name and its ID is the name of another asset, the long form is
 * written: the short form would mean that other asset.
 */
function newEntry(entry: Entry, like: JsonObject | undefined, { byId, byName }: AssetCatalog): JsonObject {
  const isLong = isJsonObject(like?.beam ?? like?.ad);
  if (isLong) return entry;
  if ('ad' in entry) return { ad: entry.ad.dur };
  const { id } = entry.beam;
  const name = byId.get(id)?.name;
  return name === undefined && byName.has(id) ? entry : { beam: name ?? id };
}
