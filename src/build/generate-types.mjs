// @ts-check
// Writes the types of the library, dist/types/: the declarations of src/library/index.ts and of every file that they name.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const top = fileURLToPath(new URL('../..', import.meta.url));
const source = join(top, 'src');

/** A path of another file in a declaration. */
const REFERENCE = /(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

/** An import without names, which declares nothing. */
const BARE_IMPORT = /^import '[^']+';\n/gm;

/**
 * Returns the text of each declaration file by its path below the folder of the types. @throws Error where the types of an exported thing
 * are not written beside it, so that they cannot be told from one file
 */
async function declarations() {
  /** @type {Map<string, string>} */
  const found = new Map();
  const waiting = [join(source, 'library/index.ts')];
  for (const file of waiting) {
    const name = relative(source, file).replace(/\.ts$/, '.d.ts');
    if (found.has(name)) continue;
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(file, 'utf8'), {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true },
    });
    const [problem] = diagnostics;
    if (problem) throw new Error(`${relative(top, file)}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
    found.set(name, outputText.replaceAll(BARE_IMPORT, '').replaceAll(REFERENCE, '$1$2$3.js$2'));
    for (const [, , , path] of outputText.matchAll(REFERENCE)) waiting.push(join(dirname(file), `${path}.ts`));
  }
  return found;
}

/** Writes the types into a folder, in place of those that are there. @param {string} folder */
export async function generateTypes(folder) {
  const files = await declarations();
  if (existsSync(folder)) await rm(folder, { recursive: true });
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
