/** Finds out what is known of assets: from the configuration, and from the service where it is asked. */
import type { Target } from '../../core/config/project.ts';
import { ApiError, type ApiService, type DesiredResource, type ExistingObject, type Kind } from '../../core/kinds/kind.ts';
import { isAddressOf } from '../../core/model/address.ts';
import type { AssetFacts } from '../../core/model/asset.ts';
import { type AssetTimes, assetTimes } from '../../core/model/run-of-show.ts';

/** What is known of assets, and why less is known than there is: a sentence for each look-up that failed. */
export interface KnownAssets {
  readonly times: ReadonlyMap<string, AssetTimes>;
  readonly unread: readonly string[];
}

/**
 * Returns what is known of the assets with these IDs, to which resources of a kind refer. `resources` are those of the configuration;
 * `service` is null where it is not asked. Look-ups that fail are reported, and the others count.
 */
export async function knownAssets(
  { referenceLookup, ...kind }: Kind,
  ids: readonly string[],
  resources: readonly DesiredResource[],
  { service: settings }: Pick<Target, 'service'>,
  service: ApiService | null,
): Promise<KnownAssets> {
  if (!referenceLookup?.factsOf) return { times: new Map(), unread: [] };
  const existing = new Map<string, ExistingObject>();
  const unread: string[] = [];
  const lookups = service ? referenceLookup.lookups(ids, settings.referenceApi) : [];
  await Promise.all(
    lookups.map(async ({ ids: asked, findExisting }) => {
      try {
        for (const [id, found] of service ? await findExisting(service) : []) existing.set(id, found);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        unread.push(`The service did not tell about ${asked.length} of ${ids.length} ${referenceLookup.name}: ${error.message}`);
      }
    }),
  );
  const own = resources.filter(({ address }) => isAddressOf(kind, address));
  const facts = referenceLookup.factsOf(ids, own, { existing, isRetainedFromCreation: settings.retentionFrom === 'created' });
  return { times: timesOfAssets(facts, { service: settings }), unread };
}

/** Returns what decides when assets play. */
export function timesOfAssets(
  facts: ReadonlyMap<string, AssetFacts>,
  { service: { assetReadyStates } }: Pick<Target, 'service'>,
): ReadonlyMap<string, AssetTimes> {
  const ready = new Set(assetReadyStates.map((state) => state.toLowerCase()));
  return new Map([...facts].map(([id, ofAsset]) => [id, assetTimes(ofAsset, ready)]));
}
