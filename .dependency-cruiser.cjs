/**
 * The arrows between the folders of src/ (docs/design.md, section 2): imports run downwards only, without a circle, and each
 * third-party package is imported in one file. `npm run check` reads this file.
 */
const { dependencies } = require('./package.json');

/** The stages of src/core/, and what each may import besides itself. The core imports nothing outside of src/core/. */
const CORE = {
  model: [],
  'api-client': ['model'],
  ledger: ['model'],
  windows: ['model'],
  'device-impact': ['model'],
  kinds: ['device-impact', 'api-client', 'model'],
  config: ['kinds', 'device-impact', 'windows', 'model'],
  state: ['config', 'kinds', 'model'],
  guards: ['state', 'config', 'kinds', 'model'],
  safety: ['state', 'config', 'kinds', 'model'],
  decide: ['state', 'model'],
  plan: ['decide', 'safety', 'guards', 'state', 'config', 'kinds', 'model'],
  apply: ['plan', 'decide', 'safety', 'state', 'config', 'kinds', 'model'],
  drift: ['apply', 'plan', 'state', 'config', 'kinds', 'model'],
  export: ['plan', 'state', 'config', 'kinds', 'model'],
  explain: ['plan', 'state', 'config', 'kinds', 'model'],
};

/** The rooms of src/app/, and what each may import of the others. A use case, a file directly in src/app/, may import all of them. */
const APP = {
  run: [],
  account: ['run'],
  history: ['account', 'run'],
  waits: ['history', 'account', 'run'],
  targets: ['history', 'account', 'run'],
  doctor: ['waits', 'targets', 'history', 'account', 'run'],
};

/** What is beside the core, and what each folder may import besides itself, as paths below src/. */
const SURROUNDINGS = {
  probe: ['core/kinds/probe(-answers)?\\.ts', 'core/kinds/[^/]+/probe\\.ts', 'core/api-client', 'core/model'],
  recording: ['core/kinds/recording\\.ts', 'core/kinds/[^/]+/recording\\.ts', 'core/api-client', 'core/model'],
  report: ['core/model', 'core/kinds/views\\.ts', 'core/kinds/[^/]+/views\\.ts', 'probe'],
  'integrations/code-hosts': ['report', 'core/api-client', 'core/model'],
  'integrations/notifications': ['report', 'core/api-client', 'core/model'],
  emulator: ['core/model', 'probe/probe-report\\.ts', 'recording/recording\\.ts'],
  app: ['core', 'report', 'probe', 'recording', 'integrations'],
  library: ['app', 'report', 'core/safety', 'core/api-client', 'core/model'],
  cli: ['app', 'report', 'probe', 'recording', 'integrations', 'emulator', 'core'],
  build: ['core/config'],
};

/**
 * What surroundings need of the kinds: a file of this name in the folder of a kind, and the files in kinds/ with its contract. Nothing else
 * in the core knows them.
 */
const OF_SURROUNDINGS = { views: 'views', recording: 'recording', probe: 'probe(-answers)?' };
const NAMES_OF_SURROUNDINGS = `(${Object.keys(OF_SURROUNDINGS).join('|')})`;
const CONTRACTS_OF_SURROUNDINGS = `(${Object.values(OF_SURROUNDINGS).join('|')})`;
const FILES_OF_SURROUNDINGS = `^src/core/kinds/([^/]+/${NAMES_OF_SURROUNDINGS}|${CONTRACTS_OF_SURROUNDINGS})\\.ts$`;

/** The only files that import each third-party package. A dependency that is not listed here may be imported nowhere. */
const IMPORTERS = {
  '@commander-js/extra-typings': 'src/cli/flags\\.ts',
  '@marcbachmann/cel-js': 'src/core/config/cel\\.js',
  ajv: 'src/(core/config/ajv\\.cjs|core/config/validator\\.ts|build/generate-validators\\.mjs)',
  croner: 'src/core/windows/cron\\.ts',
  'csv-parse': 'src/core/config/expand/csv\\.ts',
  diff: 'src/report/text/text-diff\\.ts',
  esbuild: 'src/build/.*',
  'js-yaml': 'src/core/config/yaml/js-yaml-nodes\\.ts',
  typescript: 'src/build/.*',
  'p-limit': 'src/core/api-client/concurrency\\.ts',
  pino: 'src/app/run/log\\.ts',
  undici: 'src/core/api-client/transport\\.ts',
  yaml: 'src/core/config/yaml/(syntax-nodes\\.ts|yaml\\.cjs)',
};
const NOWHERE = '(?!)';

