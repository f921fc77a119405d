/** Since when addresses have drifted, as an issue keeps it, hidden in its text, and as this folder does: `.upkeep/drift/<target>.json`. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureDotUpkeep, refuseLinks } from '../app/dot-upkeep.ts';
import { isSystemError } from '../app/exit-codes.ts';
import type { DriftSince } from '../model/drift-since.ts';
import { asList, asString } from '../model/json-readers.ts';

/** A sighting that is on record. */
export type KnownDrift = DriftSince & { readonly since: string };

/** Largest record that is read, bytes. */
const LARGEST = 64 * 1024 * 1024;

const LINE = /^<!-- upkeep seen (\[.*\]) -->$/m;

/** The sightings as a hidden line of at most `most` characters; the oldest are kept where not all fit. */
export function driftSinceLine(sightings: readonly KnownDrift[], most: number): string {
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
function rowOf({ address, kind, since }: KnownDrift): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify([address, kind, since]).replace(/[^ -~]|[<>]|--/g, (part) => [...part].map(escaped).join(''));
}

/** The sightings that a text holds; what has another form, or lies after `now` (Unix milliseconds), is none. */
export function driftSinceIn(text: string, now: number): readonly KnownDrift[] {
  const [, json] = LINE.exec(text) ?? [];
  return json === undefined ? [] : sightingsIn(json, now);
}

function sightingsIn(json: string, now: number): readonly KnownDrift[] {
  return (asList(parsed(json)) ?? []).flatMap((row) => {
    const [address, kind, since] = (asList(row) ?? []).map(asString);
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

/** The sightings that earlier runs in this folder have kept. @throws CliError where a link stands in the way */
export function loadDriftSince(folder: string, target: string, now: number): readonly KnownDrift[] {
  const file = fileOf(folder, target);
  refuseLinks(join(folder, '.upkeep'), dirname(file), file);
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= LARGEST ? sightingsIn(readFileSync(file, 'utf8'), now) : [];
}

/** Keeps them for the next run. Where the disk refuses, the issue still knows. @throws CliError as above */
export function saveDriftSince(folder: string, target: string, sightings: readonly KnownDrift[]): void {
  const file = fileOf(folder, target);
  refuseLinks(join(folder, '.upkeep'), dirname(file), file);
  try {
    ensureDotUpkeep(folder);
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
