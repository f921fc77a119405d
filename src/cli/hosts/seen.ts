/** Since when addresses have drifted, as an issue keeps it, hidden in its text, and as this folder does: `.upkeep/drift/<target>.json`. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asList, asText } from '../../model/read.ts';
import type { Sighting } from '../../model/sighting.ts';
import { isSystemError } from '../exit.ts';
import { beside, refuseLinks } from '../own-folder.ts';

/** A sighting that is on record. */
export type Known = Sighting & { readonly since: string };

/** Largest record that is read, bytes. */
const LARGEST = 64 * 1024 * 1024;

const LINE = /^<!-- upkeep seen (\[.*\]) -->$/m;

/** The sightings as a hidden line of at most `most` characters; the oldest are kept where not all fit. */
export function seenLine(sightings: readonly Known[], most: number): string {
  const kept: string[] = [];
  let left = most - '<!-- upkeep seen [] -->'.length;
  for (const each of sightings.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))) {
    const row = rowOf(each);
    left -= row.length + 1;
    if (left < 0) break;
    kept.push(row);
  }
  return `<!-- upkeep seen [${kept.join(',')}] -->`;
}

/** In ASCII, and without what could end the comment. */
function rowOf({ address, kind, since }: Known): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify([address, kind, since]).replace(/[^ -~]|[<>]|--/g, (part) => [...part].map(escaped).join(''));
}

/** The sightings that a text holds; what has another form, or lies after `now` (Unix milliseconds), is none. */
export function seenIn(text: string, now: number): readonly Known[] {
  const [, json] = LINE.exec(text) ?? [];
  return json === undefined ? [] : sightingsIn(json, now);
}

function sightingsIn(json: string, now: number): readonly Known[] {
  return (asList(parsed(json)) ?? []).flatMap((row) => {
    const [address, kind, since] = (asList(row) ?? []).map(asText);
    if (address === undefined || kind === undefined || since === undefined) return [];
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(since) && Date.parse(since) <= now ? [{ address, kind, since }] : [];
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Somebody has edited it: nothing is known from it any more.
    return null;
  }
}

/** The sightings that earlier runs in this folder have kept. @throws Stop where a link stands in the way */
export function keptSightings(folder: string, target: string, now: number): readonly Known[] {
  const file = fileOf(folder, target);
  refuseLinks(join(folder, '.upkeep'), dirname(file), file);
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= LARGEST ? sightingsIn(readFileSync(file, 'utf8'), now) : [];
}

/** Keeps them for the next run. Where the disk refuses, the issue still knows. @throws Stop as above */
export function keepSightings(folder: string, target: string, sightings: readonly Known[]): void {
  const file = fileOf(folder, target);
  refuseLinks(join(folder, '.upkeep'), dirname(file), file);
  try {
    beside(folder);
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${randomUUID()}.new`;
    writeFileSync(draft, `[${sightings.map(rowOf).join(',\n')}]\n`, { flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

function fileOf(folder: string, target: string): string {
  return join(folder, '.upkeep', 'drift', `${target}.json`);
}
