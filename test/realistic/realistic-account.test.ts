/** The account of a broadcaster with 300 playlists, declared by hand in test/realistic/account in the language of the sources. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isCollection, parseAllDocuments, visit } from 'yaml';
import { isList, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { asAcceptance } from '../support/documents.ts';
import { createTestProject } from '../support/harness.ts';
import { realisticAccount } from './account.ts';

const ACCOUNT = fileURLToPath(new URL('account', import.meta.url));
const files = readdirSync(ACCOUNT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
/** The YAML and CSV files that declare it. */
const sources = readdirSync(ACCOUNT, { recursive: true, encoding: 'utf8' }).filter((name) => /^config\/.*\.(yaml|csv)$/.test(name));
const textOf = (file: string) => readFileSync(join(ACCOUNT, file), 'utf8');

/** Starts the account, and copies its configuration beside it. */
async function createRealisticProject() {
  const project = await createTestProject({}, { seed: realisticAccount() });
  cpSync(ACCOUNT, project.folder, { recursive: true });
  project.write('upkeep.yaml', textOf('upkeep.yaml').replace(/base_url: \S+/, `base_url: ${project.emulator.url}`));
  return project;
}

describe('the realistic account', () => {
  test('has 300 playlists, 85 smart starts and 12 policies, and the same IDs each time', () => {
    const account = realisticAccount();
    expect(Object.values(account).map((each) => [each].flat().length)).toEqual([300 + 85, 12, 3, 1, 1]);
    expect(realisticAccount()).toEqual(account);
  });

  test('is declared in at most 500 lines of YAML beside its CSV files, none over 120 columns', () => {
    const lines = files.flatMap((file) => textOf(file).trimEnd().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(500);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  test.each(files)('is declared in block style in %s', (file) => {
    const inFlowStyle: string[] = [];
    for (const document of parseAllDocuments(textOf(file)))
      visit(document, (_key, node) => {
        if (isCollection(node) && node.flow === true && node.items.length > 0) inFlowStyle.push(String(node));
      });
    expect(inFlowStyle).toEqual([]);
  });

  test('is declared completely: the plan is empty, without a finding, and nothing is undeclared', async () => {
    const project = await createRealisticProject();
    const { code, document } = await project.plan('--detailed-exitcode');
    expect({ code, changes: document.changes, findings: document.findings }).toEqual({ code: 0, changes: [], findings: [] });
    expect(document.summary).toMatchObject({ unchanged: 385 + 12 + 3, undeclared: 0 });
  });

  test('has a change of one of its playlists reported at the row of the table', async () => {
    const project = await createRealisticProject();
    const [edited] = project.playlists().filter(({ desc }) => desc === 'kids Otters 03');
    project.editPlaylist(String(edited?.id), { active: 0 });
    const { document } = await project.plan();
    const declared = { file: 'config/kids/shows.csv', line: 4, column: 1 };
    expect(document.changes).toMatchObject([{ address: 'playlist/kids-Otters-03', declared }]);
  });

  describe('one edit by hand, accepted,', () => {
    /** Edits a playlist in the account, accepts that, and expects an empty plan. Returns the diffs of the files, without their heads. */
    async function accepted(desc: string, edit: (playlist: JsonObject) => JsonObject): Promise<readonly string[]> {
      const project = await createRealisticProject();
      const [live] = project.playlists().filter((each) => each.desc === desc);
      project.editPlaylist(String(live?.id), edit(Object(live)));
      const { document } = await project.plan();
      const addresses = document.changes.map(({ address }) => address);
      const before = Object.fromEntries(sources.map((file) => [file, textOf(file)]));
      const run = await project.run('drift', 'accept', ...addresses, '--format', 'json');
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect((await project.plan()).document.changes).toEqual([]);
      const changed = sources.filter((file) => project.read(file) !== before[file]);
      const documents = asAcceptance(JSON.parse(run.stdout)).files;
      expect(documents.map(({ file }) => file)).toEqual(changed);
      return documents.flatMap(({ diff }) => diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line)));
    }

    const withEntry =
      (index: number, entry: Json) =>
      ({ playlist }: JsonObject): JsonObject => ({
        playlist: isList(playlist) ? playlist.map((each, at) => (at === index ? entry : each)) : [],
      });

    test('changes one cell where an ad break is a column', async () => {
      expect(await accepted('kids Otters 03', withEntry(2, { ad: { dur: 45 } }))).toEqual([
        '-kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,c28d706b4e216c27972e50fed992072c,30,',
        '+kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,c28d706b4e216c27972e50fed992072c,45,',
      ]);
    });

    test('changes one cell where an asset is a column', async () => {
      const id = 'a55e7000a55e7000a55e7000a55e7000';
      expect(await accepted('kids Otters 03', withEntry(3, { beam: { id } }))).toEqual([
        '-kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,c28d706b4e216c27972e50fed992072c,30,',
        `+kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,${id},30,`,
      ]);
    });

    test('fills the empty cell of a setting that had its default', async () => {
      expect(await accepted('kids Otters 03', () => ({ active: 0 }))).toEqual([
        '-kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,c28d706b4e216c27972e50fed992072c,30,',
        '+kids,Otters,03,657550645fb814f2f8ee39439cba7bf8,c28d706b4e216c27972e50fed992072c,30,false',
      ]);
    });

    test.each([
      [
        'an entry of a list that others include',
        'kids Otters 03',
        withEntry(5, { ad: { dur: 20 } }),
        /entry list `closing`, config\/common\/templates\.yaml, line 27; .*and \d+ more would change too/s,
      ],
      [
        'an entry that every show has',
        'kids Otters 03',
        withEntry(0, { beam: { id: 'a'.repeat(32) } }),
        /template `show`, config\/common\/templates\.yaml, line 18, as `\$\{team\}-ident`/,
      ],
      [
        'an entry that is made of a variable of the target',
        'Harbour Bergen',
        withEntry(5, { ad: { dur: 20 } }),
        /entry list `evening`, config\/common\/templates\.yaml, line 32, where it is made of variables.*: \$\{long_break\}/,
      ],
    ])('is refused with the line for %s, and nothing is written', async (_what, desc, edit, reason) => {
      const project = await createRealisticProject();
      const [live] = project.playlists().filter((each) => each.desc === desc);
      project.editPlaylist(String(live?.id), edit(Object(live)));
      const { document } = await project.plan();
      const run = await project.run('drift', 'accept', ...document.changes.map(({ address }) => address));
      expect(run.code).toBe(8);
      expect(run.stderr.replace(/\s+/g, ' ')).toMatch(reason);
      expect(sources.filter((file) => project.read(file) !== textOf(file))).toEqual([]);
    });
  });
});
