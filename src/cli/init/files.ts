/** The initial files of a new project: small, commented, and valid. */
import type { CI_SYSTEMS } from '../flags.ts';
import { schemaModeline } from '../schema-modeline.ts';
import { recipeOf } from './recipes.ts';
import type { Release } from './release.ts';

/** A file of a new project; `name` is its path below the project's folder, with `/`. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** The answers from which the files are generated. */
export interface InitAnswers {
  readonly baseUrl: string;
  readonly target: string;
  readonly ledger: 'git' | 'none';
  readonly ci: (typeof CI_SYSTEMS)[number];
  /** Whether the sources are exported from the live account. */
  readonly fromLive: boolean;
  /** The release tarball that the CI recipe installs. */
  readonly release: Release;
}

/** The folder of the sources. */
export const SOURCES = 'config';

/** The file of the settings. */
export const PROJECT_FILE = 'upkeep.yaml';

/** The source of a new project, in which nothing is declared yet. */
export const SAMPLE = `${SOURCES}/account.yaml`;

/** Returns all files of a new project, upkeep.yaml first. */
export function filesOf(answers: InitAnswers): readonly NewFile[] {
  const { ci, target, release } = answers;
  return [
    { name: PROJECT_FILE, text: projectFile(answers) },
    ...(answers.fromLive ? [] : [{ name: SAMPLE, text: ACCOUNT }]),
    { name: '.vscode/extensions.json', text: EXTENSIONS },
    { name: '.gitignore', text: `${ignoredBy(ci).join('\n')}\n` },
    ...(ci === 'none' ? [] : [recipeOf(ci, { target, ...release })]),
  ];
}

/** Recommends the Visual Studio Code extension that reads the schema modelines; other editors include the same language server. */
const EXTENSIONS = `${JSON.stringify({ recommendations: ['redhat.vscode-yaml'] }, null, 2)}\n`;

/** Returns the .gitignore entries: local files of upkeep, packages, and what the jobs of a recipe write into the work tree. */
export function ignoredBy(ci: InitAnswers['ci']): readonly string[] {
  const always = ['.upkeep/', '.upkeep-release/', 'node_modules/'];
  return ci === 'none' ? always : [...always, ...WRITTEN_BY_JOBS];
}

/** The reports that jobs of the recipes write. */
const WRITTEN_BY_JOBS: readonly string[] = [
  '/plan.*',
  '/diff.*',
  '/outcome.*',
  '/drift.xml',
  '/validation.xml',
  '/gl-code-quality-report.json',
];

function projectFile({ baseUrl, target, ledger }: InitAnswers): string {
  return `${schemaModeline('configuration')}
# What each line means: upkeep explain targets.ownership (or any other field). To check the setup: upkeep doctor
version: 1

targets:
  ${target}:
    base_url: ${JSON.stringify(baseUrl)}
    credentials: # Only where the values are found, never the values themselves.
      owner: { env: UPKEEP_OWNER }
      api_key: { env: UPKEEP_API_KEY }
    sources: [${SOURCES}]

    # observe = plans are shown, and nothing is ever written. When you trust them: shared, which deletes only what upkeep itself applied.
    ownership: observe

    # git = each apply is recorded in refs/upkeep/* of the remote, so that drift is distinguished from unapplied merges.
    ledger: ${ledger}

    # branch: main # Only commits on this branch of the remote are applied: what was not merged and pushed waits.

    # protect: [drm-policy/premium, "playlist/main-*"] # Deleting, weakening or stopping these takes a reviewed edit of this list.
    # limits: { off_air: { count: 5, percent: 10 }, delete: { count: 5, percent: 30 } } # Beyond these, changes are blocked.
`;
}

const ACCOUNT = `${schemaModeline('source', '../')}
# Nothing here is managed yet: a kind that no file names is neither read nor touched. Uncomment what you want to keep in git,
# or write down what is there: remove this file, and run upkeep export --dir ${SOURCES}. Files of any name and number may lie in this folder.

# playlists:
#   evening-block:
#     desc: Evening block
#     repeat: -1 # without end
#     playlist:
#       - beam: 10c5467d77c54dc4b739db2cd832143a # an asset, by its ID
#       - ad: 90 # an ad break of 90 seconds
#       - beam: 7771125f336c4e229c20f7307f8c3122

# drm_policies:
#   premium:
#     widevine:
#       content_key_specs:
#         - track_type: ALL
#           security_level: 1

# vmp_reject_statuses: [PLATFORM_UNVERIFIED, PLATFORM_TAMPERED]

# static_key: { scope: none }

# key_rotation_schedule: { enabled: true, frequency: 1, unit: d, hour: 20 }
`;
