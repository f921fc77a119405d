import { describe, expect, test } from 'vitest';
import { load } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';

describe('a variable', () => {
  test('that is the whole value gives its type, and text where the field takes text', () => {
    const { fields, found } = load(
      {
        'config/a.yaml': `playlists: { p: { desc: "\${year}", repeat: "\${repeat}", active: "\${live}", playlist: [ { beam: "\${asset}" } ] } }`,
      },
      { vars: { year: 2024, repeat: -1, live: false, asset: A } },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/p']).toMatchObject({ desc: '2024', repeat: -1, active: 0, playlist: [{ beam: { id: A } }] });
  });

  test('gives its text within a text, as it is written', () => {
    const project = (vars: string) => ({
      'upkeep.yaml': `version: 1\ntargets:\n  main:\n    base_url: https://services.example.com\n    credentials: { owner: { env: O }, api_key: { env: K } }\n    sources: [config]\n    vars: { ${vars} }\n`,
      'config/a.yaml': `playlists: { p: { desc: "\${version}", playlist: [ { beam: ${A} } ] }, q: { desc: "v\${version} \${live}", playlist: [ { beam: ${A} } ] } }`,
    });
    const { fields } = load(project('version: 1.10, live: true'));
    expect([fields['playlist/p']?.desc, fields['playlist/q']?.desc]).toEqual(['1.10', 'v1.10 true']);
  });

  test('of the wrong type is an error at the place where it stands', () => {
    const { found } = load(
      { 'config/a.yaml': `playlists: { p: { repeat: "\${x}", playlist: [ { beam: ${A} } ] } }` },
      { vars: { x: 'three' } },
    );
    expect(found).toEqual([expect.stringMatching(/^config\/a\.yaml:1:27 wrong-type `repeat` must be a whole number, not "three"/)]);
  });

  test('keeps an argument of a text parameter a text', () => {
    const { fields, found } = load(
      {
        'config/a.yaml': `
templates: { t: { params: { title: string }, playlist: { desc: "\${title}", playlist: [ { beam: ${A} } ] } } }
playlists: { p: { template: t, with: { title: "\${year}" } } }
`,
      },
      { vars: { year: 2024 } },
    );
    expect(found).toEqual([]);
    expect(fields['playlist/p']?.desc).toBe('2024');
  });

  test('gives its type in defaults of a folder, in tables and in policies', () => {
    const { merged, found } = load(
      { 'config/a.yaml': 'drm_policies: { a: { fairplay: { lease: "${lease}", key_duration_seconds: "${seconds}" } } }' },
      {
        vars: { lease: true, seconds: 60 },
        sources: [{ path: 'config', defaults: { drm_policies: { fairplay: { persistence: '${lease}' } } } }],
      },
    );
    expect(found).toEqual([]);
    expect(merged.drm_policies).toEqual({ a: { fairplay: { lease: true, key_duration_seconds: 60, persistence: true } } });
  });
});
