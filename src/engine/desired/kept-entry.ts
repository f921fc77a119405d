/** A declaration as the JSON that is kept of it (`kept.ts`), and back. */
import type { Finding } from '../../model/finding.ts';
import { isObject, type Json } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import type { Declaration } from './declaration.ts';
import { allOf, isPlace, packed, unpacked } from './kept-resource.ts';
import type { Reader } from './reader.ts';

/** A declaration without its places. */
export type Content = Omit<Declaration, 'place' | 'written'>;

/** What is kept of a declaration, and of which files it was made. */
export function entryOf(declaration: Content, reader: Reader): Json {
  const { resources, present, adopt, moved, removed, findings, digest } = declaration;
  return {
    digest,
    files: reader.files(),
    ...packed(resources),
    present: [...present],
    adopt: [...adopt],
    moved: [...moved],
    removed: [...removed],
    findings: findings.map((finding) => ({ ...finding })),
  };
}

/** The declaration of an entry; undefined where there is none, where it has another form, or where a file that it names has changed. */
export function declarationIn(entry: unknown, reader: Reader): Content | undefined {
  if (!isObject(entry)) return undefined;
  const { digest } = entry;
  const [files, present, removed] = [asTexts(entry.files), asTexts(entry.present), asTexts(entry.removed)];
  const [adopt, moved] = [pairsIn(entry.adopt), pairsIn(entry.moved)];
  const findings = allOf(entry.findings, isFinding);
  const resources = unpacked(entry);
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

function pairsIn(value: unknown): readonly (readonly [string, string])[] | undefined {
  return allOf(value, (pair): pair is readonly [string, string] => asTexts(pair)?.length === 2);
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value) || value.severity !== 'warning') return false;
  return typeof value.code === 'string' && typeof value.summary === 'string' && isPlace(value);
}
