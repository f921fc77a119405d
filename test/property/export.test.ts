/** `export` of any account gives files whose plan is empty; what cannot be declared is a comment with its reason (design section 5). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/core/model/json.ts';
import { visible } from '../../src/core/model/visible-text.ts';
import { beams } from '../e2e/accounts.ts';
import { asAccountExport } from '../support/documents.ts';
import { createTestProject, projectFile } from '../support/harness.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { account, CASES, quirks, TIMEOUT, text } from './accounts.ts';

/** The set of VMP statuses, the static key and its rotation. */
const SETTINGS = 3;

/** The exported files by name. */
function filesIn(folder: string): { readonly [name: string]: string } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    entries.map(({ name, parentPath }) => [relative(folder, join(parentPath, name)), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

/** Flags that divide the account among files. */
const layout = fc.constantFrom([], ['--templates'], ['--group-by', 'prefix'], ['--templates', '--group-by', 'file']);

/** The account with 12 more playlists that follow a pattern. */
const accountWithPattern = fc.tuple(account, fc.array(text, { minLength: 12, maxLength: 12 })).map(([seed, titles]): JsonObject => {
  const playlists = titles.map((desc, index) => ({ id: `show-${index}`, desc, playlist: [...beams(index), { ad: { dur: 60 } }] }));
  return { ...seed, playlist: [...[seed.playlist].flat().filter(isJsonObject), ...playlists] };
});

async function exported(seed: Parameters<typeof createTestProject>[1]): Promise<{ readonly [name: string]: string }> {
  const project = await createTestProject({}, seed);
  expect((await project.run('export', '--dir', 'exported')).code).toBe(0);
  const files = filesIn(join(project.folder, 'exported'));
  await project.close();
  return files;
}

test(
  'a plan from the exported files is empty, and every object is declared or left out with a reason',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(accountWithPattern, quirks, layout, async (seed, how, flags) => {
        const project = await createTestProject({}, { seed, quirks: how });
        const { written, leftOut } = asAccountExport(await project.json('export', '--dir', 'exported', ...flags));
        project.write('upkeep.yaml', projectFile(project.emulator.url).replace('[config]', '[exported]'));
        const { code, document } = await project.plan('--detailed-exitcode');
        expect([code, document.changes]).toEqual([0, []]);
        const text = Object.values(filesIn(join(project.folder, 'exported'))).join('');
        const left = [...text.matchAll(/^# (\S+) .*is left out: ./gm)].map(([, address = '']) => address);
        const undeclared = Object.entries(document.readStatus).filter(([, state]) => state === 'unmanaged');
        expect(left.filter((address) => !address.includes('/')).sort()).toEqual(undeclared.map(([kind]) => kind).sort());
        expect(left.filter((address) => address.includes('/'))).toHaveLength(document.summary.undeclared);
        expect(leftOut.map(({ address }) => visible(address)).sort()).toEqual([...left].sort());
        const objects = [seed.playlist, seed['drm-policy']].flat().length + SETTINGS;
        expect(Object.values(written).reduce((sum, number) => sum + number, 0) + leftOut.length).toBe(objects);
        expect(text).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
        // Texts with control characters, equal descriptions and a second playlist of one asset are no reason to leave anything out.
        expect(text).not.toMatch(/^# .* is left out: .*(control|same description|same one asset)/m);
        project.write('upkeep.yaml', projectFile(project.emulator.url, 'ownership: exclusive').replace('[config]', '[exported]'));
        const exclusive = (await project.plan()).document.changes.map(({ address }) => address);
        expect(exclusive.filter((address) => !left.includes(address))).toEqual([]);
        await project.close();
      }),
      { numRuns: CASES },
    );
  },
  TIMEOUT,
);

test(
  'the exported files do not depend on the order in which the service lists things',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(account, async (seed) => {
        const files = await exported({ seed });
        expect(await exported({ seed, quirks: { listOrder: 'reversed' } })).toEqual(files);
      }),
      { numRuns: Math.ceil(CASES / 3) },
    );
  },
  TIMEOUT,
);
