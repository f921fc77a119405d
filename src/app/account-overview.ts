/** Builds the account at a glance from what was read of it. */
import type { Target } from '../core/config/project.ts';
import type { AccountExport } from '../core/export/export-account.ts';
import type { ApiService, DesiredResource, Kind, LiveResource } from '../core/kinds/kind.ts';
import type { AccountOverview, AccountPart, AccountRemark } from '../core/model/account-overview.ts';
import { stableJson } from '../core/model/json.ts';
import { type AskedDate, assetIds } from '../core/model/run-of-show.ts';
import type { KindRead } from '../core/plan/kind-state.ts';
import { KIND_VIEWS } from '../report/kind-views.ts';
import { type KnownAssets, knownAssets } from './account/known-assets.ts';

/** One kind and its read. */
export type AccountRead = { readonly kind: Kind } & KindRead;

/**
 * Returns what is known of all assets in an account. `resources` are those of the configuration; `service` is null where it is not asked.
 */
export async function assetsOfAccount(
  reads: readonly AccountRead[],
  resources: readonly DesiredResource[],
  target: Pick<Target, 'service'>,
  service: ApiService | null,
): Promise<KnownAssets> {
  const known = await Promise.all(
    reads.flatMap(({ kind, result: { objects } }) => {
      const contentOf = KIND_VIEWS.get(kind.name)?.contentOf;
      return contentOf ? [knownAssets(kind, assetIds(objects.map(({ fields }) => contentOf(fields))), resources, target, service)] : [];
    }),
  );
  return { times: new Map(known.flatMap(({ times }) => [...times])), unread: known.flatMap(({ unread }) => unread) };
}

/** Builds the overview. `leftOut` are the live objects that no configuration can declare; `readAt` in Unix milliseconds. */
export function accountOverview(
  { name, baseUrl }: Pick<Target, 'name' | 'baseUrl'>,
  reads: readonly AccountRead[],
  leftOut: AccountExport['leftOut'],
  assets: KnownAssets,
  { readAt, at }: { readonly readAt: number; readonly at: AskedDate | null },
): AccountOverview {
  return {
    target: name,
    baseUrl,
    readAt,
    at,
    parts: reads.flatMap((read) => partOf(read, readAt)),
    unread: reads.flatMap(({ kind, error }) => (error ? [{ kind: kind.name, reason: error.message, hint: error.advice }] : [])),
    remarks: reads.flatMap((read) => remarksOf(read, leftOut)),
    assets: Object.fromEntries(assets.times),
    assetsUnread: assets.unread,
  };
}

function partOf({ kind, result, error }: AccountRead, now: number): readonly AccountPart[] {
  const overview = error ? undefined : KIND_VIEWS.get(kind.name)?.overview?.(result.objects, now);
  const warnings = [...result.warnings, ...(kind.timeWarnings?.(result.objects, now) ?? [])].map(({ summary }) => summary);
  return overview ? [{ kind: kind.name, overview, warnings }] : [];
}

/** Returns what no configuration can declare, and the members that upkeep does not know, as the service shows them. */
function remarksOf({ kind, result: { objects } }: AccountRead, leftOut: AccountExport['leftOut']): readonly AccountRemark[] {
  const reasons = new Map(leftOut.map(({ address, reason }) => [address, reason]));
  const remark = (live: LiveResource, text: string): AccountRemark => ({ kind: kind.name, id: live.id, text });
  return objects.flatMap((live) => {
    const reason = reasons.get(kind.idAddress(live));
    return [
      ...(reason === undefined ? [] : [remark(live, `cannot be declared: ${reason}`)]),
      ...live.unknownMembers.map(({ path, value }) => remark(live, `unknown to upkeep: ${path} = ${stableJson(value)}`)),
    ];
  });
}
