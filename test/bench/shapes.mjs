// @ts-check
// What a branch can bring to make a small configuration expensive: shapes of sources that grow with a size in KiB.
// Each takes the same part of the size for both of its factors, so that what they make grows with the square, until the budget ends it.

const A = '10c5467d77c54dc4b739db2cd832143a';

/** @param {number} count @param {(index: number) => string} line */
const many = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('');

/** A list of entries that takes this many bytes or a little less. @param {number} bytes */
const entries = (bytes) => many(bytes / 10, () => '{ ad: 9 },');

/** Rows that take this many bytes or a little less. @param {number} bytes */
const rows = (bytes) => `id\n${many(bytes / 8, (index) => `k${index}\n`)}`;

/** @param {number} index */
const word = (index) => index.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));

/** @param {string} fields @param {number} bytes */
const playlists = (fields, bytes) => `playlists:\n${many(bytes / (fields.length + 12), (index) => `  p${index}: ${fields}\n`)}`;

/**
 * The sources of each shape at a size in KiB, by file name.
 * @type {{ readonly [name: string]: (kib: number) => { readonly [file: string]: string } }}
 */
export const SHAPES = {
  'rows of a table times the entries of a template': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}", playlist: [${entries(kib * 512)}] } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
    't.csv': rows(kib * 512),
  }),
  'rows of a table times the members of a template': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, drm_policy: { ${many(kib * 34, (index) => `m${index}: "\${id}",`)} } } }
drm_policies_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
    't.csv': rows(kib * 512),
  }),
  'tables times the rows of their file': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}" } } }
playlists_from: [ ${many((kib * 512) / 64, (index) => `{ file: t.csv, template: t, key: "a${index}-\${id}" }, `)} ]\n`,
    't.csv': rows(kib * 512),
  }),
  'rows with an error': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string, other: string }, playlist: { desc: "\${id}\${other}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
    't.csv': rows(kib * 1024),
  }),
  'columns times rows': (kib) => {
    const columns = Math.floor(Math.sqrt(kib * 1024));
    return {
      'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
      't.csv': `id,${many(columns, (index) => `,c${index}`).slice(1)}\n${many((kib * 1024) / columns, (index) => `k${index}${','.repeat(columns)}\n`)}`,
    };
  },
  'instances times the entries of a template': (kib) => ({
    'a.yaml': `templates: { t: { playlist: { playlist: [${entries(kib * 512)}] } } }\n${playlists('{ template: t }', kib * 512)}`,
  }),
  'playlists times the entries of their defaults': (kib) => ({
    'a.yaml': `defaults: { playlists: { playlist: [${entries(kib * 512)}] } }\n${playlists('{}', kib * 512)}`,
  }),
  'playlists times a list that they include': (kib) => ({
    'a.yaml': `entry_lists: { l: [${entries(kib * 512)}] }\n${playlists('{ playlist: [ { include: l } ] }', kib * 512)}`,
  }),
  'lists that include the next one twice': (kib) => ({
    'a.yaml': `entry_lists:\n${many((kib * 1024) / 56, (index) => `  l${index}: [ { include: l${index + 1} }, { include: l${index + 1} } ]\n`)}  l${Math.ceil((kib * 1024) / 56)}: [ { ad: 30 } ]\n`,
  }),
  'resources times the entries of `ignore_changes`': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}", playlist: [ { beam: ${A} } ] } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]
ignore_changes:\n${many((kib * 512) / 44, () => '  - { address: "*", fields: [/active] }\n')}`,
    't.csv': rows(kib * 512),
  }),
  'misspelled names times names': (kib) => ({
    'a.yaml': `${playlists('{ playlist: [ { ad: 30 } ] }', kib * 256)}${many((kib * 256) / 44, (index) => `  z${index}: { playlist: [ { playlist: pz${word(index)} } ] }\n`)}ignore_changes:\n${many((kib * 512) / 56, (index) => `  - { address: playlist/x${index}, fields: [/active] }\n`)}`,
  }),
  'misspelled lists times lists': (kib) => ({
    'a.yaml': `entry_lists:\n${many((kib * 512) / 24, (index) => `  list${word(index)}: [ { ad: 30 } ]\n`)}${many(1, () => 'playlists:\n')}${many((kib * 512) / 48, (index) => `  p${index}: { playlist: [ { include: lisd${word(index)} } ] }\n`)}`,
  }),
  'names that are declared again': (kib) => ({
    'a.yaml': playlists('{ playlist: [ { ad: 30 } ] }', kib * 512),
    'b.yaml': playlists('{ playlist: [ { ad: 60 } ] }', kib * 512),
  }),
  'aliases of an anchor': (kib) => ({
    'a.yaml': `entry_lists: { l: &l [${entries(kib * 512)}] }\n${playlists('{ playlist: *l }', kib * 512)}`,
  }),
  'brackets in brackets': (kib) => ({ 'a.yaml': `playlists: ${'['.repeat(kib * 1024)}\n` }),
  'keys of rows that repeat a column': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "\${id}" } } }
