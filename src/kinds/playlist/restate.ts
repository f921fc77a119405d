/** What the sources have to say so that a playlist is declared as it is live (`drift accept`). */
import { equal, type Fields, isFields, type Json, stableJson } from '../../model/json.ts';
import { asList } from '../../model/read.ts';
import type { Desired, Live, Sections, Statement } from '../kind.ts';
import { type Entry, entriesOf, SETTINGS } from './canonical.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { entryOf } from './playlists.ts';
import { unfitness } from './unfit.ts';

/** Statements about the fields that differ; those of a smart start are its group's. A text says why nothing can declare it. */
export function restate({ path, fields }: Desired, live: Live, sections: Sections): readonly Statement[] | string {
  const [section = '', key = ''] = path.map(String);
  const reason = unfitness(live);
  const differs = (name: string) => !equal(fields[name], live.fields[name]);
  if (reason !== undefined) return reason;
  if (section === 'smart_starts' && differs('playlist')) return 'it no longer holds its own asset and nothing else';
  const written = memberOf(sections[section], key);
  const settings = ['desc', ...Object.keys(SETTINGS)].filter(differs).map((name): Statement => {
    return { path: [section, key, name], value: inFormOf(memberOf(written, name), live.fields[name]) };
  });
  if (!differs('playlist')) return settings;
  const list = relisted(asList(memberOf(written, 'playlist')) ?? [], entriesOf(live.fields), readCatalogue(sections.assets).catalogue);
  return [...settings, { path: [section, key, 'playlist'], value: list }];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isFields(value) ? value[name] : undefined;
}

/** true and false mean 1 and 0 where they are written. */
function inFormOf(written: Json | undefined, value: Json | undefined): Json | undefined {
  return typeof written === 'boolean' && (value === 0 || value === 1) ? value === 1 : value;
}

/** The live entries: those that are written already as they are written, others in the usual form of this list, with names of the catalogue. */
function relisted(written: readonly unknown[], entries: readonly Entry[], catalogue: Catalogue): readonly Json[] {
  const known = new Map<string, Fields[]>();
  const forms = { beam: 'short', ad: 'short' };
  for (const each of written) {
    const entry = entryOf(each, catalogue);
    if (entry === undefined || !isEntry(each)) continue;
    if (isFields(each.beam)) forms.beam = 'long';
    if (isFields(each.ad)) forms.ad = 'long';
    const same = stableJson(entry);
    known.set(same, [...(known.get(same) ?? []), each]);
  }
  return entries.map((entry) => known.get(stableJson(entry))?.shift() ?? newEntry(entry, forms, catalogue));
}

/** What the schema has accepted as an entry. */
function isEntry(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An ID that is also a name of the catalogue would mean the other asset in the short form. */
function newEntry(entry: Entry, forms: { readonly beam: string; readonly ad: string }, { byId, byName }: Catalogue): Fields {
  if ('ad' in entry) return forms.ad === 'long' ? entry : { ad: entry.ad.dur };
  const { id } = entry.beam;
  const name = byId.get(id)?.name;
  if (name === undefined && byName.has(id)) return entry;
  return forms.beam === 'long' ? entry : { beam: name ?? id };
}
