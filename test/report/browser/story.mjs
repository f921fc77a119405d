// Pull requests on the example account: the plan of each against the emulator, as the pictures of docs/reports.md and the browser tests show it.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../..', import.meta.url));
const program = join(top, 'dist/upkeep.js');
const OWNER = '05c6b23cccd0bbd8277201c7306d0e6c';
const API_KEY = 'demo-key-of-the-emulator';
/** Who runs it and where, in place of the user and the machine that draw the pictures. */
const RUN = {
  UPKEEP_ACTOR: 'mara',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'harbour-tv/account',
  GITHUB_REF: 'refs/pull/128/merge',
  GITHUB_RUN_ID: '4711',
};
const env = { ...process.env, ...RUN, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };

/** The forecast moves up to the morning news, and a trailer comes before the evening. */
const SCHEDULE = [
  ['      - beam: news-morning\n', '      - beam: news-morning\n      - beam: weather-national\n'],
  ['      - beam: news-midday\n      - beam: weather-national\n', '      - beam: news-midday\n'],
  ['      - ad: 60\n      - beam: news-evening\n', '      - beam: promo-autumn\n      - beam: news-evening\n'],
];

/** 4K goes to more devices, HD to fewer. */
const PREMIUM = [
  ['      uhd1:\n        hdcp_enforcement: 1\n', '      uhd1:\n        hdcp_enforcement: 0\n'],
  ['          security_level: 1 # HD plays in software too.', '          security_level: 3 # HD plays in software too.'],
  [
    '        - track_type: UHD1\n          security_level: 5\n          required_output_protection:\n            hdcp: HDCP_V2_2',
    '        - track_type: UHD1\n          security_level: 3\n          required_output_protection:\n            hdcp: HDCP_V2_1',
  ],
  ['      uhd1:\n        security_level: 3000\n', '      uhd1:\n        security_level: 2000\n'],
];

/** What each pull request edits, file by file: each text stands there once. `isApplied`: the files before it were applied already. */
const STORIES = {
  mixed: { isApplied: false, edits: { 'common/playlists.yaml': SCHEDULE, 'common/drm-policies.yaml': PREMIUM } },
  harmless: { isApplied: true, edits: { 'common/playlists.yaml': SCHEDULE.slice(0, 2) } },
  weakening: {
    isApplied: true,
    edits: {
      'common/playlists.yaml': SCHEDULE.slice(2),
      'common/drm-policies.yaml': PREMIUM,
      'common/protection.yaml': [['    - studio-a\n', '    - studio-a\n    - studio-c\n']],
    },
  },
  outage: {
    isApplied: true,
    edits: {
      'common/protection.yaml': [
        ['  - PLATFORM_TAMPERED\n', '  - PLATFORM_TAMPERED\n  - PLATFORM_HARDWARE_VERIFIED\n  - PLATFORM_SOFTWARE_VERIFIED\n'],
      ],
      'common/playlists.yaml': [
        ['  news-loop:\n', '  news-loop:\n    active: 0\n'],
        ['  kids-saturday:\n', '  kids-saturday:\n    active: 0\n'],
        ['  sports-highlights:\n', '  sports-highlights:\n    active: 0\n'],
        ['  morning-magazine:\n', '  morning-magazine:\n    active: 0\n'],
      ],
    },
  },
};

function edited(text, edits, file) {
  return edits.reduce((so, [from, to]) => {
    if (so.split(from).length !== 2) throw new Error(`${file} does not hold this once: ${from}`);
    return so.replace(from, () => to);
  }, text);
}

/** Writes the example; its targets point at `url`. */
function writeProject(folder, url) {
  cpSync(join(top, 'examples/streaming-account'), folder, { recursive: true });
  const project = join(folder, 'upkeep.yaml');
  writeFileSync(project, readFileSync(project, 'utf8').replaceAll(/(base_url:) \S+/g, `$1 ${url}`));
}

function editProject(folder, edits) {
  for (const [name, each] of Object.entries(edits)) {
    const file = join(folder, 'config', name);
    writeFileSync(file, edited(readFileSync(file, 'utf8'), each, name));
  }
}

function upkeep(cwd, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args, '-t', 'production', '--quiet'], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`upkeep ${args.join(' ')} ended with ${status}: ${stderr}`);
}

/** The plan of a pull request as a file of HTML in the folder, beside plan.json; gives its path. */
export async function planOfStory(folder, name) {
  const { isApplied, edits } = STORIES[name];
  const seed = join(top, 'examples/demo.seed.json');
  const emulator = spawn(process.execPath, [program, 'emulate', '--port', '0', '--owner', OWNER, '--api-key', API_KEY, '--seed', seed], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise((resolve, reject) => {
      const lines = createInterface({ input: emulator.stdout });
      lines.once('line', resolve);
      lines.once('close', () => reject(new Error('the emulator ended before it listened')));
    });
    const cwd = join(folder, 'account');
    mkdirSync(cwd, { recursive: true });
    writeProject(cwd, JSON.parse(line).url);
    if (isApplied) upkeep(cwd, 'apply', '--yes', '--allow', 'weakening');
    editProject(cwd, edits);
    upkeep(cwd, 'plan', '--out', 'html=plan.html', '--out', 'json=plan.json', '--out', 'markdown=plan.md', '--out', 'text=plan.txt');
    return join(cwd, 'plan.html');
  } finally {
    emulator.kill();
  }
}
