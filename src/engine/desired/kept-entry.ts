/** A declaration as the lines that are kept of it (`kept.ts`), and back: all but the fields as JSON, and then the fields of each resource. */
import type { Finding } from '../../model/finding.ts';
import { isObject } from '../../model/json.ts';
import { asTexts } from '../../model/read.ts';
import type { Declaration } from './declaration.ts';
import { allOf, isPlace, packed, unpacked } from './kept-resource.ts';
import type { Reader } from './reader.ts';

/** A declaration without its places. */
export type Content = Omit<Declaration, 'place' | 'written'>;

/** What is kept of a declaration, and of which files it was made. */
export function entryOf(declaration: Content, reader: Reader): readonly string[] {
  const { resources, present, adopt, moved, removed, findings, digest } = declaration;
  const { fields, ...parts } = packed(resources);
  const about = {
    digest,
    files: reader.files(),
    ...parts,
    present: [...present],
    adopt: [...adopt],
    moved: [...moved],
    removed: [...removed],
    findings,
  };
  return [JSON.stringify(about), ...fields];
}

/** The declaration of an entry; undefined where there is none, where it has another form, or where a file that it names has changed. */
export function declarationIn(lines: readonly string[] | undefined, reader: Reader): Content | undefined {
  const entry = aboutIn(lines?.[0] ?? '');
  if (!lines || !isObject(entry)) return undefined;
  const { digest } = entry;
  const [files, present, removed] = [asTexts(entry.files), asTexts(entry.present), asTexts(entry.removed)];
  const [adopt, moved] = [pairsIn(entry.adopt), pairsIn(entry.moved)];
  const findings = allOf(entry.findings, isFinding);
  const resources = unpacked(entry, lines.slice(1));
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

/** What the first line says; undefined where it is no JSON. */
function aboutIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function pairsIn(value: unknown): readonly (readonly [string, string])[] | undefined {
  return allOf(value, (pair): pair is readonly [string, string] => asTexts(pair)?.length === 2);
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value) || value.severity !== 'warning') return false;
  return typeof value.code === 'string' && typeof value.summary === 'string' && isPlace(value);
}
