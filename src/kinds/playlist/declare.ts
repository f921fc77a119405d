/** Builds the desired playlists from the sections of the sources (design section 3). */
import type { DeclareResult, DeclareServices, Sections } from '../kind.ts';
import { readAssetAliases } from './asset-aliases.ts';
import { declarePlaylists } from './declare-playlists.ts';
import { declareSmartStarts } from './declare-smart-starts.ts';
import type { ClaimedAssets } from './validate.ts';

/** Returns the desired resources of all sections, and the findings that the schema cannot express. */
export function declare(sections: Sections, context: DeclareServices): DeclareResult {
  const { catalogue, findings } = readAssetAliases(sections.assets);
  const claimedAssets: ClaimedAssets = new Map();
  const playlists = declarePlaylists(sections.playlists, catalogue, claimedAssets);
  const smartStarts = declareSmartStarts(sections.smart_starts, catalogue, claimedAssets, context);
  return {
    resources: [...playlists.resources, ...smartStarts.resources],
    findings: [...findings, ...playlists.findings, ...smartStarts.findings],
  };
}
