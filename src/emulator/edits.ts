/** Changes of the stored documents as plain data: in the journal, in faults, and in `POST /__edit`. */
import type { JsonObject } from '../model/json.ts';
import { isObject } from '../model/json.ts';

/** One document set or, with null, removed. */
export interface DocumentWrite {
  readonly owner: string;
  readonly emulation: string;
  readonly collection: string;
  readonly id: string;
  readonly document: JsonObject | null;
}

/**
 * A change behind the client's back: `document` replaces or (null) removes what is stored, `merge` sets members over it,
 * and does nothing where nothing is stored.
 * Collections and documents are those of the kind's emulation; `owner` may be left out where it is clear.
 */
export interface DocumentEdits {
  readonly owner?: string;
  readonly emulation: string;
  readonly collection: string;
  readonly id: string;
  readonly document?: JsonObject | null;
  readonly merge?: JsonObject;
}

/** Everything that is read here was parsed from JSON, so that an object is a JSON object. */
function isFields(value: unknown): value is JsonObject {
  return isObject(value);
}

function readText(value: { readonly [member: string]: unknown }, member: string): string {
  const text = value[member];
  if (typeof text !== 'string' || text === '') throw new Error(`${member} must be a text that is not empty`);
  return text;
}

function readPlace(value: { readonly [member: string]: unknown }): Pick<DocumentWrite, 'emulation' | 'collection' | 'id'> {
  return { emulation: readText(value, 'emulation'), collection: readText(value, 'collection'), id: readText(value, 'id') };
}

/** Reads a line's write. @throws Error that names the member */
export function parseWrite(value: unknown): DocumentWrite {
  if (!isObject(value)) throw new Error('a write must be an object');
  const { document } = value;
  if (document !== null && !isFields(document)) throw new Error('document must be an object or null');
  return { owner: readText(value, 'owner'), ...readPlace(value), document };
}

/** Reads an edit from outside. @throws Error that names the member */
export function parseEdits(value: unknown): DocumentEdits {
  if (!isObject(value)) throw new Error('an edit must be an object');
  const { document, merge } = value;
  if ((document === undefined) === (merge === undefined)) throw new Error('an edit needs either document or merge');
  const place = { ...readPlace(value), ...(value.owner === undefined ? {} : { owner: readText(value, 'owner') }) };
  if (isFields(merge)) return { ...place, merge };
  if (document === null || isFields(document)) return { ...place, document };
  throw new Error('document and merge must be objects; document may be null');
}
