/** What a target declares, kept from run to run: where nothing has changed of all that it is made of, nothing is parsed, checked and normalised again. */
import { createHash } from 'node:crypto';
import type { Desired, Kind } from '../../kinds/kind.ts';
import type { Finding } from '../../model/finding.ts';
import { bareFields, type Fields, isObject, type Json } from '../../model/json.ts';
import { asList, asTexts } from '../../model/read.ts';
import type { Project, Target } from './configuration.ts';
import type { Declaration, Tree } from './declaration.ts';
import { declareFrom, type Material } from './declare.ts';
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
  const known = declarationIn(store.get(key)?.[0], material);
  if (known !== undefined) return { ...known, place: (path) => anew().place(path), written: (path) => anew().written(path) };
  const declaration = anew();
  const isSound = declaration.findings.every(({ severity }) => severity === 'warning');
  if (isSound && !declaration.repeats) store.keep(key, [entryOf(declaration, material)]);
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

/** A declaration without its places. */
type Content = Omit<Declaration, 'place' | 'written'>;

function entryOf(declaration: Content, { reader }: Material): Json {
  const { resources, present, adopt, moved, removed, findings, digest } = declaration;
  const contexts = new Map<Fields, number>();
  return {
    digest,
    files: reader.files(),
    resources: resources.map((resource) => packed(resource, contexts)),
    contexts: [...contexts.keys()],
    present: [...present],
    adopt: [...adopt],
    moved: [...moved],
    removed: [...removed],
    findings: findings.map((finding) => ({ ...finding })),
  };
}

/** A resource as JSON: many share a context, and most of what is declared stands in the fields too. */
function packed({ declared, context, label, inFile, clues, ...rest }: Desired, contexts: Map<Fields, number>): Json {
  const names = Object.keys(declared);
  if (context && !contexts.has(context)) contexts.set(context, contexts.size);
  return {
    ...rest,
    clues: clues.map((clue) => ({ ...clue })),
    declared: names.every((name) => declared[name] === rest.fields[name]) ? names : declared,
    ...(label === undefined ? {} : { label }),
    ...(inFile === undefined ? {} : { inFile: { ...inFile } }),
    ...(context === undefined ? {} : { context: contexts.get(context) ?? null }),
  };
}

/** The declaration of an entry; undefined where there is none, where it has another form, or where a file that it names has changed. */
function declarationIn(entry: unknown, { reader }: Material): Content | undefined {
  if (!isObject(entry)) return undefined;
  const { digest } = entry;
  const [files, present, removed] = [asTexts(entry.files), asTexts(entry.present), asTexts(entry.removed)];
  const [adopt, moved] = [pairsIn(entry.adopt), pairsIn(entry.moved)];
  const contexts = allOf(entry.contexts, isMap);
  const findings = allOf(entry.findings, isFinding);
  const resources = contexts && resourcesIn(entry.resources, contexts);
  if (!files || !present || !removed || !adopt || !moved || !findings || !resources || typeof digest !== 'string') return undefined;
  for (const file of files) reader.hash(file);
  if (reader.digest() !== digest) return undefined;
  return {
    resources,
    present: new Set(present),
    adopt: new Map(adopt),
    moved: new Map(moved),
    removed: new Set(removed),
    findings,
    digest,
  };
}

function resourcesIn(value: unknown, contexts: readonly Fields[]): readonly Desired[] | undefined {
  const packed = asList(value);
  const resources = packed?.flatMap((each) => resourceIn(each, contexts) ?? []);
  return resources?.length === packed?.length ? resources : undefined;
}

function resourceIn(value: unknown, contexts: readonly Fields[]): Desired | undefined {
  if (!isObject(value)) return undefined;
  const { address, name, fields, label, clues, adoptable, path, inFile } = value;
  const context = typeof value.context === 'number' ? contexts[value.context] : undefined;
  if (typeof address !== 'string' || typeof name !== 'string' || typeof adoptable !== 'boolean' || !isMap(fields)) return undefined;
  if (!isAll(clues, isClue) || !isAll(path, isStep)) return undefined;
  const declared = isMap(value.declared) ? value.declared : some(fields, asTexts(value.declared));
  const resource = { address, name, fields, declared, clues, adoptable, path };
  if (label === undefined && inFile === undefined && context === undefined) return resource;
  return {
    ...resource,
    ...(typeof label === 'string' ? { label } : {}),
    ...(isPlace(inFile) ? { inFile } : {}),
    ...(context ? { context } : {}),
  };
}

function some(fields: Fields, names: readonly string[] = []): Fields {
  const found = bareFields();
  for (const name of names) found[name] = fields[name] ?? null;
  return found;
}

function pairsIn(value: unknown): readonly (readonly [string, string])[] | undefined {
  return allOf(value, (pair): pair is readonly [string, string] => asTexts(pair)?.length === 2);
}

function allOf<T>(value: unknown, is: (item: unknown) => item is T): readonly T[] | undefined {
  return isAll(value, is) ? value : undefined;
}

function isAll<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

/** Parsed from text, so whatever an object holds is JSON. */
function isMap(value: unknown): value is Fields {
  return isObject(value);
}

function isClue(value: unknown): value is Desired['clues'][number] {
  return isObject(value) && (typeof value.id === 'string' || typeof value.name === 'string');
}

function isStep(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isPlace(value: unknown): value is NonNullable<Desired['inFile']> {
  return isObject(value) && typeof value.file === 'string' && typeof value.line === 'number' && typeof value.column === 'number';
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value) || value.severity !== 'warning') return false;
  return typeof value.code === 'string' && typeof value.summary === 'string' && isPlace(value);
}
