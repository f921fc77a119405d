import type { WriteRequest } from '../kinds/kind.ts';
import type { Change } from '../model/change.ts';
import { isJsonObject, type Json, type JsonObject, stableJson } from '../model/json.ts';
import type { PlannedRequest } from '../model/plan.ts';

/**
 * A sequence of requests, and the changes that they apply: usually one change, several only for a bulk request. The sequence is empty if
 * the change needs no request.
 */
export interface RequestSequence<Item> {
  readonly items: readonly Item[];
  /** In order; each is sent only if the one before it succeeded. */
  readonly requests: readonly WriteRequest[];
}

/**
 * Builds one sequence of requests for each of the changes, which may run concurrently. Merges bulk requests with equal settings, up to
 * their limit (playlist-api-v4 section 4.1).
 */
export function requestSequences<Item>(
  changes: readonly Item[],
  writesOf: (item: Item) => readonly WriteRequest[],
): readonly RequestSequence<Item>[] {
  const singles: RequestSequence<Item>[] = [];
  const bulks = new Map<
    string,
    { write: WriteRequest; bulk: NonNullable<WriteRequest['bulk']>; items: { change: Item; bulkItem: string }[] }
  >();
  for (const change of changes) {
    const writes = writesOf(change);
    const [write] = writes;
    if (!write?.bulk || writes.length > 1) singles.push({ items: [change], requests: writes });
    else {
      const key = bulkKey(write, write.bulk);
      const group = bulks.get(key) ?? { write, bulk: write.bulk, items: [] };
      group.items.push({ change, bulkItem: write.bulk.item });
      bulks.set(key, group);
    }
  }
  const merged = [...bulks.values()].flatMap(({ write, bulk, items }) =>
    chunks(items, bulk.limit).map((chunk) => ({
      items: chunk.map(({ change }) => change),
      requests: [
        mergedWrite(
          write,
          bulk.member,
          chunk.map(({ bulkItem }) => bulkItem),
        ),
      ],
    })),
  );
  return [...singles, ...merged];
}

/** Returns the requests as the plan document lists them. */
export function plannedRequests(all: readonly RequestSequence<{ readonly change: Change }>[]): readonly PlannedRequest[] {
  return all.flatMap(({ items, requests }) =>
    requests.map(({ method, path, body }) => ({ method, path, body: body ?? null, addresses: items.map((item) => item.change.address) })),
  );
}

/** Returns what the digest of a change contains of its requests. Of a bulk request, these are its own item and the shared settings. */
export function digestPart(writes: readonly WriteRequest[]): Json {
  return writes.map(({ method, path, body, bulk }) => ({ method, path, body: body ?? null, item: bulk?.item ?? null }));
}

function bulkKey({ method, path, body }: WriteRequest, { member, limit }: NonNullable<WriteRequest['bulk']>): string {
  return stableJson({ method, path, body: withoutMember(body, member), limit });
}

function mergedWrite({ bulk: _bulk, ...write }: WriteRequest, member: string, items: readonly string[]): WriteRequest {
  return { ...write, body: { ...withoutMember(write.body, member), [member]: items } };
}

function withoutMember(body: Json | undefined, member: string): JsonObject {
  const fields = isJsonObject(body) ? body : {};
  const { [member]: _dropped, ...rest } = fields;
  return rest;
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
