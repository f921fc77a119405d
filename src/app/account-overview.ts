/** Builds the account at a glance from what was read of it. */
import type { Target } from '../config/project.ts';
import type { AccountExport } from '../export/export-account.ts';
import { isLiveObject, type Kind, type LiveResource } from '../kinds/kind.ts';
import type { AccountOverview, AccountPart, AccountRemark } from '../model/account-overview.ts';
import { stableJson } from '../model/json.ts';
import type { AskedDate, AssetTimes } from '../model/run-of-show.ts';
import type { KindRead } from '../plan/kind-state.ts';

/** One kind and its read. */
export type AccountRead = { readonly kind: Kind } & KindRead;

/** What is known of the assets of an account, and why less is known than there is. */
export interface KnownAssets {
  readonly times: ReadonlyMap<string, AssetTimes>;
  readonly unread: readonly string[];
}

/** Returns the IDs of the assets in an account, each once. */
export function assetsIn(reads: readonly AccountRead[]): readonly string[] {
  const ids = reads.flatMap(({ kind, result }) =>
    result.objects.flatMap(({ fields }) =>
      (kind.contentOf?.(fields).entries ?? []).flatMap((entry) => (entry.type === 'beam' ? entry.id : [])),
    ),
  );
  return [...new Set(ids)];
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
    parts: reads.flatMap(partOf),
    unread: reads.flatMap(({ kind, error }) => (error ? [{ kind: kind.name, reason: error.message, hint: error.advice }] : [])),
    remarks: reads.flatMap((read) => remarksOf(read, leftOut)),
    assets: Object.fromEntries(assets.times),
    assetsUnread: assets.unread,
  };
}

function partOf({ kind, result, error }: AccountRead): readonly AccountPart[] {
  const overview = error ? undefined : kind.overview?.(result.objects);
  const warnings = result.warnings.map(({ summary }) => summary);
  return overview ? [{ kind: kind.name, overview, warnings }] : [];
}

/** Returns what no configuration can declare, and the members that upkeep does not know, as the service shows them. */
function remarksOf({ kind, result: { objects } }: AccountRead, leftOut: AccountExport['leftOut']): readonly AccountRemark[] {
  const reasons = new Map(leftOut.map(({ address, reason }) => [address, reason]));
  const remark = (live: LiveResource, text: string): AccountRemark => ({ kind: kind.name, id: live.id, text });
  return objects.flatMap((live) => {
    const reason = reasons.get(kind.idAddress(live));
    const unknown = isLiveObject(live) ? live.unknownMembers : [];
    return [
      ...(reason === undefined ? [] : [remark(live, `cannot be declared: ${reason}`)]),
      ...unknown.map(({ path, value }) => remark(live, `unknown to upkeep: ${path} = ${stableJson(value)}`)),
    ];
  });
}
