import { describe, expect, test } from 'vitest';
import { changedBack, type Declared } from '../../../src/app/waits/changed-back.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';

const declared = (fields: { readonly [address: string]: JsonObject }): Declared => new Map(Object.entries(fields));

describe('what an earlier target has changed back', () => {
  test('is a value that it and the later target have, and the next commit has another one', () => {
    const [last, next] = [declared({ a: { x: 1, y: 1 } }), declared({ a: { x: 2, y: 2 } })];
    expect(changedBack({ last, now: declared({ a: { x: 1, y: 2 } }), next })).toEqual([{ address: 'a', fields: ['/x'] }]);
  });

  test('is not a value that it has changed to a third one, nor one that the next commit leaves', () => {
    const [last, next] = [declared({ a: { x: 1, y: 1 } }), declared({ a: { x: 2, y: 1 } })];
    expect(changedBack({ last, now: declared({ a: { x: 3, y: 1 } }), next })).toEqual([]);
  });

  test('is a resource that it lacks again, and one that it has again', () => {
    const one = declared({ a: { x: 1 } });
    expect(changedBack({ last: declared({}), now: declared({}), next: one })).toEqual([{ address: 'a', fields: [] }]);
    expect(changedBack({ last: one, now: one, next: declared({}) })).toEqual([{ address: 'a', fields: [] }]);
  });

  test('is a member of an object by itself, and a list as a whole', () => {
    const last = declared({ a: { nested: { x: 1, y: 1 }, list: [1] } });
    const next = declared({ a: { nested: { x: 2, y: 2 }, list: [1, 2] } });
    expect(changedBack({ last, now: declared({ a: { nested: { x: 1, y: 2 }, list: [1] } }), next })).toEqual([
      { address: 'a', fields: ['/list', '/nested/x'] },
    ]);
  });

  test('is not a value that lies below one that it has replaced', () => {
    const last = declared({ a: { value: 1 } });
    const next = declared({ a: { value: { x: 1 } } });
    expect(changedBack({ last, now: declared({ a: { value: 2 } }), next })).toEqual([]);
  });
});
