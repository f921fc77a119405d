/**
 * The arrows between the folders of src/ (docs/design.md, section 2): imports run downwards only, without a circle, and each
 * third-party package is imported in one file. `npm run check` reads this file.
 */

/** Everything below the use cases. */
const STAGES = [
  'drift', 'export', 'explain', 'apply', 'plan', 'safety', 'guards', 'state', 'config', 'kinds', 'device-impact', 'api-client', 'ledger',
  'probe', 'recording', 'code-hosts', 'notifications', 'report', 'model',
];

/** What each folder may import besides itself. A folder that is not listed here may not exist. */
const ALLOWED = {
  model: [],
  'api-client': ['model'],
  ledger: ['model'],
  probe: ['api-client', 'model'],
  recording: ['api-client', 'model'],
  'device-impact': ['model'],
  kinds: ['device-impact', 'api-client', 'model'],
  config: ['kinds', 'device-impact', 'model'],
  state: ['config', 'kinds', 'model'],
  guards: ['state', 'config', 'kinds', 'model'],
  safety: ['state', 'config', 'kinds', 'model'],
  plan: ['safety', 'guards', 'state', 'config', 'kinds', 'model'],
  apply: ['plan', 'safety', 'state', 'config', 'kinds', 'model'],
  drift: ['apply', 'plan', 'state', 'config', 'kinds', 'model'],
  export: ['plan', 'state', 'config', 'kinds', 'model'],
  explain: ['plan', 'state', 'config', 'kinds', 'model'],
  report: ['model'],
  'code-hosts': ['report', 'api-client', 'model'],
  notifications: ['report', 'api-client', 'model'],
  app: STAGES,
  cli: ['app', 'emulator', ...STAGES],
  library: ['app', 'safety', 'report', 'api-client', 'model'],
  emulator: ['model'],
  build: ['config'],
};

/** The only files that import each third-party package. */
const PACKAGES = {
  '@commander-js/extra-typings': 'src/cli/flags.ts',
  '@marcbachmann/cel-js': 'src/config/cel.js',
  ajv: 'src/(config/ajv\\.cjs|config/validator\\.ts|build/generate-validators\\.mjs)',
  diff: 'src/report/text/text-diff.ts',
  esbuild: 'src/build/.*',
  'js-yaml': 'src/config/yaml/js-yaml-events.ts',
  typescript: 'src/build/.*',
  'p-limit': 'src/api-client/concurrency.ts',
  pino: 'src/app/log.ts',
  undici: 'src/api-client/transport.ts',
  yaml: 'src/config/yaml/syntax-nodes.ts',
};

const folders = Object.keys(ALLOWED);

module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Files import one another in one direction only.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'known-folder',
      comment: 'Every file lies in one of the folders listed in .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${folders.join('|')})/` },
      to: {},
    },
    ...folders.map((folder) => ({
      name: `${folder}-imports-downwards`,
      comment: `src/${folder}/ imports ${ALLOWED[folder].join(', ') || 'no other folder'}.`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...ALLOWED[folder]].join('|')})/` },
    })),
    {
      name: 'kinds-apart',
      comment: 'A kind never imports another kind.',
      severity: 'error',
      from: { path: '^src/kinds/([^/]+)/' },
      to: { path: '^src/kinds/([^/]+)/', pathNot: '^src/kinds/$1/' },
    },
    {
      name: 'kinds-by-contract',
      comment: 'Below app/, the kinds are known by their contract only: kinds/kind.ts.',
      severity: 'error',
      from: { path: '^src/(config|state|guards|safety|plan|apply|drift|export|explain)/' },
      to: { path: '^src/kinds/', pathNot: '^src/kinds/kind\\.ts$' },
    },
    {
      name: 'emulated-kinds-by-contract',
      comment: 'The emulator knows its kinds by its own contract only; cli/ introduces them.',
      severity: 'error',
      from: { path: '^src/emulator/[^/]+$' },
      to: { path: '^src/emulator/kinds/' },
    },
    {
      name: 'emulated-kinds-apart',
      comment: "An emulated kind never reads the client's schemas: a double that shares the client's reading proves nothing.",
      severity: 'error',
      from: { path: '^src/emulator/' },
      to: { path: '^schemas/' },
    },
    {
      name: 'no-test-code',
      comment: 'Production code does not import tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    ...Object.entries(PACKAGES).map(([name, file]) => ({
      name: `one-importer-of-${name.replaceAll('/', '-')}`,
      comment: `Package ${name} is imported by ${file} only.`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^${file}$` },
      to: { path: `^node_modules/${name}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'precompiled-validators\\.cjs$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