playlists_from: [ { file: t.csv, template: t, key: "${many((kib * 512) / 5, () => '${id}')}" } ]\n`,
    't.csv': rows(kib * 512),
  }),
  'rows of a template that repeats a column': (kib) => ({
    'a.yaml': `templates: { t: { params: { id: string }, playlist: { desc: "${many((kib * 512) / 5, () => '${id}')}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
    't.csv': rows(kib * 512),
  }),
  'aliases of a long text': (kib) => ({
    'a.yaml': `entry_lists: { l: [ { ad: 30 } ] }\ndefaults: { playlists: { desc: &d "${'x'.repeat(kib * 512)}" } }\n${playlists('{ desc: *d }', kib * 512)}`,
  }),
  'fields of `ignore_changes` times resources': (kib) => ({
    'a.yaml': `${playlists(`{ playlist: [ { beam: ${A} } ] }`, kib * 512)}ignore_changes: [ { address: "*", fields: [ ${many((kib * 512) / 12, (index) => `/f${index}, `)} ] } ]\n`,
  }),
  'members that nobody knows': (kib) => ({
    'a.yaml': `playlists: { p: { ${many((kib * 1024) / 14, (index) => `actve${index}: 1, `)} } }\n`,
  }),
  'empty cells that the key needs': (kib) => {
    const columns = Math.floor(Math.sqrt(kib * 512));
    return {
      'a.yaml': `templates: { t: { params: { c0: string }, playlist: { desc: "\${c0}" } } }
playlists_from: [ { file: t.csv, template: t, key: "${many(columns, (index) => `\${c${index}}`)}" } ]\n`,
      't.csv': `${many(columns, (index) => `,c${index}`).slice(1)}\n${many((kib * 1024) / columns, () => `${','.repeat(columns - 1)}\n`)}`,
    };
  },
  'cells of another type': (kib) => {
    const columns = Math.floor(Math.sqrt(kib * 256));
    return {
      'a.yaml': `templates: { t: { params: { id: string, ${many(columns, (index) => `c${index}: integer, `)} }, playlist: { desc: "\${id}" } } }
playlists_from: [ { file: t.csv, template: t, key: "\${id}" } ]\n`,
      't.csv': `id${many(columns, (index) => `,c${index}`)}\n${many((kib * 512) / columns, (index) => `k${index}${',x'.repeat(columns)}\n`)}`,
    };
  },
  'instances times the parameters that they lack': (kib) => ({
    'a.yaml': `templates: { t: { params: { ${many((kib * 512) / 16, (index) => `p${index}: string, `)} }, playlist: { desc: "\${p0}" } } }
${playlists('{ template: t }', kib * 512)}`,
  }),
  'defaults of the parameters of templates': (kib) => ({
    'a.yaml': `templates:\n${many((kib * 1024) / 4096, (index) => `  t${index}: { params: { p: { type: string, default: "${many(1000, () => '${v}')}" } }, playlist: { desc: "\${p}" } }\n`)}`,
  }),
  // The next ones stay below every limit.
  'entries with a warning each': (kib) => ({
    'a.yaml': `entry_lists: { l: [ ${many(100, () => '{ ad: 9 }, ')} ] }\nplaylists:\n${many(kib * 9, (index) => `  ${'p'.repeat(60)}${index}: { playlist: [ { include: l } ] }\n`)}`,
  }),
  'defaults with errors, times policies': (kib) => ({
    'a.yaml': `defaults: { drm_policies: { widevine: { content_key_specs: [ ${many(100, () => '{ track_type: AUDIO }, ')} ] } } }
drm_policies:\n${many(kib * 9, (index) => `  ${'k'.repeat(90)}${index}: {}\n`)}`,
  }),
  'lists in the list of a template, times instances': (kib) => ({
    'a.yaml': `templates: { t: { params: { l: { type: entries } }, playlist: { desc: "x", playlist: [ ${many(50, () => '"${l}", ')} ] } } }
playlists:\n${many(kib, (index) => `  k${index}: { template: t, with: { l: [ ${many(18, () => `{ ad: 9 }, `)} ] } } # ${'x'.repeat(780)}\n`)}`,
  }),
};
