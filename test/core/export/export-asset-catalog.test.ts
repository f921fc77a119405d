import { describe, expect, test } from 'vitest';
import { exportAssetCatalog } from '../../../src/core/export/export-asset-catalog.ts';
import type { ExportedFile } from '../../../src/core/export/source-files.ts';
import type { DesiredResource, Kind, ReferenceType } from '../../../src/core/kinds/kind.ts';
import { asStringArray } from '../../../src/core/model/json-readers.ts';
import { FakeAccount, jsonOf } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { aRule, aSingle, aSong, desiredStateOf, theDial } from '../../support/planning.ts';

/** Songs refer to what is in their lists; the shelf is where the account is asked for it, two at a time. */
const referenceLookup: ReferenceType = {
  name: 'records',
  noun: 'record',
  code: 'unknown-record',
  referencesIn: ({ fields, path }) => (asStringArray(fields.list) ?? []).map((id) => ({ id, path })),
  lookups: (ids, api) =>
    Array.from({ length: Math.ceil(ids.length / 2) }, (_, index) => ids.slice(index * 2, index * 2 + 2)).map((two) => ({
      ids: two,
      findExisting: async (service) => {
        const { body } = await service.send({ method: 'GET', path: `/${api}/shelf`, body: two, repeatable: true });
        return new Map(Object.entries(Object(body)).map(([id, name]) => [id, { name: String(name) }]));
      },
    })),
  buildCatalogSection: (ids, known) => ({
    section: 'shelf',
    comment: `${ids.length} records, ${known.size} of them with a name.`,
    value: Object.fromEntries(ids.map((id) => [known.get(id)?.name ?? id, { id }])),
    names: new Map(ids.map((id) => [id, known.get(id)?.name ?? id])),
  }),
};
const { buildCatalogSection: _catalog, ...nameless } = referenceLookup;
const asking: Kind = { ...song, referenceLookup };

/** The catalogs of an account whose service knows these names, and which IDs it was asked for. */
async function catalogs(
  resources: readonly DesiredResource[],
  names: { readonly [id: string]: string },
  { kinds = [asking], api = 'v2' }: { readonly kinds?: readonly Kind[]; readonly api?: 'v2' | 'v4' } = {},
) {
  const account = new FakeAccount();
  account.intercept(
    `GET /${api}/shelf`,
    ({ body }) => {
      const asked = asStringArray(jsonOf(body)) ?? [];
      return { body: Object.fromEntries(Object.entries(names).filter(([id]) => asked.includes(id))) };
    },
    99,
  );
  const exported: readonly ExportedFile[] = [{ name: 'songs.yaml', text: 'songs: {}\n' }];
  const read = (files: readonly ExportedFile[]) => desiredStateOf(files === exported ? resources : []);
  const { files, names: ownNames } = await exportAssetCatalog(exported, kinds, read, account, api);
  return { files, names: ownNames, asked: account.requests.map(({ body }) => body) };
}

describe('the catalog of an exported account', () => {
  test('names each ID that the resources mention, once and in order', async () => {
    const {
      files,
      names: own,
      asked,
    } = await catalogs([aSong('a', { list: ['u', 'x'] }), aSong('b', { list: ['w', 'u'] })], {
      u: 'Overture',
      w: 'Nocturne',
      x: 'Finale',
    });
    expect(files).toEqual([
      {
        name: 'shelf.yaml',
        text: '# 3 records, 3 of them with a name.\nshelf:\n  Overture:\n    id: u\n  Nocturne:\n    id: w\n  Finale:\n    id: x\n',
      },
    ]);
    expect(asked).toEqual([['u', 'w'], ['x']]);
    expect(own).toEqual(
      new Map([
        ['u', 'Overture'],
        ['w', 'Nocturne'],
        ['x', 'Finale'],
      ]),
    );
  });

  test('holds what the service does not know all the same, and says so in one line of comment', async () => {
    const { files } = await catalogs([aSong('a', { list: ['x', 'gone', 'odd\n##[id]'] })], { x: 'Overture' });
    expect(files[0]?.text.split('\n').slice(0, 5)).toEqual([
      '# 3 records, 1 of them with a name.',
      '# The service has no record gone.',
      '# The service has no record odd\\n\\u{23}#[id].',
      'shelf:',
      '  gone:',
    ]);
  });

  test('takes the names of the service for text without variables', async () => {
    const price = `costs $\{price}`;
    const { files } = await catalogs([aSong('a', { list: [price] })], {});
    expect(files[0]?.text).toContain(`id: costs $$\{price}\n`);
  });

  test('asks the service that the target says', async () => {
    const { files } = await catalogs([aSong('a', { list: ['x'] })], { x: 'Overture' }, { api: 'v4' });
    expect(files[0]?.text).toBe('# 1 records, 1 of them with a name.\nshelf:\n  Overture:\n    id: x\n');
  });

  test('is made for each kind of its own resources, whatever their addresses begin with', async () => {
    const catalog: ReferenceType['buildCatalogSection'] = (ids) => ({
      section: 'drawer',
      comment: 'Of rules.',
      value: { ids },
      names: new Map(),
    });
    const ruling: Kind = {
      ...rule,
      referenceLookup: {
        ...referenceLookup,
        referencesIn: ({ displayName, path }) => [{ id: displayName, path }],
        buildCatalogSection: catalog,
      },
    };
    const { files, asked } = await catalogs([aSingle('u'), aSong('a'), aRule('p'), theDial(true, ['s'])], {}, { kinds: [asking, ruling] });
    expect(files.map(({ name }) => name)).toEqual(['shelf.yaml', 'drawer.yaml']);
    expect(files[1]?.text).toBe('# Of rules.\n# The service has no record p.\ndrawer:\n  ids:\n    - p\n');
    expect(asked).toEqual([['u', 'x'], ['y'], ['p']]);
  });

  test.each<[string, readonly DesiredResource[], Kind]>([
    ['whose resources mention nothing', [aSong('a', { list: [] }), theDial(true, ['s'])], asking],
    ['without references', [aSong('a')], song],
    ['whose references have no names', [aSong('a')], { ...song, referenceLookup: nameless }],
    ['of which nothing is declared', [aSong('a')], { ...dial, referenceLookup }],
  ])('is none for a kind %s, and nothing is asked', async (_which, resources, kind) => {
    expect(await catalogs(resources, {}, { kinds: [kind] })).toEqual({ files: [], names: new Map(), asked: [] });
  });

  test('leaves out what could not be looked up, and names the look-up', async () => {
    const account = new FakeAccount();
    account.intercept('GET', () => ({ body: { x: 'Overture' } }));
    account.fail('GET', { category: 'rejected' });
    const read = () => desiredStateOf([aSong('a', { list: ['x', 'y', 'z'] })]);
    const { files, names, errors } = await exportAssetCatalog([], [asking], read, account, 'v2');
    expect(errors.map(({ what }) => what)).toEqual(['it was rejected']);
    expect([files.map(({ name }) => name), [...names.keys()]]).toEqual([['shelf.yaml'], ['x', 'y']]);
    expect(files[0]?.text).not.toContain('z');
    expect(account.requests).toHaveLength(2);
  });

  test('is none where nothing could be looked up', async () => {
    const account = new FakeAccount();
    account.fail('GET', { category: 'credentials' });
    const { files, names, errors } = await exportAssetCatalog(
      [],
      [asking],
      () => desiredStateOf([aSong('a', { list: ['x'] })]),
      account,
      'v2',
    );
    expect([files, names, errors.length]).toEqual([[], new Map(), 1]);
  });
});
