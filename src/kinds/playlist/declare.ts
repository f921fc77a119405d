/** What the user says: from the sections of the sources to desired playlists (design section 3). */
import type { DeclareContext, Sections } from '../kind.ts';
import { readAssetAliases } from './asset-aliases.ts';
import { declarePlaylists } from './playlists-section.ts';
import type { ClaimedNames, DeclaredSettings } from './shared-checks.ts';
import { declareSmartStarts } from './smart-starts-section.ts';

/** Desired resources of all sections, and what the schema cannot see. */
export function declare(sections: Sections, tools: DeclareContext): DeclaredSettings {
  const { catalogue, problems: findings } = readAssetAliases(sections.assets);
  const claims: ClaimedNames = new Map();
  const playlists = declarePlaylists(sections.playlists, catalogue, claims);
  const smartStarts = declareSmartStarts(sections.smart_starts, catalogue, claims, tools);
  return {
    resources: [...playlists.resources, ...smartStarts.resources],
    problems: [...findings, ...playlists.problems, ...smartStarts.problems],
  };
}
