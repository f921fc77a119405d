import { describe, expect, test } from 'vitest';
import { load } from './load.ts';

const ASSET = '10c5467d77c54dc4b739db2cd832143a';
const LIST = `playlist: [ { beam: ${ASSET} } ]`;

/** What each layer says of `beam_break_duration` and `repeat`, from the weakest to the strongest. */
const LAYERS = ['folder', 'file', 'template', 'own', 'overlay'] as const;
type LayerName = (typeof LAYERS)[number];

/** Loads a playlist for which these layers say `beam_break_duration: <index + 1>`. */
function withLayers(layers: readonly LayerName[]) {
  const value = (layer: LayerName) => (layers.includes(layer) ? `beam_break_duration: ${LAYERS.indexOf(layer) + 1}` : '');
  return load(
    {
      'base/a.yaml': `
defaults: { playlists: { ${value('file')} } }
templates: { t: { playlist: { ${LIST}, ${value('template')} } } }
playlists: { a: { template: t, ${value('own')} } }
`,
      'over/a.yaml': layers.includes('overlay') ? `playlists: { a: { ${value('overlay')} } }` : 'playlists: {}',
    },
    { sources: [{ path: 'base', defaults: layers.includes('folder') ? { playlists: { beam_break_duration: 1 } } : {} }, 'over'] },
  );
}

describe('precedence', () => {
  const subsets = Array.from({ length: 2 ** LAYERS.length }, (_, bits) => LAYERS.filter((_layer, index) => (bits >> index) % 2 === 1));

  test.each(subsets.map((layers) => [layers.join(' < ') || 'no layer', layers] as const))(
    'the strongest layer wins: %s',
    (_name, layers) => {
      const { fields, found } = withLayers(layers);
      expect(found).toEqual([]);
      const strongest = layers.at(-1);
      expect(fields['playlist/a']?.beam_break_duration).toBe(strongest === undefined ? 0 : LAYERS.indexOf(strongest) + 1);
    },
  );

  test.each(subsets.filter((layers) => layers.length > 0).map((layers) => [layers.join(' < '), layers] as const))(
    'a value is located in the layer that wins: %s',
    (_name, layers) => {
      const at = withLayers(layers).positionOf(['playlists', 'a', 'beam_break_duration']);
      const expected = {
        folder: 'upkeep.yaml:1',
        file: 'base/a.yaml:2',
        template: 'base/a.yaml:3',
        own: 'base/a.yaml:4',
        overlay: 'over/a.yaml:1',
      };
      expect(`${at.file}:${at.line}`).toBe(expected[layers.at(-1) ?? 'own']);
    },
  );

  test('defaults do not apply to a resource that an earlier source declares', () => {
    const { fields, found } = load(
      {
        'base.yaml': `playlists: { a: { ${LIST} } }`,
        'over.yaml': `defaults: { playlists: { repeat: 7 } }\nplaylists: { a: { desc: A }, b: { ${LIST.replace(ASSET, `7${ASSET.slice(1)}`)} } }`,
      },
      { sources: ['base.yaml', { path: 'over.yaml', defaults: { playlists: { active: 0 } } }] },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/a']).toMatchObject({ desc: 'A', repeat: 0, active: 1 });
    expect(fields['playlist/b']).toMatchObject({ repeat: 7, active: 0 });
  });

  test('defaults of one file do not apply to the resources of another', () => {
    const { fields } = load({
      'config/a.yaml': `defaults: { playlists: { repeat: 7 } }\nplaylists: { a: { ${LIST} } }`,
      'config/b.yaml': `playlists: { b: { desc: B, ${LIST.replace(ASSET, `7${ASSET.slice(1)}`)} } }`,
    });
    expect([fields['playlist/a']?.repeat, fields['playlist/b']?.repeat]).toEqual([7, 0]);
  });

  test('defaults apply again to a resource that an overlay removed and a later source declares anew', () => {
    const { fields, found } = load(
      {
        'a.yaml': `playlists: { a: { ${LIST} } }`,
        'b.yaml': 'playlists: { a: null }',
        'c.yaml': `defaults: { playlists: { repeat: 7 } }\nplaylists: { a: { ${LIST} } }`,
      },
      { sources: ['a.yaml', 'b.yaml', 'c.yaml'] },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/a']?.repeat).toBe(7);
  });

  test('null in the own fields removes what a default or a template says', () => {
    const { fields, found } = load({
      'config/a.yaml': `
defaults: { playlists: { repeat: 7 } }
templates: { t: { playlist: { ${LIST}, active: 0 } } }
playlists: { a: { template: t, repeat: null, active: null } }
`,
    });
    expect(found).toEqual([]);
    expect(fields['playlist/a']).toMatchObject({ repeat: 0, active: 1 });
  });

  test('null in the own fields is an error where nothing says the value', () => {
    const { found } = load({
      'config/a.yaml': `templates: { t: { playlist: { ${LIST} } } }\nplaylists: { a: { template: t, repeat: null } }`,
    });
    expect(found).toEqual([
      'config/a.yaml:2:40 null `repeat` has no value, and no earlier source, template or default has one that null could remove',
    ]);
  });

  test('maps merge by key, and everything else is replaced, at every level', () => {
    const { merged, found } = load({
      'config/a.yaml': `
defaults: { drm_policies: { fairplay: { lease: true, sd: { allow_airplay: false } } } }
templates:
  p:
    drm_policy: { fairplay: { lease: false, key_duration_seconds: 60, hd: { allow_airplay: true } } }
drm_policies: { gold: { template: p, fairplay: { key_duration_seconds: 30 } } }
`,
    });
    expect(found).toEqual([]);
    expect(merged.drm_policies).toEqual({
      gold: { fairplay: { lease: false, key_duration_seconds: 30, sd: { allow_airplay: false }, hd: { allow_airplay: true } } },
    });
  });

  test('two defaults of one section in one file are an error', () => {
    const { found } = load({ 'config/a.yaml': 'defaults: { playlists: { repeat: 1 } }\n---\ndefaults: { playlists: { repeat: 2 } }\n' });
    expect(found).toEqual(['config/a.yaml:3:24 duplicate-key `defaults` of playlists is written twice in this file']);
  });

  test('a wrong default is reported where it is written, once', () => {
    const { found } = load(
      { 'config/a.yaml': `playlists: { a: { ${LIST} }, b: { ${LIST.replace(ASSET, `7${ASSET.slice(1)}`)} } }` },
      { sources: [{ path: 'config', defaults: { playlists: { active: 3 } } }] },
    );
    expect(found.map((each) => each.replace(/:\d+ /, ' '))).toEqual([expect.stringMatching(/^upkeep\.yaml:1 invalid-value /)]);
  });
});
