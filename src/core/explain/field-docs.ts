/** Documents each field from the schemas. The path of a field holds keys only, no names of resources and no indices of lists. */

import { suggest } from '../config/did-you-mean.ts';
import type { FieldExplanation } from '../model/explanation.ts';
import { isObject } from '../model/json.ts';
import { bounds, type JsonSchema, typeOf, unitOf } from './json-schema.ts';

/** A file, and the schema that describes it. */
export interface SchemaFile {
  readonly file: FieldExplanation['file'];
  readonly schema: JsonSchema;
}

/** Maximum number of suggestions for an unknown field. */
const MAX_SUGGESTIONS = 5;

/** Returns every field of a file, by its path. The file itself, with the empty path, is not included. */
export function documentedFields({ file, schema }: SchemaFile): ReadonlyMap<string, FieldExplanation> {
  const found = new Map<string, FieldExplanation>();
  const walk = (part: JsonSchema, path: string, isRequired: boolean, section: string | undefined): void => {
    const whole = resolve(part, schema);
    const ownSection = sectionOf(whole) ?? section;
    const content = contentOf(whole, schema);
    if (path !== '') found.set(path, toExplanation(path, file, whole, schema, isRequired, ownSection));
    for (const [key, member] of Object.entries(membersOf(whole, schema))) {
      walk(member, path === '' ? key : `${path}.${key}`, content.required?.includes(key) === true, sectionOf(content) ?? ownSection);
    }
  };
  walk(schema, '', false, undefined);
  return found;
}

/** Documents the file as a whole, with its top-level keys. */
export function rootField({ file, schema }: SchemaFile): FieldExplanation {
  return toExplanation('', file, schema, schema, false, undefined);
}

/** Suggests fields for an unknown path, the likeliest first. */
export function nearestFields(path: string, known: readonly string[]): readonly string[] {
  const segments = path.split(/[./]/).map((segment) => segment.replace(/\[\d*\]$/, ''));
  const last = segments.at(-1) ?? '';
  const lastKeyOf = (field: string) => field.slice(field.lastIndexOf('.') + 1);
  const withNames = known.filter((field) => isWithin(field.split('.'), segments)).toSorted((a, b) => b.length - a.length);
  const attempts: readonly (readonly string[])[] = [
    withNames.slice(0, 1),
    known.filter((field) => field.endsWith(`.${path}`)),
    known.filter((field) => lastKeyOf(field) === last),
    [suggest(path, known) ?? []].flat(),
    known.filter((field) => lastKeyOf(field) === suggest(last, known.map(lastKeyOf))),
  ];
  return (attempts.find((found) => found.length > 0) ?? []).slice(0, MAX_SUGGESTIONS);
}

/** Decides whether the path without names and indices consists of these keys: `playlists.evening.repeat` means `playlists.repeat`. */
function isWithin(keys: readonly string[], segments: readonly string[]): boolean {
  let found = 0;
  for (const segment of segments) if (segment === keys[found]) found += 1;
  return found === keys.length && keys.length > 1 && keys.at(-1) === segments.at(-1) && keys[0] === segments[0];
}

/** Resolves the `$ref` of a schema. Keywords beside the `$ref` take precedence. */
function resolve(part: JsonSchema, root: JsonSchema): JsonSchema {
  const name = part.$ref?.replace('#/definitions/', '');
  return name === undefined ? part : { ...root.definitions?.[name], ...part };
}

/** Returns the schema of the members of a field: of a map by name that of its values, of a list that of its items. */
function contentOf(part: JsonSchema, root: JsonSchema): JsonSchema {
  const next = part.items ?? (isObject(part.additionalProperties) && !part.properties ? part.additionalProperties : undefined);
  return next === undefined ? part : contentOf(resolve(next, root), root);
}

function membersOf(part: JsonSchema, root: JsonSchema): { readonly [key: string]: JsonSchema } {
  const content = contentOf(part, root);
  const forms = (content.anyOf ?? []).flatMap((form) => Object.entries(resolve(form, root).properties ?? {}));
  const branches = (content.allOf ?? []).flatMap(({ then }) => (then ? Object.entries(resolve(then, root).properties ?? {}) : []));
  return {
    ...Object.fromEntries(forms),
    ...content.properties,
    ...Object.fromEntries(branches.filter(([key]) => content.properties?.[key] === undefined)),
  };
}

/** Returns the section of the API documents. Schemas name it in `$comment`, which editors do not show. */
function sectionOf({ $comment }: JsonSchema): string | undefined {
  return /^see (.+)$/.exec($comment ?? '')?.[1];
}

function toExplanation(
  field: string,
  file: FieldExplanation['file'],
  part: JsonSchema,
  root: JsonSchema,
  isRequired: boolean,
  section: string | undefined,
): FieldExplanation {
  const content = contentOf(part, root);
  const unit = unitOf(part);
  const members = Object.entries(membersOf(part, root)).map(([key, member]) => {
    const { description = '' } = resolve(member, root);
    return { key, description };
  });
  return {
    schemaVersion: 1,
    field,
    file,
    description: part.description ?? '',
    type: typeOf(part, (each) => resolve(each, root)),
    ...(unit === undefined ? {} : { unit }),
    ...(part.default === undefined ? {} : { default: part.default }),
    values: part.enum ?? (part.const === undefined ? (content.enum ?? []) : [part.const]),
    examples: part.examples ?? content.examples ?? [],
    rules: [
      ...(isRequired ? ['must be written'] : []),
      ...bounds(part),
      ...(content === part ? [] : bounds(content).map((rule) => `each ${rule}`)),
    ],
    ...(section === undefined ? {} : { section }),
    members,
  };
}
