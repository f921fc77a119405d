/** Builds the desired playlists from the sections of the sources (design section 3). */
import type { DeclareContext, Sections } from '../kind.ts';
import { readAssetAliases } from './asset-aliases.ts';
import { declarePlaylists } from './playlists-section.ts';
import type { ClaimedAssets, DeclaredSettings } from './shared-checks.ts';
import { declareSmartStarts } from './smart-starts-section.ts';

/** Returns the desired resources of all sections, and the findings that the schema cannot express. */
export function declare(sections: Sections, context: DeclareContext): DeclaredSettings {
  const { catalogue, findings } = readAssetAliases(sections.assets);
  const claimedAssets: ClaimedAssets = new Map();
  const playlists = declarePlaylists(sections.playlists, catalogue, claimedAssets);
  const smartStarts = declareSmartStarts(sections.smart_starts, catalogue, claimedAssets, context);
  return {
    resources: [...playlists.resources, ...smartStarts.resources],
    findings: [...findings, ...playlists.findings, ...smartStarts.findings],
  };
}
