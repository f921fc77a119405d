// Accounts of any size, as configuration and as the seed of an emulator: playlists in block style, one file for each hundred, a tenth as many
// smart starts from an `assets_file`, and policies. What is declared and what is live are the same, unless a difference is asked for.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Playlists in one file. */
const PER_FILE = 100;
const POLICIES = 500;

const numbered = (count) => Array.from({ length: count }, (_, index) => index);
const hex = (kind, number) => `${kind}${number.toString(16).padStart(32 - kind.length, '0')}`;

/** The list of a playlist: three assets, each with an ad break after it. */
function entriesOf(n) {
  return numbered(6).map((at) => (at % 2 === 0 ? { beam: { id: hex('a', n * 6 + at) } } : { ad: { dur: 30 } }));
}

function playlistText(n, repeat) {
  const entries = entriesOf(n).map(({ beam, ad }) =>
    beam ? `      - beam:\n          id: "${beam.id}"\n` : `      - ad:\n          dur: ${ad.dur}\n`,
  );
  const settings = `    desc: Playlist ${n}\n    active: 1\n    repeat: ${repeat}\n    skip_drm: 0\n`;
  return `  playlist-${n}:\n${settings}    playlist:\n${entries.join('')}`;
}

const POLICY = { fairplay: { hd: { hdcp_enforcement: 0 } }, widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 1 }] } };

const POLICY_TEXT = `    fairplay:
      hd:
        hdcp_enforcement: 0
    widevine:
      content_key_specs:
        - track_type: ALL
          security_level: 1
`;

/** What the rows of the table have in common. */
const TEMPLATE_TEXT = `templates:
  three-assets:
    params: { number: integer, first: string, second: string, third: string, repeat: integer }
    playlist:
      desc: Playlist \${number}
      active: 1
      repeat: \${repeat}
      skip_drm: 0
      playlist:
        - beam:
            id: \${first}
        - ad:
            dur: 30
        - beam:
            id: \${second}
        - ad:
            dur: 30
        - beam:
            id: \${third}
        - ad:
            dur: 30
playlists_from:
  - { file: playlists.csv, template: three-assets, key: "playlist-\${number}" }
`;

/** Writes the same playlists as `writeSources` below `folder`, and nothing else, as a CSV file of one row for each. */
export function writeTable(folder, playlists, repeat = 0) {
  const config = join(folder, 'config');
  rmSync(config, { recursive: true, force: true });
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'playlists.yaml'), TEMPLATE_TEXT);
  const rows = numbered(playlists).map((n) => {
    const assets = entriesOf(n).flatMap(({ beam }) => (beam ? [beam.id] : []));
    return `${n},${assets.join(',')},${repeat}\n`;
  });
  writeFileSync(join(config, 'playlists.csv'), `number,first,second,third,repeat\n${rows.join('')}`);
}

/**
 * Writes the sources of an account below `folder`, in place of those of another one.
 * @param {{ playlists: number, smartStarts?: number, repeat?: number | ((n: number) => number) }} size `repeat` is what the playlists declare; live it is 0.
 */
export function writeSources(folder, { playlists, smartStarts = Math.ceil(playlists / 10), policies = POLICIES, repeat = 0 }) {
  const config = join(folder, 'config');
  rmSync(config, { recursive: true, force: true });
  mkdirSync(config, { recursive: true });
  for (let first = 0; first < playlists; first += PER_FILE) {
    const texts = numbered(Math.min(PER_FILE, playlists - first)).map((n) =>
      playlistText(first + n, typeof repeat === 'function' ? repeat(first + n) : repeat),
    );
    writeFileSync(join(config, `playlists-${first}.yaml`), `playlists:\n${texts.join('')}`);
  }
  if (policies > 0) {
    const texts = numbered(policies).map((n) => `  policy-${n}:\n${POLICY_TEXT}`);
    writeFileSync(join(config, 'policies.yaml'), `drm_policies:\n${texts.join('')}`);
  }
  if (smartStarts > 0) {
    const group = 'smart_starts:\n  archive:\n    beam_break_duration: 30\n    assets_file: assets.txt\n';
    writeFileSync(join(config, 'smart-starts.yaml'), group);
    writeFileSync(
      join(config, 'assets.txt'),
      `${numbered(smartStarts)
        .map((n) => hex('b', n))
        .join('\n')}\n`,
    );
  }
}

/** The account in which all of that is live already, as the seed of an emulator. */
export function seedOf({ playlists, smartStarts = Math.ceil(playlists / 10), policies = POLICIES }) {
  const lists = numbered(playlists).map((n) => ({ id: hex('c', n), desc: `Playlist ${n}`, playlist: entriesOf(n) }));
  const starts = numbered(smartStarts).map((n) => {
    const id = hex('b', n);
    return { id, beam_break_duration: 30, playlist: [{ beam: { id } }] };
  });
  return {
    playlist: [...lists, ...starts],
    'drm-policy': numbered(policies).map((n) => ({ policy_name: `policy-${n}`, ...POLICY })),
  };
}

/** Writes the upkeep.yaml of the one target `bench`, without a limit on requests. `more` are further lines of the target. */
export function writeProject(folder, url, more = []) {
  const lines = [
    `base_url: ${url}`,
    'credentials: { owner: { env: UPKEEP_OWNER }, api_key: { env: UPKEEP_API_KEY } }',
    'sources: [config]',
    'http: { concurrency: 8, requests_per_second: 0, give_up_seconds: 120 }',
    ...more,
  ];
  writeFileSync(join(folder, 'upkeep.yaml'), `version: 1\ntargets:\n  bench:\n${lines.map((line) => `    ${line}\n`).join('')}`);
}
