/** The tutorial and the README: their commands lead to the counts and the plans that the pages show. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import seed from '../../examples/demo.seed.json' with { type: 'json' };
import { createGitProject, type GitProject } from '../support/git-project.ts';

const page = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** The account of the tutorial, imported into a repository whose target has the name `production`. */
async function importedAccount(ownership: string): Promise<GitProject> {
  const project = await createGitProject({}, { seed, target: `ownership: ${ownership}` });
  const created = project.read('upkeep.yaml');
  rmSync(join(project.folder, 'upkeep.yaml'));
  expect(
    await project.run('init', '--base-url', project.emulator.url, '--name', 'production', '--ci', 'none', '--from-live'),
  ).toMatchObject({
    code: 0,
  });
  expect((await project.plan()).document.changes).toEqual([]);
  // As `init` writes it, but for the ownership and for the pace of requests.
  const written = project.read('upkeep.yaml');
  expect([written.includes('ownership: observe'), written.includes('ledger: git')]).toEqual([true, true]);
  project.write('upkeep.yaml', created.replace('live:', 'production:'));
  project.commit();
  return project;
}

/** Sets `repeat` of the playlist Trailers from -1 to 7, as both pages say. */
function repeatTrailers(project: GitProject): void {
  const playlists = project.read('config/playlists.yaml');
  const changed = playlists.replace(/(Trailers:[\s\S]*?repeat: )-1/, '$17');
  expect(changed).not.toBe(playlists);
  project.write('config/playlists.yaml', changed);
}

test('the first apply of the tutorial adopts as many objects as it says, and its plan is the one that it shows', async () => {
  const project = await importedAccount('shared');
  const first = await project.apply('--yes', '--allow', 'first-apply');
  expect(first).toMatchObject({ code: 0, document: { summary: { created: 0, updated: 0, deleted: 0 } } });
  expect(page('docs/tutorial.md')).toContain(`It adopts ${first.document.summary.adopted} objects`);
  repeatTrailers(project);
  project.commit();
  const { stdout } = await project.runWith({ columns: 80 }, 'plan');
  const shown = stdout.replace(/at commit [0-9a-f]+/, 'at commit 9abef0537a1b').replace(/\nFingerprint: .*\n$/, '');
  expect(page('docs/tutorial.md')).toContain(`\`\`\`text\n${shown}\n\`\`\``);
});

test('the change of the README is blocked by the safety check that it names, and adopts the live object', async () => {
  const project = await importedAccount('observe');
  repeatTrailers(project);
  const { document } = await project.plan();
  const [, named = ''] = /the safety check `(\w+)` blocks the change/.exec(page('README.md')) ?? [];
  expect(document.changes).toMatchObject([{ address: 'playlist/Trailers', blocked: { check: named }, adopts: expect.any(String) }]);
});
