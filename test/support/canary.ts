/** Finds secrets in outputs and files of a run, in any encoding. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { API_KEY, OWNER } from './harness.ts';

/** A secret with a name, so that a leak can be reported without repeating it. */
export interface Canary {
  readonly name: string;
  readonly value: string;
}

/** The secrets of every test besides the signatures. */
export const CREDENTIALS: readonly Canary[] = [
  { name: 'owner', value: OWNER },
  { name: 'api_key', value: API_KEY },
];

/** A text to search, and where it comes from. */
export interface OutputText {
  readonly where: string;
  readonly text: string;
}

/** Characters of a secret that are compared at once. */
const BLOCK = 12;

const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);

/** Returns every encoding of a secret. */
const ENCODINGS: { readonly [form: string]: (secret: string) => readonly string[] } = {
  plain: (secret) => [secret],
  'percent-encoded': (secret) => {
    const once = percentEncoded(secret);
    return [once, once.replace(/%../g, (code) => code.toLowerCase()), percentEncoded(once)];
  },
  'JSON-escaped': (secret) => [JSON.stringify(secret).slice(1, -1), secret.replaceAll('/', '\\/')],
  // The first and the last characters of base64 depend on the neighbors.
  base64: (secret) =>
    [0, 1, 2].map((pad) =>
      Buffer.from(`${'.'.repeat(pad)}${secret}`)
        .toString('base64')
        .slice(4, -4),
    ),
  hexadecimal: (secret) => [Buffer.from(secret).toString('hex')],
  reversed: (secret) => [[...secret].reverse().join('')],
};

/** A searcher for these secrets: gives `<secret>, <writing>` of whatever occurs, whole or in a stretch of 23 characters or more. */
export function createSearcher(canaries: readonly Canary[]): (text: string) => readonly string[] {
  const blockNames = new Map<string, string>();
  for (const { name, value } of canaries) {
    for (const [form, write] of Object.entries(ENCODINGS)) {
      // Blocks side by side are enough, for the text is searched at every place.
      const blocks = write(value).flatMap(blocksOf);
      for (const block of blocks) if (!blockNames.has(block)) blockNames.set(block, `${name}, ${form}`);
    }
  }
  return (text) => {
    const found = new Set<string>();
    for (let at = 0; at + BLOCK <= text.length; at++) {
      const leak = blockNames.get(text.slice(at, at + BLOCK));
      if (leak !== undefined) found.add(leak);
    }
    return [...found];
  };
}

function blocksOf(text: string): readonly string[] {
  return Array.from({ length: Math.floor(text.length / BLOCK) }, (_, index) => text.slice(index * BLOCK, (index + 1) * BLOCK));
}

/** What the tests of this file have searched so far. */
export const searched = { texts: 0, secrets: 0, leaks: 0 };

/** Returns a line for each secret found in the texts; empty where there is none. */
export function findLeaks(texts: readonly OutputText[], canaries: readonly Canary[]): readonly string[] {
  for (const { value } of canaries) expect(value.length).toBeGreaterThanOrEqual(2 * BLOCK);
  const search = createSearcher(canaries);
  const leaks = texts.flatMap(({ where, text }) => search(text).map((leak) => `${where}: ${leak}`));
  searched.texts += texts.length;
  searched.secrets += canaries.length;
  searched.leaks += leaks.length;
  return leaks;
}

/** Asserts that no text contains a secret. */
export function expectNoLeak(texts: readonly OutputText[], canaries: readonly Canary[]): void {
  expect(findLeaks(texts, canaries)).toEqual([]);
}

/** Every file below a folder, names included; of git also every object, unpacked: all commits of the ledger are among them. */
export function textsIn(folder: string): readonly OutputText[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map((where) => ({ where, text: `${where}\n${readFileSync(where, 'latin1')}` }));
  return [...texts, ...gitObjectsOf(folder)];
}

function gitObjectsOf(folder: string): readonly OutputText[] {
  const directory = existsSync(join(folder, 'objects')) ? folder : join(folder, '.git');
  if (!existsSync(directory)) return [];
  const all = execFileSync('git', ['--git-dir', directory, 'cat-file', '--batch-all-objects', '--batch'], { maxBuffer: 1024 ** 3 });
  return [{ where: `the objects of ${directory}`, text: all.toString('latin1') }];
}
