/** Small accounts and configurations, for tests that are about something else. */
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { TestProject } from '../support/harness.ts';

/** Returns the ID of asset number `n`: 32 hexadecimal characters, unique for each number. */
export function asset(n: number): string {
  return n.toString(16).padStart(32, 'a55e7000');
}

/** Returns the list of a playlist of these assets, in order. */
export function beams(...numbers: readonly number[]): readonly JsonObject[] {
  return numbers.map((n) => ({ beam: { id: asset(n) } }));
}

/** Returns one source file with these sections; JSON is YAML. */
export function config(sections: JsonObject): { readonly 'config/account.yaml': string } {
  return { 'config/account.yaml': JSON.stringify(sections, null, 1) };
}

/** Replaces the configuration of a project. */
export function declare(project: Pick<TestProject, 'write'>, sections: JsonObject): void {
  for (const [file, text] of Object.entries(config(sections))) project.write(file, text);
}

/** `count` playlists of two assets each, named `p1`, `p2`, ... */
export function manyPlaylists(count: number, more: JsonObject = {}): { readonly [key: string]: Json } {
  return Object.fromEntries(numbered(count).map((n) => [`p${n}`, { ...more, playlist: beams(n, 1000 + n) }]));
}

/** Returns the same playlists as live ones, with the IDs `live1`, `live2`, ... */
export function manyLive(count: number, more: JsonObject = {}): readonly JsonObject[] {
  return numbered(count).map((n) => ({ id: `live${n}`, desc: `p${n}`, ...more, playlist: beams(n, 1000 + n) }));
}

/** Returns the numbers from 1 to `count`. */
export function numbered(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Path of the playlists. */
export const PLAYLISTS = '/api/v4/linear-playlist';
