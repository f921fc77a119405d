/** What the sources have to say so that a playlist is declared as it is live (`drift accept`). */
import { equal, isJsonObject, type Json, type JsonObject, stableJson } from '../../model/json.ts';
import { asList } from '../../model/json-readers.ts';
import type { ConfigEdit, DesiredResource, LiveResource, Sections } from '../kind.ts';
import { type AssetAliases, readAssetAliases } from './asset-aliases.ts';
import { type Entry, entriesOf, SETTINGS } from './model.ts';
import { whyNotExportable } from './not-exportable.ts';
import { entryOf } from './playlists-section.ts';

/** Statements about the fields that differ; those of a smart start are its group's. A text says why nothing can declare it. */
export function configEdits({ path, fields }: DesiredResource, live: LiveResource, sections: Sections): readonly ConfigEdit[] | string {
  const [section = '', key = ''] = path.map(String);
  const reason = whyNotExportable(live);
  const differs = (name: string) => !equal(fields[name], live.fields[name]);
  if (reason !== undefined) return reason;
  if (section === 'smart_starts' && differs('playlist')) return 'it no longer holds its own asset and nothing else';
  const written = memberOf(sections[section], key);
  const settings = ['desc', ...Object.keys(SETTINGS)].filter(differs).map((name): ConfigEdit => {
    return { path: [section, key, name], value: inFormOf(memberOf(written, name), live.fields[name]) };
  });
  if (!differs('playlist')) return settings;
  const list = relisted(asList(memberOf(written, 'playlist')) ?? [], entriesOf(live.fields), readAssetAliases(sections.assets).catalogue);
  return [...settings, { path: [section, key, 'playlist'], value: list }];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** true and false mean 1 and 0 where they are written. */
function inFormOf(written: Json | undefined, value: Json | undefined): Json | undefined {
  return typeof written === 'boolean' && (value === 0 || value === 1) ? value === 1 : value;
}

/** The live entries: those that are written already as they are written, others in the form of what stands in their place, with names of the catalogue. */
function relisted(written: readonly unknown[], entries: readonly Entry[], catalogue: AssetAliases): readonly Json[] {
  const known = written.filter(isEntry).map((each) => ({ each, entry: entryOf(each, catalogue) }));
  const same = matched(
    known.map(({ entry }) => stableJson(entry ?? null)),
    entries.map((entry) => stableJson(entry)),
  );
  return entries.map((entry, index) => known[same[index] ?? -1]?.each ?? newEntry(entry, known[index]?.each ?? known[0]?.each, catalogue));
}

/** Which of the old texts each new one is: in order from both ends, then whichever is left. */
function matched(old: readonly string[], young: readonly string[]): readonly (number | undefined)[] {
  const found = new Map<number, number>();
  const shift = old.length - young.length;
  for (let at = 0; at < young.length && young[at] === old[at]; at++) found.set(at, at);
  const head = found.size;
  for (let at = young.length - 1; at >= head && at + shift >= head && young[at] === old[at + shift]; at--) found.set(at, at + shift);
  const used = new Set(found.values());
  return young.map((text, at) => {
    const from = found.get(at) ?? old.findIndex((each, index) => each === text && !used.has(index));
    used.add(from);
    return from < 0 ? undefined : from;
  });
}

/** What the schema has accepted as an entry. */
function isEntry(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In the long form where `like` is in it. An ID that is also a name of the catalogue would mean the other asset in the short form. */
function newEntry(entry: Entry, like: JsonObject | undefined, { byId, byName }: AssetAliases): JsonObject {
  const isLong = isJsonObject(like?.beam ?? like?.ad);
  if (isLong) return entry;
  if ('ad' in entry) return { ad: entry.ad.dur };
  const { id } = entry.beam;
  const name = byId.get(id)?.name;
  return name === undefined && byName.has(id) ? entry : { beam: name ?? id };
}
