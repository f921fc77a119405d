/** Changes of stored documents as plain data: in the journal, in fault rules, and in `POST /__edit`. */
import type { JsonObject } from '../core/model/json.ts';
import { isObject } from '../core/model/json.ts';

/** Sets one document or, with null, deletes it. */
export interface DocumentWrite {
  readonly owner: string;
  readonly emulation: string;
  readonly collection: string;
  readonly id: string;
  readonly document: JsonObject | null;
}

/**
 * An edit of an account behind the client's back. `document` replaces the stored document or (null) deletes it; `merge` sets members of the
 * stored document, and does nothing if there is none. `emulation` is the name of the emulated kind that defines collections and documents.
 */
export interface AccountEdit {
  /** May be omitted where the account is known. */
  readonly owner?: string;
  readonly emulation: string;
  readonly collection: string;
  readonly id: string;
  readonly document?: JsonObject | null;
  readonly merge?: JsonObject;
}

/** Parsed JSON that is an object is a JSON object; all values here come from JSON. */
function isFields(value: unknown): value is JsonObject {
  return isObject(value);
}

function readString(value: { readonly [member: string]: unknown }, member: string): string {
  const text = value[member];
  if (typeof text !== 'string' || text === '') throw new Error(`${member} must be a non-empty string`);
  return text;
}

function readLocation(value: { readonly [member: string]: unknown }): Pick<DocumentWrite, 'emulation' | 'collection' | 'id'> {
  return { emulation: readString(value, 'emulation'), collection: readString(value, 'collection'), id: readString(value, 'id') };
}

/** Reads a write from the journal. @throws Error that names the invalid member */
export function parseWrite(value: unknown): DocumentWrite {
  if (!isObject(value)) throw new Error('a write must be an object');
  const { document } = value;
  if (document !== null && !isFields(document)) throw new Error('document must be an object or null');
  return { owner: readString(value, 'owner'), ...readLocation(value), document };
}

/** Reads an edit from a fault rule or a control request. @throws Error that names the invalid member */
export function parseEdit(value: unknown): AccountEdit {
  if (!isObject(value)) throw new Error('an edit must be an object');
  const { document, merge } = value;
  if ((document === undefined) === (merge === undefined)) throw new Error('an edit needs either document or merge');
  const location = { ...readLocation(value), ...(value.owner === undefined ? {} : { owner: readString(value, 'owner') }) };
  if (isFields(merge)) return { ...location, merge };
  if (document === null || isFields(document)) return { ...location, document };
  throw new Error('document and merge must be objects; document may be null');
}
