import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LedgerEntry, parseLedgerEntry, writeEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import { rounds } from '../../support/figures.ts';
import { anyText, assertProperty } from '../../support/property.ts';
import { entry, git, isEntry, ledgerOf, lock, newClone } from './repositories.ts';

const check = (value: unknown): value is LedgerEntry => isEntry(value);

const text = anyText({ minLength: 1, maxLength: 12 });
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'playlist/a'));
const commit = fc.option(fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 }), { nil: null });
const id = text.filter((each) => !/^\.\.?$|\p{Surrogate}/u.test(each));
const bound = fc.record({ id, origin: fc.constantFrom('created' as const, 'adopted' as const) });

/** A map of which every name is a member of its own, `__proto__` included. */
function mapOf<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<{ [name: string]: Value }> {
  return fc.array(fc.tuple(name, value), { maxLength: 8 }).map((members) => Object.fromEntries(members));
}

const entries: fc.Arbitrary<LedgerEntry> = fc
  .record({
    by: text,
    where: text,
    verified: fc.boolean(),
    outcomes: fc.array(
      fc.record({ address: text, result: fc.constantFrom('failed' as const, 'updated' as const), error: text, tookMs: fc.nat() }),
    ),
    bindings: mapOf(bound),
    forgotten: fc.uniqueArray(text).map((ids) => ids.sort()),
    pendingSince: mapOf(commit),
  })
  .map(entry);

describe('writeEntry', () => {
  test('writes every entry so that readEntry returns the same entry', () => {
    assertProperty(
      fc.property(entries, (written) => {
        expect(parseLedgerEntry(writeEntry(written), check)).toEqual(written);
      }),
    );
  });

  test('writes the same text for every order of bindings and IDs', () => {
    assertProperty(
      fc.property(entries, (written) => {
        const turned = Object.fromEntries(Object.entries(written.bindings).reverse());
        expect(writeEntry({ ...written, bindings: turned, forgotten: [...written.forgotten].reverse() })).toBe(writeEntry(written));
      }),
    );
  });

  test('writes a line for each binding, outcome and ID, after the members that each have one', () => {
    const head = entry({ bindings: {}, outcomes: [], owner: null });
    const lines = (more: Partial<LedgerEntry>): readonly string[] => writeEntry({ ...head, ...more }).split('\n');
    const first = ['{', '"schemaVersion":1,', '"target":"production",', '"at":"2026-03-01T10:00:00.000Z",'];
    expect(lines({}).slice(0, 4)).toEqual(first);
    expect(lines({}).slice(-7)).toEqual([
      '"owner":null,',
      '"outcomes":[],',
      '"forgotten":[],',
      '"pendingSince":{},',
      '"bindings":{}',
      '}',
      '',
    ]);
    const outcome = { address: 'a', result: 'created' as const, tookMs: 1 };
    const full = lines({
      outcomes: [outcome, { ...outcome, address: 'b' }],
      forgotten: ['z', 'é', 'a'],
      pendingSince: { b: null, a: '1' },
      bindings: { b: { id: '2', origin: 'adopted' }, a: { id: '1', origin: 'created' } },
    });
    expect(full.slice(full.indexOf('"outcomes":['))).toEqual([
      '"outcomes":[',
      '{"address":"a","result":"created","tookMs":1},',
      '{"address":"b","result":"created","tookMs":1}',
      '],',
      '"forgotten":[',
      '"a",',
      '"z",',
      '"é"',
      '],',
      '"pendingSince":{',
      '"a":"1",',
      '"b":null',
      '},',
      '"bindings":{',
      '"a":{"id":"1","origin":"created"},',
      '"b":{"id":"2","origin":"adopted"}',
      '}',
      '}',
      '',
    ]);
  });

  test('adds one line for one more binding', () => {
    assertProperty(
      fc.property(entries, text, (written, id) => {
        const more = { ...written, bindings: { ...written.bindings, 'playlist/new': { id, origin: 'created' as const } } };
        const row = `"playlist/new":${JSON.stringify({ id, origin: 'created' })}`;
        const bare = (lines: string): string[] => lines.split('\n').map((line) => line.replace(/,$/, ''));
        const before = bare(writeEntry(written).replace('"bindings":{}', '"bindings":{\n}'));
        expect(bare(writeEntry(more)).filter((line) => line !== row)).toEqual(before);
      }),
    );
  });
});

test('an entry that could not be read again is not written, and one of the largest size is', () => {
  const maxBytes = 2 * 1024 * 1024;
  const rest = Buffer.byteLength(writeEntry(entry({ forgotten: ['x'] }))) - 1;
  const largest = entry({ forgotten: ['x'.repeat(maxBytes - rest)] });
  expect(parseLedgerEntry(writeEntry(largest, maxBytes), check, maxBytes).forgotten).toEqual(largest.forgotten);
  const larger = { ...largest, forgotten: [`${largest.forgotten[0]}x`] };
  expect(() => writeEntry(larger, maxBytes)).toThrow(LedgerError);
  expect(() => writeEntry(larger, maxBytes)).toThrow('takes 3 MiB, and an entry of the ledger holds 2 MiB');
  expect(() => parseLedgerEntry(writeEntry(larger), check, maxBytes)).toThrow('it is too large');
});

