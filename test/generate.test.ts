/** `npm run generate` in a copy of the checkout, whose schema of a kind has changed: everything that is made of it follows. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/harness.ts';
import { atMost } from './support/patience.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** Copies what git keeps of the checkout into a folder, with links to the installed packages. */
function copyWithPackages(): string {
  const copy = temporaryFolder();
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: top }).toString();
  for (const name of listed.split('\0').filter((each) => each !== '')) cpSync(join(top, name), join(copy, name));
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(top, 'node_modules')).filter((each) => each === '.bin' || !each.startsWith('.')))
    symlinkSync(join(top, 'node_modules', name), join(copy, 'node_modules', name));
  return copy;
}

const MEMBER = { description: 'A member that only the test of `npm run generate` has.', type: 'boolean' };

test('a change of the schema of a kind reaches all that `npm run generate` writes, in one run', { timeout: atMost(300_000) }, async () => {
  const copy = copyWithPackages();
  const schema = join(copy, 'schemas/playlist.schema.json');
  const { definitions, ...root } = JSON.parse(readFileSync(schema, 'utf8'));
  definitions.playlist.properties.only_here = MEMBER;
  writeFileSync(schema, JSON.stringify({ ...root, definitions }, null, 2));

  await run('npm', ['run', 'generate'], { cwd: copy });
  const generated = [
    ...['expanded', 'source', 'test', 'overlay'].map((name) => `schemas/${name}.schema.json`),
    'src/library/configuration.ts',
    'src/core/config/precompiled-validators.cjs',
    'dist/types/library/configuration.d.ts',
  ];
  for (const file of generated) expect(readFileSync(join(copy, file), 'utf8'), file).toContain('only_here');

  const tests = ['test/schemas/source.test.ts', 'test/docs/tables.test.ts', 'test/docs/configuration-types.test.ts'];
  await run('npx', ['--no-install', 'vitest', 'run', ...tests], { cwd: copy });
});
