import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteRequest } from '../../../src/core/kinds/kind.ts';
import type { Change } from '../../../src/core/model/change.ts';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { digestPart, plannedRequests, requestSequences } from '../../../src/core/plan/request-sequences.ts';
import { assertProperty } from '../../support/property.ts';

function item(address: string): { readonly change: Change } {
  const plain = {
    kind: 'song',
    name: '',
    action: 'create',
    origin: 'unknown',
    effect: 'neutral',
    playback: 'neutral',
    fields: [],
  } as const;
  return { change: { ...plain, address, phase: 'strengthen', wave: 0, digest: '', blocked: null } };
}

function bulk(asset: string, setting: number, limit = 2): WriteRequest {
  const body = { setting, assets: [asset] };
  return { method: 'POST', path: '/bulk', body, bulk: { member: 'assets', item: asset, limit }, repeatable: false };
}

const single: WriteRequest = { method: 'DELETE', path: '/songs/1', repeatable: false };

function drawn(writes: { readonly [address: string]: readonly WriteRequest[] }) {
  const items = Object.keys(writes).map(item);
  return plannedRequests(requestSequences(items, ({ change }) => writes[change.address] ?? []));
}

describe('batches', () => {
  it('merges bulk requests with equal settings up to their limit', () => {
    const requests = drawn({ a: [bulk('1', 0)], b: [bulk('2', 1)], c: [bulk('3', 0)], d: [bulk('4', 0)] });
    expect(requests).toEqual([
      { method: 'POST', path: '/bulk', body: { setting: 0, assets: ['1', '3'] }, addresses: ['a', 'c'] },
      { method: 'POST', path: '/bulk', body: { setting: 0, assets: ['4'] }, addresses: ['d'] },
      { method: 'POST', path: '/bulk', body: { setting: 1, assets: ['2'] }, addresses: ['b'] },
    ]);
  });

  it('keeps the requests of one change together and in order', () => {
    const second: WriteRequest = { ...single, path: '/songs/2' };
    const [batch] = requestSequences([item('a')], () => [single, second]);
    expect(batch?.requests).toEqual([single, second]);
  });

  it('does not merge a bulk request that another request follows', () => {
    const [first, other] = requestSequences([item('a'), item('b')], ({ change }) => [bulk(change.address, 0), single]);
    expect(first?.items.map(({ change }) => change.address)).toEqual(['a']);
    expect(other?.requests).toHaveLength(2);
  });

  it('keeps a change that needs no request', () => {
    expect(requestSequences([item('a')], () => []).map(({ items, requests: writes }) => [items.length, writes.length])).toEqual([[1, 0]]);
    expect(drawn({ a: [] })).toEqual([]);
  });

  it('covers every change exactly once', () => {
    const write = fc.oneof(
      fc.constant([single]),
      fc.constant([]),
      fc.tuple(fc.nat(9), fc.nat(1)).map(([asset, setting]) => [bulk(String(asset), setting, 3)]),
    );
    assertProperty(
      fc.property(fc.array(write, { maxLength: 20 }), (all) => {
        const items = all.map((_, index) => item(String(index)));
        const made = requestSequences(items, ({ change }) => all[Number(change.address)] ?? []);
        expect(made.flatMap((batch) => batch.items.map(({ change }) => Number(change.address))).sort((a, b) => a - b)).toEqual([
          ...all.keys(),
        ]);
        for (const { items: covered, requests: writes } of made) {
          const [merged] = writes;
          if (merged?.path === '/bulk' && isJsonObject(merged.body)) expect(merged.body.assets).toHaveLength(covered.length);
          expect(covered.length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});

describe('digestPart', () => {
  it('holds asset and settings of a bulk request, and not its limit', () => {
    expect(digestPart([bulk('1', 0, 2)])).toEqual(digestPart([bulk('1', 0, 50)]));
    expect(digestPart([bulk('1', 0)])).not.toEqual(digestPart([bulk('2', 0)]));
    expect(digestPart([bulk('1', 0)])).not.toEqual(digestPart([bulk('1', 1)]));
    expect(digestPart([single])).toEqual([{ method: 'DELETE', path: '/songs/1', body: null, item: null }]);
  });
});
