import { describe, expect, test } from 'vitest';
import { documentedFields, nearestFields, rootField } from '../../../src/core/explain/field-docs.ts';
import type { JsonSchema } from '../../../src/core/explain/json-schema.ts';
import type { FieldExplanation } from '../../../src/core/model/explanation.ts';

/** What is said of a field of which the schema says nothing. */
const BLANK = { schemaVersion: 1, file: 'source file', description: '', type: 'map', values: [], examples: [], rules: [], members: [] };

function explained(schema: JsonSchema): { readonly [path: string]: FieldExplanation } {
  return Object.fromEntries(documentedFields({ file: 'source file', schema }));
}

/** A form that a schema takes where something else holds; written out, it would look like a promise to the linter. */
function form(shape: JsonSchema): { readonly then?: JsonSchema } {
  return Object.fromEntries([['then', shape]]);
}

/** Paths with the section of each. */
function sections(schema: JsonSchema): { readonly [path: string]: string | undefined } {
  return Object.fromEntries(Object.entries(explained(schema)).map(([path, { section }]) => [path, section]));
}

describe('a field', () => {
  test('is told by what its schema says, and nothing else', () => {
    const width: JsonSchema = { description: 'In seconds.', type: 'integer', minimum: 1, default: 0, enum: [0, 2], examples: [2] };
    expect(explained({ required: ['width'], properties: { width, height: {}, depth: { const: 0 } } })).toStrictEqual({
      width: {
        ...BLANK,
        field: 'width',
        description: 'In seconds.',
        type: 'whole number',
        unit: 'seconds',
        default: 0,
        values: [0, 2],
        examples: [2],
        rules: ['must be written', 'at least 1'],
      },
      height: { ...BLANK, field: 'height' },
      depth: { ...BLANK, field: 'depth', type: 'whole number', values: [0] },
    });
  });

  test('of a list is told with its items: their values, examples and bounds', () => {
    const items: JsonSchema = { type: 'string', enum: ['a', 'b'], examples: ['b'], maxLength: 1, description: 'One of them.' };
    expect(explained({ properties: { tags: { description: 'All of them.', maxItems: 2, items } } })).toEqual({
      tags: {
        ...BLANK,
        field: 'tags',
        description: 'All of them.',
        type: 'list of text',
        values: ['a', 'b'],
        examples: ['b'],
        rules: ['at most 2 in the list', 'each at most 1 characters'],
      },
    });
  });

  test('has its own values and examples before those of its items', () => {
    const items: JsonSchema = { enum: [1, 2], examples: [1] };
    const properties = { some: { items, enum: [[1]], examples: [[1, 2]] }, none: { items, const: false } };
    const { some, none } = explained({ properties });
    expect([some?.values, some?.examples]).toEqual([[[1]], [[1, 2]]]);
    expect([none?.values, none?.examples]).toEqual([[false], [1]]);
  });

  test('of a map is told with its members, whose names are no part of a path', () => {
    const shelf: JsonSchema = { required: ['width'], properties: { width: { type: 'integer' }, wood: { description: 'What it is of.' } } };
    expect(explained({ properties: { shelves: { additionalProperties: shelf, propertyNames: { pattern: '^a' } } } })).toEqual({
      shelves: {
        ...BLANK,
        field: 'shelves',
        type: 'map by name',
        rules: ['names match ^a'],
        members: [
          { key: 'width', description: '' },
          { key: 'wood', description: 'What it is of.' },
        ],
      },
      'shelves.width': { ...BLANK, field: 'shelves.width', type: 'whole number', rules: ['must be written'] },
      'shelves.wood': { ...BLANK, field: 'shelves.wood', description: 'What it is of.' },
    });
  });

  test('of several forms has the members of each form', () => {
    const definitions = { address: { required: ['git'], properties: { git: { type: 'string' } } } };
    const forms: JsonSchema = { anyOf: [{ type: 'string' }, { $ref: '#/definitions/address' }] };
    const documented = explained({ definitions, properties: { ledger: forms, rules: { additionalProperties: forms } } });
    expect(Object.values(documented).map(({ field, type, rules }) => [field, type, rules])).toEqual([
      ['ledger', 'text or map', []],
      ['ledger.git', 'text', []],
      ['rules', 'map of text or map, by name', []],
      ['rules.git', 'text', []],
    ]);
    expect(documented.ledger?.members).toEqual([{ key: 'git', description: '' }]);
  });

  test('is no member of what allows others beside its own', () => {
    const room: JsonSchema = { properties: { door: {} }, additionalProperties: { properties: { chair: {} } } };
    expect(Object.keys(explained({ properties: { room, hall: { ...room, additionalProperties: true } } }))).toEqual([
      'room',
      'room.door',
      'hall',
      'hall.door',
    ]);
    expect(Object.keys(explained({ properties: { open: { additionalProperties: true } } }))).toEqual(['open']);
  });

  test('is followed behind references, and what stands beside one wins', () => {
    const definitions = {
      size: { type: 'integer', description: 'A size.', minimum: 1 },
      shelf: { properties: { width: { $ref: '#/definitions/size', description: 'How wide.' } } },
    };
    const rooms: JsonSchema = { additionalProperties: { items: { $ref: '#/definitions/shelf' } } };
    expect(explained({ definitions, properties: { rooms } })).toEqual({
      rooms: {
        ...BLANK,
        field: 'rooms',
        type: 'map of list of map, by name',
        members: [{ key: 'width', description: 'How wide.' }],
      },
      'rooms.width': { ...BLANK, field: 'rooms.width', description: 'How wide.', type: 'whole number', rules: ['at least 1'] },
    });
  });

  test('behind a reference is described by it where a list of members names it', () => {
    const definitions = { size: { description: 'A size.' } };
    const { shelf } = explained({ definitions, properties: { shelf: { properties: { width: { $ref: '#/definitions/size' } } } } });
    expect(shelf?.members).toEqual([{ key: 'width', description: 'A size.' }]);
  });

  test.each([[undefined], [{ other: { type: 'string' } }]])('behind a reference to nothing has nothing told of it (%j)', (definitions) => {
    expect(explained({ ...(definitions && { definitions }), properties: { lost: { $ref: '#/definitions/size' } } })).toEqual({
      lost: { ...BLANK, field: 'lost' },
    });
  });

  test('of a form that depends on another is found where no form has it anyway', () => {
    const definitions = { specific: { properties: { ids: { type: 'array' }, scope: { type: 'string' } } } };
    const allOf = [form({ $ref: '#/definitions/specific' }), {}, form({ required: ['ids'] }), form({ properties: { hour: {} } })];
    const properties = { key: { properties: { scope: { enum: [1] } }, allOf }, bare: { allOf } };
    expect(Object.fromEntries(Object.entries(explained({ definitions, properties })).map(([path, { type }]) => [path, type]))).toEqual({
      key: 'map',
      'key.scope': 'whole number',
      'key.ids': 'list',
      'key.hour': 'map',
      bare: 'map',
      'bare.ids': 'list',
      'bare.scope': 'text',
      'bare.hour': 'map',
    });
  });

  test('takes the section of the nearest part that has one', () => {
    const shelf: JsonSchema = { $comment: 'see 2.1', properties: { width: {}, wood: { $comment: 'see 2.2', properties: { age: {} } } } };
    const other: JsonSchema = { $comment: 'see 3', additionalProperties: { properties: { width: {} } } };
    expect(sections({ properties: { shelves: { additionalProperties: shelf }, other, none: {} } })).toEqual({
      shelves: undefined,
      'shelves.width': '2.1',
      'shelves.wood': '2.2',
      'shelves.wood.age': '2.2',
      other: '3',
      'other.width': '3',
      none: undefined,
    });
  });

  test.each(['2.1', 'please see 2.1', 'see ', 'see 2.1\nand more'])('takes no section from the remark %j', ($comment) => {
    expect(explained({ properties: { width: { $comment } } })).toEqual({ width: { ...BLANK, field: 'width' } });
  });
});