/** Everything that the folder `path` below src/ may import: itself and `allowed`. */
const importsDownwards = (path, allowed) => ({
  name: `${path.replaceAll('/', '-')}-imports-downwards`,
  comment: `src/${path}/ imports ${allowed.join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: `^src/${path}/` },
  to: { path: '^src/', pathNot: `^src/(${[path, ...allowed].join('|')})(/|$)` },
});

const stages = Object.keys(CORE).join('|');

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
      from: {
        path: '^src/',
        pathNot: `^src/(${[`core/(${stages})`, `app/((${Object.keys(APP).join('|')})/)?[^/]+$`, ...Object.keys(SURROUNDINGS).filter((each) => each !== 'app')].join('|')})(/|$)`,
      },
      to: {},
    },
    {
      name: 'core-stands-alone',
      comment: 'src/core/ imports nothing outside of src/core/ but the schemas.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: '^src/', pathNot: '^src/core/' },
    },
    ...Object.entries(CORE).map(([stage, allowed]) =>
      importsDownwards(
        `core/${stage}`,
        allowed.map((each) => `core/${each}`),
      ),
    ),
    ...Object.entries(SURROUNDINGS).map(([folder, allowed]) => importsDownwards(folder, allowed)),
    ...Object.entries(APP).map(([room, allowed]) => ({
      name: `app-${room}-imports-downwards`,
      comment: `src/app/${room}/ imports ${allowed.join(', ') || 'no other room'} of src/app/.`,
      severity: 'error',
      from: { path: `^src/app/${room}/` },
      to: { path: '^src/app/', pathNot: `^src/app/(${[room, ...allowed].join('|')})/` },
    })),
    {
      name: 'kinds-apart',
      comment: 'A kind never imports another kind.',
      severity: 'error',
      from: { path: '^src/core/kinds/([^/]+)/' },
      to: { path: '^src/core/kinds/([^/]+)/', pathNot: '^src/core/kinds/$1/' },
    },
    {
      name: 'kinds-by-contract',
      comment: 'In the core, the kinds are known by their contract only: kinds/kind.ts.',
      severity: 'error',
      from: { path: '^src/core/(config|state|guards|safety|decide|plan|apply|drift|export|explain)/' },
      to: { path: '^src/core/kinds/', pathNot: '^src/core/kinds/kind\\.ts$' },
    },
    {
      name: 'core-without-surroundings',
      comment: `The core never imports what the kinds have for its surroundings: ${Object.keys(OF_SURROUNDINGS).join(', ')}.`,
      severity: 'error',
      from: { path: '^src/core/', pathNot: FILES_OF_SURROUNDINGS },
      to: { path: FILES_OF_SURROUNDINGS },
    },
    ...Object.entries(OF_SURROUNDINGS).map(([name, contract]) => ({
      name: `${name}-of-one-kind`,
      comment: `${name}.ts of a kind imports src/core/model, its contract kinds/${contract}.ts and its own kind only.`,
      severity: 'error',
      from: { path: `^src/core/kinds/([^/]+)/${name}\\.ts$` },
      to: {
        path: '^src/',
        pathNot: `^src/core/(model/|kinds/${contract}\\.ts$|kinds/$1/(?!${NAMES_OF_SURROUNDINGS}\\.ts$))`,
      },
    })),
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
    ...[...new Set([...Object.keys(dependencies), ...Object.keys(IMPORTERS)])].map((name) => ({
      name: `one-importer-of-${name.replaceAll('/', '-')}`,
      comment: `Package ${name} is imported by ${IMPORTERS[name] ?? 'no file; name its importer in .dependency-cruiser.cjs'} only.`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^${IMPORTERS[name] ?? NOWHERE}$` },
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
