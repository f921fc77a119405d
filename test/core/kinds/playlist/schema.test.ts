import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import schema from '../../../../schemas/playlist.schema.json' with { type: 'json' };
import { ASSET_ID, INTEGER_FIELDS } from '../../../../src/core/kinds/playlist/model.ts';
import { isObject } from '../../../../src/core/model/json.ts';
import { id } from './fixtures.ts';

const validate = new Ajv({ allowUnionTypes: true, keywords: ['enumDescriptions'] }).compile(schema);

const evening = { playlist: [{ beam: { id: id(1) } }] };
const withEntry = (entry: unknown) => ({ playlists: { evening: { playlist: [entry] } } });

describe('the schema of playlists accepts', () => {
  test.each([
    ['long forms', withEntry({ beam: { id: id(1) } })],
    ['the name of an asset', withEntry({ beam: 'news-intro' })],
    ['a short ad', withEntry({ ad: 60 })],
    ['a long ad', withEntry({ ad: { dur: 60 } })],
    ['booleans as switches', { playlists: { evening: { ...evening, active: false, skip_drm: true } } }],
    [
      'all settings',
      {
        playlists: {
          evening: { ...evening, desc: 'x', active: 1, ad_slate_fill: 0, beam_break_duration: 30, repeat: -1, studio_drm_required: 1 },
        },
      },
    ],
    ['a group with a list', { smart_starts: { vod: { assets: [id(1), 'news-intro'], desc: '' } } }],
    ['a group with a file', { smart_starts: { vod: { assets_file: 'vod.txt' } } }],
    ['an `assets` section', { assets: { 'news-intro': { id: id(1), codec: 'HEVC', studio_drm: true } } }],
    ['empty sections', { playlists: {}, smart_starts: {}, assets: {} }],
  ])('accepts %s', (_name, value) => {
    expect(validate(value)).toBe(true);
  });
});

describe('the schema of playlists rejects', () => {
  test.each([
    ['an unknown key', { playlists: { evening: { ...evening, reapeat: 1 } } }],
    ["the service's own field", { playlists: { evening: { ...evening, profile: '' } } }],
    ['a playlist without a list', { playlists: { evening: {} } }],
    ['a key that begins with a dot', { playlists: { '.evening': evening } }],
    ['a key with a space', { smart_starts: { 'v o d': { assets: [] } } }],
    ['an ID that is a number', withEntry({ beam: { id: 777 } })],
    ['a short form that is a number', withEntry({ beam: 777 })],
    ['an ID with a space', withEntry({ beam: { id: 'a b' } })],
    ['an ID that walks up a path', withEntry({ beam: { id: '..' } })],
    ['an ID of two segments of a path', withEntry({ beam: { id: 'a/b' } })],
    ['an ID that some take for two segments', { smart_starts: { vod: { assets: ['a\\..\\b'] } } }],
    ['a listed asset with a line break', { smart_starts: { vod: { assets: ['a\nb'] } } }],
    ['a beam without an ID', withEntry({ beam: {} })],
    ['an ad of no time', withEntry({ ad: 0 })],
    ['a long ad of no time', withEntry({ ad: { dur: 0 } })],
    ['an ad of half a second', withEntry({ ad: 0.5 })],
    ['another kind of entry', withEntry({ slate: 1 })],
    ['a switch outside 0 and 1', { playlists: { evening: { ...evening, active: 2 } } }],
    ['a switch as text', { playlists: { evening: { ...evening, skip_drm: '1' } } }],
    ['a repeat below -1', { playlists: { evening: { ...evening, repeat: -2 } } }],
    ['a negative duration', { smart_starts: { vod: { assets: [], beam_break_duration: -1 } } }],
    ['an unknown codec', { assets: { intro: { id: id(1), codec: 'avc' } } }],
    ['an `assets` entry without ID', { assets: { intro: { codec: 'AVC' } } }],
    ['null', { playlists: { evening: null } }],
  ])('rejects %s', (_name, value) => {
    expect(validate(value)).toBe(false);
  });
});

describe('the schema of playlists', () => {
  test('agrees with the code on the form of an asset ID', () => {
    expect(schema.definitions.playlistAssetId.pattern).toBe(ASSET_ID.source);
    expect(schema.definitions.playlistAsset.pattern).toBe(ASSET_ID.source);
    expect(schema.definitions.playlistEntry.properties.beam.pattern).toBe(ASSET_ID.source);
  });

  test('agrees with the code on the settings and their defaults', () => {
    const { definitions } = schema;
    expect({
      active: definitions.playlistActive.default,
      ad_slate_fill: definitions.playlistAdSlateFill.default,
      beam_break_duration: definitions.playlistBeamBreakDuration.default,
      repeat: definitions.playlistRepeat.default,
      skip_drm: definitions.playlistSkipDrm.default,
      studio_drm_required: definitions.playlistStudioDrmRequired.default,
    }).toEqual(INTEGER_FIELDS);
  });

  test('describes every field', () => {
    const undescribed = fieldsIn(schema).filter(({ value }) => !('description' in value) && !('$ref' in value));
    expect(undescribed.map(({ name }) => name)).toEqual([]);
    expect(fieldsIn(schema.definitions).length).toBeGreaterThan(20);
  });
});

function fieldsIn(value: unknown): readonly { readonly name: string; readonly value: object }[] {
  if (!isObject(value)) return [];
  const properties = isObject(value.properties) ? Object.entries(value.properties) : [];
  const fields = properties.flatMap(([name, field]) => (isObject(field) ? [{ name, value: field }] : []));
  return [...fields, ...Object.values(value).flatMap(fieldsIn)];
}

test('the text about `desc` says how playlists that share one are told apart, as in the documentation', () => {
  const { description } = schema.definitions.playlist.properties.desc;
  expect(description).not.toContain('must be unique');
  expect(description).toContain('those that share one need `adopt` with the ID of each');
});
