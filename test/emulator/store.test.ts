import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Collection } from '../../src/emulator/contract.ts';
import type { Store } from '../../src/emulator/store.ts';
import { openStore } from '../../src/emulator/store.ts';
import { assertProperty } from '../support/property.ts';
import { start, v4 } from './independent-client.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  file = join(folder, 'data.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function inTransaction<T>(store: Store, work: (collection: Collection) => T): T {
  return store.transact('owner', 'emulation', (collection) => work(collection('things')));
}

function content(store: Store) {
  return inTransaction(store, (things) => [...things.entries()]);
}

function put(store: Store, id: string, value: number): void {
  inTransaction(store, (things) => things.put(id, { value }));
}

type Operation = { readonly id: string; readonly value: number | null };
const operations = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', '__proto__'), value: fc.option(fc.integer(), { nil: null }) }), {
  maxLength: 12,
});

function perform(things: Collection, { id, value }: Operation): void {
  if (value === null) things.delete(id);
  else things.put(id, { value });
}

describe('a store in memory', () => {
  test('shows a transaction its own writes in order and in number, like a plain map', () => {
    assertProperty(
      fc.property(operations, operations, (before, during) => {
        const store = openStore();
        const model = new Map<string, object>();
        const applyToModel = ({ id, value }: Operation) => (value === null ? model.delete(id) : model.set(id, { value }));
        for (const operation of before) inTransaction(store, (things) => perform(things, operation));
        inTransaction(store, (things) => {
          for (const operation of during) perform(things, operation);
          for (const operation of [...before, ...during]) applyToModel(operation);
          expect(new Map(things.entries())).toEqual(model);
          expect(things.size).toBe(model.size);
          for (const id of ['a', 'b', 'c', '__proto__']) expect(things.get(id)).toEqual(model.get(id));
        });
        expect(new Map(content(store))).toEqual(model);
      }),
    );
  });

  test('discards the writes of work that throws', () => {
    const store = openStore();
    put(store, 'a', 1);
    const failing = () =>
      inTransaction(store, (things) => {
        things.delete('a');
        things.put('b', { value: 2 });
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(content(store)).toEqual([['a', { value: 1 }]]);
  });

  test('returns from delete whether there was a document', () => {
    const store = openStore();
    put(store, 'a', 1);
    expect(inTransaction(store, (things) => [things.delete('a'), things.delete('a'), things.delete('b')])).toEqual([true, false, false]);
  });

  test('separates accounts, emulated kinds and collections with any names', () => {
    const store = openStore();
    store.transact('a","b', 'c', (collection) => collection('d').put('x', {}));
    store.transact('a', 'b","c', (collection) => expect(collection('d').size).toBe(0));
    expect([store.hasAccount('a","b'), store.hasAccount('a')]).toEqual([true, false]);
  });

  test('applies an edit that replaces, merges or deletes', () => {
    const store = openStore();
    const place = { owner: 'owner', emulation: 'emulation', collection: 'things', id: 'a' };
    store.edit({ ...place, document: { x: 1, y: 1 } });
    store.edit({ ...place, merge: { y: 2 } });
    expect(content(store)).toEqual([['a', { x: 1, y: 2 }]]);
    store.edit({ ...place, document: null });
    expect(content(store)).toEqual([]);
  });

  test('does not create a document when an edit merges into a deleted one', () => {
    const store = openStore();
    store.edit({ owner: 'owner', emulation: 'emulation', collection: 'things', id: 'a', merge: { y: 2 } });
    expect(content(store)).toEqual([]);
  });
});

describe('a store on disk', () => {
  test('restores documents in their order after a close', () => {
    const first = openStore(file);
    for (const id of ['b', 'a', 'c']) put(first, id, 1);
    inTransaction(first, (things) => things.delete('a'));
    first.close();
    expect(content(openStore(file))).toEqual([
      ['b', { value: 1 }],
      ['c', { value: 1 }],
    ]);
  });

  test('restores acknowledged writes without a close', () => {
    assertProperty(
      fc.property(fc.array(operations, { maxLength: 6 }), (transactions) => {
        rmSync(file, { force: true });
        rmSync(`${file}.journal`, { force: true });
        const store = openStore(file);
        for (const transaction of transactions) {
          inTransaction(store, (things) => {
            for (const operation of transaction) perform(things, operation);
          });
        }
        const expected = content(store);
        expect(content(openStore(file))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('restores all complete lines if the last line of the journal is incomplete, and accepts writes again', () => {
    const store = openStore(file);
    put(store, 'a', 1);
    const complete = readFileSync(`${file}.journal`, 'utf8');
    put(store, 'b', 2);
    const lastLine = readFileSync(`${file}.journal`, 'utf8').slice(complete.length, -1);
    const snapshot = readFileSync(file);
    for (const length of [0, 1, 10, lastLine.length - 1, lastLine.length]) {
      writeFileSync(file, snapshot);
      writeFileSync(`${file}.journal`, complete + lastLine.slice(0, length));
      const reopened = openStore(file);
      expect(content(reopened)).toEqual([['a', { value: 1 }]]);
      put(reopened, 'c', 3);
      expect(content(openStore(file))).toEqual([
        ['a', { value: 1 }],
        ['c', { value: 3 }],
      ]);
    }
  });

  test('does not repeat writes after a crash between the snapshot and the emptying of the journal', () => {
    const store = openStore(file);
    put(store, 'a', 1);
    inTransaction(store, (things) => things.delete('a'));
    put(store, 'b', 2);
    put(store, 'a', 3);
    const journal = readFileSync(`${file}.journal`, 'utf8');
    store.close();
    expect(readFileSync(`${file}.journal`, 'utf8')).toBe('');
    writeFileSync(`${file}.journal`, journal);
    expect(content(openStore(file))).toEqual([
      ['b', { value: 2 }],
      ['a', { value: 3 }],
    ]);
  });

  test('writes nothing for reads', () => {
    const store = openStore(file);
    content(store);
    inTransaction(store, (things) => things.delete('missing'));
    expect(readFileSync(`${file}.journal`, 'utf8')).toBe('');
  });

  test.each(['', 'hello', '[]', '{"number":"1","writes":[]}', '{"number":1,"writes":[{"owner":"o"}]}', '{"number":1,"writes":[7]}'])(
    'rejects the snapshot %j',
    (text) => {
      writeFileSync(file, text);
      expect(() => openStore(file)).toThrow(`the data file cannot be used: ${file}`);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('rejects a damaged line before the last one and names its number', () => {
    put(openStore(file), 'a', 1);
    appendFileSync(`${file}.journal`, '{"number":\n');
    expect(() => openStore(file)).toThrow(/journal, line 2/);
  });
});

describe('the data file of an emulator', () => {
  const body = { desc: 'kept', playlist: [{ beam: { id: 'a' } }] };

  test('contains a write before its response, and a seed does not undo the write', async () => {
    const seed = { playlist: [{ id: 'one', playlist: [{ beam: { id: 'a' } }] }] };
    const emulator = await start({ dataFile: file, seed });
    await v4(emulator, 'DELETE', '/linear-playlist/one');
    const { json } = await v4(emulator, 'POST', '/linear-playlist', body);
    const restarted = await start({ dataFile: file, seed });
    const listed = await v4(restarted, 'GET', '/linear-playlist');
    expect(listed.json.items).toEqual([json]);
    await restarted.close();
    await emulator.close();
  });

  test('is not created for an invalid seed', async () => {
    await expect(start({ dataFile: file, seed: { playlist: [{ playlist: [] }, 5] } })).rejects.toThrow('seed: playlist: [1]');
    expect(existsSync(file)).toBe(false);
  });

  test('is complete if the emulator is closed twice at the same time', async () => {
    const emulator = await start({ dataFile: file });
    await v4(emulator, 'POST', '/linear-playlist', body);
    await Promise.all([emulator.close(), emulator.close()]);
    expect(readFileSync(file, 'utf8')).toContain('"kept"');
  });
});
