/** The account of a broadcaster with 300 playlists, declared by hand in test/realistic/account in the language of the sources. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isCollection, parseAllDocuments, visit } from 'yaml';
import { createTestProject } from '../support/harness.ts';
import { realisticAccount } from './account.ts';

const ACCOUNT = fileURLToPath(new URL('account', import.meta.url));
const files = readdirSync(ACCOUNT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
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
});
