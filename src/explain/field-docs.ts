/** What the schemas say of each field, by its keys alone: names of resources and indices of lists are no part of its path. */

import { suggest } from '../config/did-you-mean.ts';
import type { FieldExplanation } from '../model/explanation.ts';
import { isObject } from '../model/json.ts';
import { bounds, type JsonSchema, typeOf, unitOf } from './json-schema.ts';

/** A file that the schema describes. */
export interface SchemaFile {
  readonly file: FieldExplanation['file'];
  readonly schema: JsonSchema;
}

/** Names suggested for one that nobody knows. */
const MOST_SUGGESTIONS = 5;

/** Every field of the files, by its path; the file itself has an empty one and is not among them. */
export function fieldsOf({ file, schema }: SchemaFile): ReadonlyMap<string, FieldExplanation> {
  const found = new Map<string, FieldExplanation>();
  const walk = (shape: JsonSchema, path: string, isRequired: boolean, section: string | undefined): void => {
    const whole = resolved(shape, schema);
    const own = sectionOf(whole) ?? section;
    const below = inner(whole, schema);
    if (path !== '') found.set(path, explained(path, file, whole, schema, isRequired, own));
    for (const [key, member] of Object.entries(membersOf(whole, schema))) {
      walk(member, path === '' ? key : `${path}.${key}`, below.required?.includes(key) === true, sectionOf(below) ?? own);
    }
  };
  walk(schema, '', false, undefined);
  return found;
}

/** The file as a whole: its top-level keys. */
export function rootField({ file, schema }: SchemaFile): FieldExplanation {
  return explained('', file, schema, schema, false, undefined);
}

/** The fields that may have been meant by a path that is none, the likeliest first. */
export function nearestFields(wanted: string, known: readonly string[]): readonly string[] {
  const steps = wanted.split(/[./]/).map((step) => step.replace(/\[\d*\]$/, ''));
  const last = steps.at(-1) ?? '';
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  const withNames = known.filter((path) => isWithin(path.split('.'), steps)).toSorted((a, b) => b.length - a.length);
  const ways: readonly (readonly string[])[] = [
    withNames.slice(0, 1),
    known.filter((path) => path.endsWith(`.${wanted}`)),
    known.filter((path) => lastOf(path) === last),
    [suggest(wanted, known) ?? []].flat(),
    known.filter((path) => lastOf(path) === suggest(last, known.map(lastOf))),
  ];
  return (ways.find((found) => found.length > 0) ?? []).slice(0, MOST_SUGGESTIONS);
}

/** Whether the keys are what is left when names and indices are taken out: `playlists.evening.repeat` means `playlists.repeat`. */
function isWithin(keys: readonly string[], steps: readonly string[]): boolean {
  let at = 0;
  for (const step of steps) if (step === keys[at]) at += 1;
  return at === keys.length && keys.length > 1 && keys.at(-1) === steps.at(-1) && keys[0] === steps[0];
}

/** A part behind its reference; what stands beside the reference wins. */
function resolved(shape: JsonSchema, root: JsonSchema): JsonSchema {
  const name = shape.$ref?.replace('#/definitions/', '');
  return name === undefined ? shape : { ...root.definitions?.[name], ...shape };
}

/** What the members of a field are members of: a map's values and a list's items stand for the field itself. */
function inner(shape: JsonSchema, root: JsonSchema): JsonSchema {
  const next = shape.items ?? (isObject(shape.additionalProperties) && !shape.properties ? shape.additionalProperties : undefined);
  return next === undefined ? shape : inner(resolved(next, root), root);
}

function membersOf(shape: JsonSchema, root: JsonSchema): { readonly [key: string]: JsonSchema } {
  const within = inner(shape, root);
  const branches = (within.allOf ?? []).flatMap(({ then }) => (then ? Object.entries(resolved(then, root).properties ?? {}) : []));
  return { ...within.properties, ...Object.fromEntries(branches.filter(([key]) => within.properties?.[key] === undefined)) };
}

/** Where the documents speak of it: the schemas say so in `$comment`, which editors do not show. */
function sectionOf({ $comment }: JsonSchema): string | undefined {
  return /^see (.+)$/.exec($comment ?? '')?.[1];
}

function explained(
  field: string,
  file: FieldExplanation['file'],
  shape: JsonSchema,
  root: JsonSchema,
  isRequired: boolean,
  section: string | undefined,
): FieldExplanation {
  const within = inner(shape, root);
  const unit = unitOf(shape);
  const members = Object.entries(membersOf(shape, root)).map(([key, member]) => {
    const { description = '' } = resolved(member, root);
    return { key, description };
  });
  return {
    schemaVersion: 1,
    field,
    file,
    description: shape.description ?? '',
    type: typeOf(shape, (part) => resolved(part, root)),
    ...(unit === undefined ? {} : { unit }),
    ...(shape.default === undefined ? {} : { default: shape.default }),
    values: shape.enum ?? (shape.const === undefined ? (within.enum ?? []) : [shape.const]),
    examples: shape.examples ?? within.examples ?? [],
    rules: [
      ...(isRequired ? ['must be written'] : []),
      ...bounds(shape),
      ...(within === shape ? [] : bounds(within).map((rule) => `each ${rule}`)),
    ],
    ...(section === undefined ? {} : { section }),
    members,
  };
}
