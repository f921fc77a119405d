import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Collection } from '../../src/emulator/contract.ts';
import type { Store } from '../../src/emulator/store.ts';
import { openStore } from '../../src/emulator/store.ts';
import { start, v4 } from './independent-client.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  file = join(folder, 'data.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function within<T>(store: Store, work: (collection: Collection) => T): T {
  return store.transact('owner', 'emulation', (collection) => work(collection('things')));
}

function content(store: Store) {
  return within(store, (things) => [...things.entries()]);
}

function put(store: Store, id: string, value: number): void {
  within(store, (things) => things.put(id, { value }));
}

type Step = { readonly id: string; readonly value: number | null };
const steps = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', '__proto__'), value: fc.option(fc.integer(), { nil: null }) }), {
  maxLength: 12,
});

function carryOut(things: Collection, { id, value }: Step): void {
  if (value === null) things.delete(id);
  else things.put(id, { value });
}

describe('in memory', () => {
  test('a transaction sees its own writes, in order and in number, as a plain map would', () => {
    fc.assert(
      fc.property(steps, steps, (before, during) => {
        const store = openStore();
        const model = new Map<string, object>();
        const follow = ({ id, value }: Step) => (value === null ? model.delete(id) : model.set(id, { value }));
        for (const step of before) within(store, (things) => carryOut(things, step));
        within(store, (things) => {
          for (const step of during) carryOut(things, step);
          for (const step of [...before, ...during]) follow(step);
          expect(new Map(things.entries())).toEqual(model);
          expect(things.size).toBe(model.size);
          for (const id of ['a', 'b', 'c', '__proto__']) expect(things.get(id)).toEqual(model.get(id));
        });
        expect(new Map(content(store))).toEqual(model);
      }),
    );
  });

  test('work that throws leaves no trace', () => {
    const store = openStore();
    put(store, 'a', 1);
    const failing = () =>
      within(store, (things) => {
        things.delete('a');
        things.put('b', { value: 2 });
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(content(store)).toEqual([['a', { value: 1 }]]);
  });

  test('delete says whether there was something', () => {
    const store = openStore();
    put(store, 'a', 1);
    expect(within(store, (things) => [things.delete('a'), things.delete('a'), things.delete('b')])).toEqual([true, false, false]);
  });

  test('accounts, emulations and collections are apart, whatever their names', () => {
    const store = openStore();
    store.transact('a","b', 'c', (collection) => collection('d').put('x', {}));
    store.transact('a', 'b","c', (collection) => expect(collection('d').size).toBe(0));
    expect([store.hasAccount('a","b'), store.hasAccount('a')]).toEqual([true, false]);
  });

  test('an edit replaces, merges or removes', () => {
    const store = openStore();
    const place = { owner: 'owner', emulation: 'emulation', collection: 'things', id: 'a' };
    store.edit({ ...place, document: { x: 1, y: 1 } });
    store.edit({ ...place, merge: { y: 2 } });
    expect(content(store)).toEqual([['a', { x: 1, y: 2 }]]);
    store.edit({ ...place, document: null });
    expect(content(store)).toEqual([]);
  });

  test('an edit of what is gone leaves no fragment of it', () => {
    const store = openStore();
    store.edit({ owner: 'owner', emulation: 'emulation', collection: 'things', id: 'a', merge: { y: 2 } });
    expect(content(store)).toEqual([]);
  });
});

describe('on disk', () => {
  test('what was closed is there again, in its order', () => {
    const first = openStore(file);
    for (const id of ['b', 'a', 'c']) put(first, id, 1);
    within(first, (things) => things.delete('a'));
    first.close();
    expect(content(openStore(file))).toEqual([
      ['b', { value: 1 }],
      ['c', { value: 1 }],
    ]);
  });

  test('what was acknowledged survives without a close', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 6 }), (transactions) => {
        rmSync(file, { force: true });
        rmSync(`${file}.journal`, { force: true });
        const killed = openStore(file);
        for (const transaction of transactions) {
          within(killed, (things) => {
            for (const step of transaction) carryOut(things, step);
          });
        }
        const expected = content(killed);
        expect(content(openStore(file))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('wherever the last line is torn, all before it survives and writing goes on', () => {
    const killed = openStore(file);
    put(killed, 'a', 1);
    const whole = readFileSync(`${file}.journal`, 'utf8');
    put(killed, 'b', 2);
    const torn = readFileSync(`${file}.journal`, 'utf8').slice(whole.length, -1);
    const snapshot = readFileSync(file);
    for (const length of [0, 1, 10, torn.length - 1, torn.length]) {
      writeFileSync(file, snapshot);
      writeFileSync(`${file}.journal`, whole + torn.slice(0, length));
      const revived = openStore(file);
      expect(content(revived)).toEqual([['a', { value: 1 }]]);
      put(revived, 'c', 3);
      expect(content(openStore(file))).toEqual([
        ['a', { value: 1 }],
        ['c', { value: 3 }],
      ]);
    }
  });

  test('a crash between snapshot and emptied journal does not write twice', () => {
    const store = openStore(file);
    put(store, 'a', 1);
    within(store, (things) => things.delete('a'));
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

  test('reads write nothing', () => {
    const store = openStore(file);
    content(store);
    within(store, (things) => things.delete('missing'));
    expect(readFileSync(`${file}.journal`, 'utf8')).toBe('');
  });

  test.each(['', 'hello', '[]', '{"number":"1","writes":[]}', '{"number":1,"writes":[{"owner":"o"}]}', '{"number":1,"writes":[7]}'])(
    'a snapshot %j is refused',
    (text) => {
      writeFileSync(file, text);
      expect(() => openStore(file)).toThrow(`the data file cannot be used: ${file}`);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('a damaged line in the middle is refused by its number', () => {
    put(openStore(file), 'a', 1);
    appendFileSync(`${file}.journal`, '{"number":\n');
    expect(() => openStore(file)).toThrow(/journal, line 2/);
  });
});

describe('through the emulator', () => {
  const body = { desc: 'kept', playlist: [{ beam: { id: 'a' } }] };

  test('an answered write is on disk before a close, and a seed does not undo it', async () => {
    const seed = { playlist: [{ id: 'one', playlist: [{ beam: { id: 'a' } }] }] };
    const emulator = await start({ dataFile: file, seed });
    await v4(emulator, 'DELETE', '/linear-playlist/one');
    const { json } = await v4(emulator, 'POST', '/linear-playlist', body);
    const revived = await start({ dataFile: file, seed });
    const listed = await v4(revived, 'GET', '/linear-playlist');
    expect(listed.json.items).toEqual([json]);
    await revived.close();
    await emulator.close();
  });

  test('a bad seed leaves no trace in the data file', async () => {
    await expect(start({ dataFile: file, seed: { playlist: [{ playlist: [] }, 5] } })).rejects.toThrow('seed: playlist: [1]');
    expect(existsSync(file)).toBe(false);
  });

  test('closing twice is closing once', async () => {
    const emulator = await start({ dataFile: file });
    await v4(emulator, 'POST', '/linear-playlist', body);
    await Promise.all([emulator.close(), emulator.close()]);
    expect(readFileSync(file, 'utf8')).toContain('"kept"');
  });
});
