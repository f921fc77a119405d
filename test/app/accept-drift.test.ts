import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSourceFiles } from '../../src/app/accept-drift.ts';
import { temporaryFolder } from '../support/harness.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A folder with two sources, and what they are to become. */
function sources() {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  mkdirSync(at('config'));
  for (const file of ['config/a.yaml', 'config/b.yaml']) writeFileSync(at(file), `old ${file}\n`);
  const edits = ['config/a.yaml', 'config/b.yaml'].map((file) => ({
    file,
    lines: [1],
    before: bytes(`old ${file}\n`),
    after: bytes(`new ${file}\n`),
  }));
  const texts = () => ['config/a.yaml', 'config/b.yaml'].map((file) => readFileSync(at(file), 'utf8').trim());
  return { folder, at, edits, texts };
}

test('writeSourceFiles replaces files atomically, keeps their permissions and leaves no temporary file', async () => {
  const { folder, at, edits, texts } = sources();
  chmodSync(at('config/a.yaml'), 0o640);
  await writeSourceFiles(folder, edits);
  expect(texts()).toEqual(['new config/a.yaml', 'new config/b.yaml']);
  expect(statSync(at('config/a.yaml')).mode & 0o777).toBe(0o640);
  expect(readdirSync(at('config'))).toEqual(['a.yaml', 'b.yaml']);
});

test.each([
  ['somebody has edited', (path: string) => writeFileSync(path, 'mine\n')],
  [
    'has been put behind a link',
    (path: string) => {
      renameSync(path, `${path}.bak`);
      symlinkSync(`${path}.bak`, path);
    },
  ],
  ['is gone', (path: string) => rmSync(path)],
])('writeSourceFiles writes no file and exits with 6 if one of them %s', async (_what, move) => {
  const { folder, at, edits } = sources();
  move(at('config/b.yaml'));
  await expect(writeSourceFiles(folder, edits)).rejects.toMatchObject({ exit: 6, code: 'source-moved' });
  expect(readFileSync(at('config/a.yaml'), 'utf8')).toBe('old config/a.yaml\n');
  expect(readdirSync(at('config')).some((name) => name.endsWith('.new'))).toBe(false);
});
