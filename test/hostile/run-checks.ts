/** What must hold of every run, whatever it was fed. An oracle gives what does not hold, in words; nothing where all does. */

import { equal, isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { Emulator } from '../../src/emulator/server.ts';
import { documentsOf } from '../support/documents.ts';
import { API_KEY, OWNER, type RunResult } from './test-project.ts';

/** Exit codes of the contract (design section 5). */
const EXITS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130];

/** What a terminal or an eye would be led astray by. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Objections to a run: its exit code, what it printed, and how long that is. */
export function violationsOf({ argv, code, stdout, stderr }: RunResult): readonly string[] {
  const output = stdout + stderr;
  const isAnnotation = argv.includes('github') ? /^::(?:error|warning|notice) (?:file|title)=[^:]*::/ : /^$/;
  const lines = output.split('\n').filter((line) => !isAnnotation.test(line));
  return [
    ...violationUnless(EXITS.includes(code), `exit code ${code}`),
    ...violationUnless(!/^\s+at .+[:(]\d+:\d+|node:internal|\.[jt]s:\d+:\d+/m.test(output), 'a stack trace'),
    ...violationUnless(!/unexpected: |a bug in upkeep/.test(output), 'a bug in upkeep'),
    ...violationUnless(!HIDDEN.test(output.replaceAll('\n', '')), 'a character that hides or acts'),
    ...violationUnless(!lines.some((line) => line.trim().startsWith('::') || /##\w*\[/.test(line)), 'a command to a CI system'),
    ...violationUnless(!output.includes(API_KEY), 'the API key'),
    ...violationUnless(!output.includes(OWNER), 'the owner'),
    ...violationUnless(code === 0 || output.trim() !== '', 'it failed without a word'),
    ...(argv.includes('json') ? invalidJson(argv[0] ?? '', stdout) : []),
  ];
}

/** Objections to objects that every other object inherits from. */
export function prototypePollution(): readonly string[] {
  const plain: { readonly [member: string]: unknown } = {};
  const added = Object.keys(Object.prototype).concat(Object.keys(Array.prototype));
  return violationUnless(added.length === 0 && plain.polluted === undefined, `a polluted prototype: ${added}`);
}

/** Objections to requests that write; v2 is read by POST (api-notes section 7). */
export function findWrites(emulator: Emulator): readonly string[] {
  const writes = emulator.requests().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api2/'));
  emulator.clearRequests();
  return writes.map((request) => `it wrote: ${request.method} ${request.path}`);
}

/**
 * Objections to an account after a run that was lied to: each object is in every field as it was or as it is wanted, each new one is
 * wanted, and only what is not wanted may be gone.
 */
export function unexpectedState(before: Json, wanted: Json, after: Json): readonly string[] {
  const states = [before, wanted, after].map((each) => fieldsOf(fieldsOf(each)[OWNER]));
  return [...new Set(states.flatMap((each) => Object.keys(each)))].flatMap((kind) => {
    const [before, desired, after] = states.map((each) => objectsOf(each[kind]));
    return [
      ...unexpectedObjects(before ?? [], desired ?? [], after ?? []),
      ...missingObjects(before ?? [], desired ?? [], after ?? []),
    ].map((what) => `${kind}: ${what}`);
  });
}

function unexpectedObjects(before: readonly JsonObject[], desired: readonly JsonObject[], after: readonly JsonObject[]): readonly string[] {
  return after.flatMap((each) => {
    const earlier = before.find((other) => isSame(each, other));
    const sides = earlier ? [earlier, ...desired.filter((other) => isSame(each, other))] : desired;
    const fits = earlier
      ? contents(each).every(([field, value]) => sides.some((side) => equal(side[field] ?? null, value)))
      : sides.some((side) => contents(each).every(([field, value]) => equal(side[field] ?? null, value)));
    const twice =
      !earlier && after.some((other) => other !== each && equal(Object.fromEntries(contents(each)), Object.fromEntries(contents(other))));
    return violationUnless(
      fits && !twice,
      `${JSON.stringify(each).slice(0, 400)} is neither as it was nor as it is wanted, or is there twice`,
    );
  });
}

function missingObjects(before: readonly JsonObject[], desired: readonly JsonObject[], after: readonly JsonObject[]): readonly string[] {
  const kept = before.filter((each) => desired.some((other) => isSame(each, other)));
  return kept.flatMap((each) =>
    violationUnless(
      after.some((other) => isSame(each, other)),
      `${idOf(each)} is gone`,
    ),
  );
}

/** Lists of documents as they are; what an account has only one of as one object that is always there. */
function objectsOf(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  return [{ ...(isJsonObject(value) ? value : { members: value ?? null }), id: SETTING_ID, _id: SETTING_ID }];
}

/** The ID of what an account has only one of. */
const SETTING_ID = 'the only one';

/** What the service writes into its documents by itself. */
const SERVICE_FIELDS = /^(_?id|created|lastmod|lmsig|owner|last_\w+|next_rotation|err_\w+)$/;

function isSame(one: JsonObject, other: JsonObject): boolean {
  return equal(idOf(one), idOf(other));
}

function idOf(object: JsonObject): Json {
  return object.id ?? object._id ?? SETTING_ID;
}

/** What of an object the project can decide. */
function contents(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object).filter(([name]) => !SERVICE_FIELDS.test(name));
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function invalidJson(command: string, stdout: string): readonly string[] {
  try {
    documentsOf(command, stdout);
    return [];
  } catch (error) {
    return [`its JSON is not what its schema says: ${String(error).slice(0, 300)}`];
  }
}

function violationUnless(holds: boolean, violation: string): readonly string[] {
  return holds ? [] : [violation];
}
