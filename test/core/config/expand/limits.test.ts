import { describe, expect, test } from 'vitest';
import { load } from './load.ts';

const A = '10c5467d77c54dc4b739db2cd832143a';

describe('a small file that would make very much', () => {
  test('tables of more than 100,000 rows make no more than 100,000 resources, and are an error', () => {
    const rows = Array.from({ length: 50_010 }, (_, index) => `k${index}\n`);
    const { findings, resources } = load({
      'config/a.yaml': `
templates: { t: { drm_policy: { fairplay: { lease: true } } } }
drm_policies_from: [ { file: t.csv, template: t, key: "a-\${id}" }, { file: t.csv, template: t, key: "b-\${id}" } ]
`,
      'config/t.csv': `id\n${rows.join('')}`,
    });
    expect(findings.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
      'too-large the tables of this target make more than 100000 resources',
    ]);
    expect(resources).toHaveLength(100_000);
  });

  test('an entry list that doubles sixty times is refused before it fills the memory', () => {
    const lists = Array.from({ length: 60 }, (_, index) => `  l${index}: [ { include: l${index + 1} }, { include: l${index + 1} } ]`);
    const { findings } = load({ 'config/a.yaml': `entry_lists:\n${lists.join('\n')}\n  l60: [ { ad: 30 } ]\n` });
    expect(findings.map(({ code }) => code)).toContain('too-large');
  });

  test('groups of one long list of assets make no more than 100,000 smart starts', () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => index.toString(16).padStart(32, '0'));
    const groups = Array.from({ length: 4 }, (_, index) => `  g${index}: { template: t }\n`);
    const { findings, resources } = load({
      'config/a.yaml': `templates: { t: { smart_start: { assets_file: ids.txt } } }\nsmart_starts:\n${groups.join('')}`,
      'config/ids.txt': ids.join('\n'),
    });
    expect(findings.map(({ code }) => code)).toContain('too-large');
    expect(resources.length).toBeLessThanOrEqual(100_000);
  });

  test('text that templates repeat is refused beyond 32 MiB', () => {
    const body = `"${'${x}x'.repeat(1_000)}"`;
    const instances = Array.from({ length: 50 }, (_, index) => `  p${index}: { template: t, with: { x: ${'y'.repeat(1_000)} } }`);
    const { findings } = load({
      'config/a.yaml': `templates: { t: { params: { x: string }, playlist: { desc: ${body}, playlist: [ { beam: ${A} } ] } } }\nplaylists:\n${instances.join('\n')}`,
    });
    expect(findings.map(({ code }) => code)).toContain('too-large');
  });
});
