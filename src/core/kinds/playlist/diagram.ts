/** The diagram of a playlist: its list of assets and ad breaks, before and after. */
import type { Change } from '../../model/change.ts';
import type { PlaylistDiagram, PlaylistEntry } from '../../model/diagram.ts';
import { equal, isList, type Json } from '../../model/json.ts';
import { readEntry } from './model.ts';

/** Returns the diagram of the list; null if the change does not touch it, or its value is no list of canonical entries. */
export function diagram({ fields }: Change): PlaylistDiagram | null {
  const field = fields.find(({ path }) => path === '/playlist');
  if (!field) return null;
  const before = diagramEntries(field.before ?? []);
  const after = diagramEntries(field.after ?? []);
  return before && after && before.length + after.length > 0 ? { type: 'playlist', field, before, after } : null;
}

/** Reads a list of entries; undefined if the value is something else. */
function diagramEntries(value: Json): readonly PlaylistEntry[] | undefined {
  const entries = isList(value) ? value.map(diagramEntry) : [undefined];
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function diagramEntry(value: Json): PlaylistEntry | undefined {
  const entry = readEntry(value);
  if (!entry || !equal(entry, value)) return undefined;
  return 'beam' in entry ? { type: 'beam', label: entry.beam.id } : { type: 'ad', label: `${entry.ad.dur} s`, seconds: entry.ad.dur };
}
