/** What the user says: from the sections of the sources to desired playlists (design section 3). */
import type { Sections, Tools } from '../kind.ts';
import { readCatalogue } from './catalogue.ts';
import type { Claims, Declared } from './declared.ts';
import { declarePlaylists } from './playlists.ts';
import { declareSmartStarts } from './smart-starts.ts';

/** Desired resources of all sections, and what the schema cannot see. */
export function declare(sections: Sections, tools: Tools): Declared {
  const { catalogue, problems } = readCatalogue(sections.assets);
  const claims: Claims = new Map();
  const playlists = declarePlaylists(sections.playlists, catalogue, claims);
  const smartStarts = declareSmartStarts(sections.smart_starts, catalogue, claims, tools);
  return {
    resources: [...playlists.resources, ...smartStarts.resources],
    problems: [...problems, ...playlists.problems, ...smartStarts.problems],
  };
}