describe('the file as a whole', () => {
  test('is told by its keys, and is no field', () => {
    const schema: JsonSchema = { $comment: 'see 1', description: 'All.', properties: { a: { description: 'One.' } }, required: ['a'] };
    const members = [{ key: 'a', description: 'One.' }];
    expect(rootField({ file: 'upkeep.yaml', schema })).toEqual({ ...BLANK, file: 'upkeep.yaml', field: '', description: 'All.', members });
    expect(Object.keys(explained(schema))).toEqual(['a']);
    expect(explained(schema).a).toMatchObject({ section: '1', file: 'source file' });
  });
});

const KNOWN = [
  'playlists',
  'playlists.repeat',
  'playlists.playlist',
  'playlists.playlist.ad',
  'playlists.playlist.ad.dur',
  'smart_starts',
  'smart_starts.repeat',
  'drm_policies',
  'drm_policies.fairplay',
  'drm_policies.fairplay.lease',
  'drm_policies.fairplay.rental_lease',
  'drm_policies.widevine.tracks',
  'drm_policies.widevine.tracks.hdcp',
  'moved.from',
];

describe('a path that nobody knows', () => {
  test.each<[why: string, wanted: string, meant: readonly string[]]>([
    ['holds a name', 'playlists.evening.repeat', ['playlists.repeat']],
    ['holds an index', 'playlists.playlist[0].ad[12].dur', ['playlists.playlist.ad.dur']],
    ['holds empty brackets', 'drm_policies.premium.widevine.tracks[]', ['drm_policies.widevine.tracks']],
    ['is written like an address', 'playlists/evening/repeat', ['playlists.repeat']],
    ['holds names that are keys elsewhere', 'playlists.repeat.playlist.ad.dur', ['playlists.playlist.ad.dur']],
    ['holds the last key twice', 'playlists.playlist.x.playlist', ['playlists.playlist']],
    ['lacks the first key', 'fairplay.lease', ['drm_policies.fairplay.lease']],
    ['is a last key', 'dur', ['playlists.playlist.ad.dur']],
    ['is the last key of several', 'repeat', ['playlists.repeat', 'smart_starts.repeat']],
    ['has the last key of several', 'smart_start.repeat', ['playlists.repeat', 'smart_starts.repeat']],
    ['has something before the keys', 'x.smart_starts.repeat', ['playlists.repeat', 'smart_starts.repeat']],
    ['has something behind the keys', 'playlists.repeat.something_else_entirely', []],
    ['is misspelt', 'drm_polices', ['drm_policies']],
    ['is misspelt in the middle', 'playlist.playlst.add', ['playlists.playlist.ad']],
    ['is a misspelt last key', 'hdcpp', ['drm_policies.widevine.tracks.hdcp']],
    ['has a misspelt last key', 'x.y.z.repeet[3]', ['playlists.repeat', 'smart_starts.repeat']],
    ['is nothing like any', 'qqqqqqqq', []],
    ['is empty', '', []],
  ])('%s: %s', (_why, wanted, meant) => {
    expect(nearestFields(wanted, KNOWN)).toEqual(meant);
  });

  test.each<[why: string, wanted: string, known: readonly string[], meant: readonly string[]]>([
    ['the longest that is left without names', 'a.b.x.c', ['a.c', 'a.b.c', 'a.x'], ['a.b.c']],
    ['none with a key that it lacks', 'a.x.c', ['a.b.c', 'a.c'], ['a.c']],
    ['the one that is left without indices', 'a.b[12].c', ['b.c', 'a.b.c'], ['a.b.c']],
    ['with an index, every field of this last key', 'hdcp[0]', ['hdcp', 'tracks.hdcp'], ['hdcp', 'tracks.hdcp']],
    ['before a field of the same last key, one that ends alike', 'ad.dur', ['dur', 'a.ad.dur', 'b.x.dur'], ['a.ad.dur']],
    ['before fields of a key like the last, one that is spelt alike as a whole', 'a.limts', ['b.limits', 'a.limits'], ['a.limits']],
    ['before a field that is spelt nearly so, one of the same last key', 'b.dur', ['a.dur', 'b.dua'], ['a.dur']],
  ])('means %s (%s)', (_why, wanted, known, meant) => {
    expect(nearestFields(wanted, known)).toEqual(meant);
  });

  test('suggests five fields at most', () => {
    const known = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => `${key}.width`);
    expect(nearestFields('width', known)).toEqual(known.slice(0, 5));
  });
});