describe('parseLedgerEntry rejects', () => {
  test.each<[string, string, RegExp]>([
    ['an empty text', '', /not JSON/],
    ['half of an entry', writeEntry(entry()).slice(0, -20), /not JSON/],
    ['an HTML page', '<html>', /not JSON/],
    ['null', 'null', /form of an entry/],
    ['deeply nested JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /form of an entry|not JSON|nested too deep/],
    ['a binding without an ID', JSON.stringify({ ...entry(), bindings: { a: { origin: 'created' } } }), /form of an entry/],
    ...['', '.', '..', 'a\ud800b'].map((id): [string, string, RegExp] => [
      `the ID ${JSON.stringify(id)}, which cannot stand in a path`,
      JSON.stringify(entry({ bindings: { a: { id, origin: 'created' } } })),
      /form of an entry/,
    ]),
    ['a digest of another kind', JSON.stringify(entry({ owner: 'md5:0' })), /form of an entry/],
    ['a newer version of the format', JSON.stringify({ schemaVersion: 3, new: true }), /newer version/],
  ])('%s', (_what, hostile, message) => {
    expect(() => parseLedgerEntry(hostile, check)).toThrow(LedgerError);
    expect(() => parseLedgerEntry(hostile, check)).toThrow(message);
  });
});

test.each([
  ['{', 'it is not JSON', /^somebody else wrote it: see `git log` of the ref, and set the ref back/],
  ['['.repeat(300) + ']'.repeat(300), 'it is nested too deep', /^somebody else wrote it/],
  ['{"schemaVersion":3}', 'it was written by a newer version of upkeep', /^update upkeep$/],
  ['{"schemaVersion":1}', 'it does not have the form of an entry', /^somebody else wrote it/],
  ['{"schemaVersion":"2"}', 'it does not have the form of an entry', /^somebody else wrote it/],
  ['[{"schemaVersion":3}]', 'it does not have the form of an entry', /^somebody else wrote it/],
])('parseLedgerEntry says for %s that %s, and what to do', (hostile, message, hint) => {
  const error = expect.objectContaining({ name: 'LedgerError', message, hint: expect.stringMatching(hint) });
  expect(() => parseLedgerEntry(hostile, check)).toThrow(error);
});

test('an entry that is too large is reported with what to do, when it is written and when it is read', () => {
  const large = entry({ forgotten: ['x'.repeat(1024 * 1024)] });
  expect(() => writeEntry(large, 1024 * 1024)).toThrow(
    expect.objectContaining({
      message: 'the entry of this apply takes 2 MiB, and an entry of the ledger holds 1 MiB',
      hint: 'apply fewer changes at once (`--only`), or divide what the target manages among several targets',
    }),
  );
  const text = writeEntry(entry({ by: 'é' }));
  expect(parseLedgerEntry(text, check, Buffer.byteLength(text))).toEqual(entry({ by: 'é' }));
  expect(() => parseLedgerEntry(text, check, Buffer.byteLength(text) - 1)).toThrow('it is too large');
});

describe('the ledger of a large account', () => {
  const count = rounds(10_000, 100_000);
  const id = (seed: number): string =>
    (BigInt(seed) * 0x9e3779b97f4a7c15f39cc0605cedc834n + 0x2545f4914f6cdd1dn).toString(16).slice(-32).padStart(32, '0');
  const bindings = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`playlist/channel-${index}`, { id: id(index), origin: 'created' as const }]),
  );

  test(`stores ${count} bindings in one object of less than 100 bytes each, and grows by less than 4 KiB when an apply adds three`, async () => {
    const { at, url } = await newClone();
    const first = entry({ bindings });
    const size = Buffer.byteLength(writeEntry(first));
    const compressed = deflateSync(writeEntry(first)).length;
    expect(size).toBeLessThan(100 * count);
    expect(compressed).toBeLessThan(35 * count);
    const packed = (): number => {
      git(url, 'gc', '-q', '--prune=now');
      return Number(/size-pack: (\d+)/.exec(git(url, 'count-objects', '-v'))?.[1]);
    };
    let last = await (await lock(at)).pushEntry(first, null);
    const before = packed();
    for (let apply = 1; apply <= 3; apply++) {
      const more = Object.fromEntries(
        [1, 2, 3].map((each) => [`playlist/new-${apply}-${each}`, { id: id(count + 3 * apply + each), origin: 'created' as const }]),
      );
      last = await (await lock(at)).pushEntry(entry({ at: `2026-03-01T10:00:0${apply}.000Z`, bindings: { ...bindings, ...more } }), last);
    }
    const growth = (packed() - before) / 3;
    expect(growth).toBeLessThan(4);
    const found = await ledgerOf(at).latest();
    expect([found?.commit, Object.keys(found?.entry.bindings ?? {}).length]).toEqual([last, count + 3]);
  });
});
