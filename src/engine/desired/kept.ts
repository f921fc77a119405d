/** What a target declares, kept from run to run: where nothing has changed of all that it is made of, nothing is parsed, checked and normalised again. */
import { createHash } from 'node:crypto';
import type { Kind } from '../../kinds/kind.ts';
import type { Project, Target } from './configuration.ts';
import type { Declaration, Tree } from './declaration.ts';
import { declareFrom, type Material } from './declare.ts';
import { declarationIn, entryOf } from './kept-entry.ts';
import { list } from './load.ts';
import { once } from './once.ts';
import { NO_READINGS, type Readings } from './parse.ts';
import { readerOf } from './reader.ts';

/** The same as `declare`, which is only carried out where `readings` do not know what came of it, and for the places of what is declared. */
export function declareOnce(
  tree: Tree,
  project: Project,
  target: Target,
  kinds: readonly Kind[],
  readings: Readings = NO_READINGS,
): Declaration {
  const material: Material = { reader: readerOf(tree, readings), listing: list(tree, target, project.file) };
  const anew = once(() => declareFrom(material, project, target, kinds));
  const store = readings.declared;
  if (store === undefined) return anew();
  const key = keyOf(material, project, target);
  const known = declarationIn(store.get(key), material.reader);
  if (known !== undefined) return { ...known, place: (path) => anew().place(path), written: (path) => anew().written(path) };
  const declaration = anew();
  const isSound = declaration.findings.every(({ severity }) => severity === 'warning');
  if (isSound && !declaration.repeats) store.keep(key, entryOf(declaration, material.reader));
  return declaration;
}

/** Names all that a declaration is made of but for the files that its sources name, which are not known before they are read. */
function keyOf({ reader, listing }: Material, { file, rules }: Project, { name, sources, vars }: Target): string {
  const files = listing.flatMap((contents) => ('files' in contents ? contents.files : []));
  const hashes = [file, ...files].map((each) => [each, reader.hash(each) ?? null]);
  return createHash('sha256')
    .update(JSON.stringify(['declaration', rules, name, sources, vars, listing, hashes]))
    .digest('hex');
}
