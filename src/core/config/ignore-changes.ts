/** Reads and validates `ignore_changes`: the fields that are left to others (design section 3, fields left to others). */
import { type DesiredResource, errorFinding, type Kind, type UnlocatedFinding, warningFinding } from '../kinds/kind.ts';
import { addressPrefixes, kindOfAddress, mayMatchPrefix } from '../model/address.ts';
import type { Hint, SourcePosition } from '../model/finding.ts';
import { indexGlobs } from '../model/glob.ts';
import type { IgnoredField } from '../model/ignored-fields.ts';
import { isDay } from '../model/instant.ts';
import { isJsonObject, type Json, type JsonObject, type Path, parsePointer, pointer } from '../model/json.ts';
import { asStringArray } from '../model/json-readers.ts';
import { suggest } from './did-you-mean.ts';
import { MAX_EXPANDED_ENTRIES, tooManyEntries } from './expand/budget.ts';
import type { Target } from './project.ts';
import type { SourceModel } from './source-model.ts';

/** The most entries whose address has a `*`: each is compared with each resource. */
export const MAX_GLOBS = 1_000;

/** One entry of `ignore_changes`. */
interface Entry {
  readonly address: string;
  readonly fields: readonly string[];
  readonly until: string | undefined;
  readonly why: string | undefined;
  readonly path: Path;
}

/** Returns the resources with their ignored fields, and the findings about the entries. `positionOf` locates a path of the merged sources. */
export function applyIgnoreChanges(
  merged: JsonObject,
  { kinds }: Pick<SourceModel, 'kinds'>,
  resources: readonly DesiredResource[],
  { name, ignoreChanges }: Pick<Target, 'name' | 'ignoreChanges'>,
  positionOf: (path: Path) => SourcePosition,
): { readonly resources: readonly DesiredResource[]; readonly findings: readonly UnlocatedFinding[] } {
  const { ignore_changes: written } = merged;
  const entries = Array.isArray(written)
    ? written.flatMap((value: Json, index: number) => readEntry(value, ['ignore_changes', index]))
    : [];
  if (entries.length === 0) return { resources, findings: [] };
  const forbidden = entries.map(({ path }) =>
    errorFinding('ignore-changes', path, `target ${name} forbids \`ignore_changes\``, 'upkeep.yaml says so: `ignore_changes.allowed`.'),
  );
  const globs = entries.filter(({ address }) => address.includes('*'));
  if (globs.length > MAX_GLOBS) return { resources: [], findings: [tooManyGlobs()] };
  const placesFor = indexGlobs(entries.map(({ address }) => address));
  const matches: readonly Match[] = resources.map((resource) => ({ resource, places: placesFor(resource.address) }));
  const attached = attachIgnored(matches, kinds, entries, positionOf);
  if (attached === null) return { resources: [], findings: [tooManyEntries(['ignore_changes'])] };
  return { resources: attached, findings: ignoreChanges.allowed ? findingsOf(entries, matches, kinds) : forbidden };
}

/** A resource, and the places of the entries whose address matches it. */
interface Match {
  readonly resource: DesiredResource;
  readonly places: readonly number[];
}

function tooManyGlobs(): UnlocatedFinding {
  const summary = `\`ignore_changes\` has more than ${MAX_GLOBS} entries whose address has a \`*\``;
  return errorFinding('too-large', ['ignore_changes'], summary, 'Name the resources, or let one entry match more of them.');
}

function findingsOf(entries: readonly Entry[], matches: readonly Match[], kinds: readonly Kind[]): readonly UnlocatedFinding[] {
  const matched = entries.map((): DesiredResource[] => []);
  for (const { resource, places } of matches) for (const place of places) matched[place]?.push(resource);
  return entries.flatMap((entry, place) => entryFindings(entry, kinds, matched[place] ?? []));
}

/** Reads an entry; none where the schema rejects it. */
function readEntry(value: Json, path: Path): readonly Entry[] {
  if (!isJsonObject(value)) return [];
  const { address, until, why } = value;
  const fields = asStringArray(value.fields);
  if (typeof address !== 'string' || fields === undefined) return [];
  return [{ address, fields, until: textOf(until), why: textOf(why), path }];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the resources with their ignored fields; null where these are too many. */
function attachIgnored(
  matches: readonly Match[],
  kinds: readonly Kind[],
  entries: readonly Entry[],
  positionOf: (path: Path) => SourcePosition,
): readonly DesiredResource[] | null {
  const fieldsOf = entries.map(({ fields, until, why, path }) => {
    const { file, line, column } = positionOf(path);
    const rest = { ...(until === undefined ? {} : { until }), ...(why === undefined ? {} : { why }), declared: { file, line, column } };
    return fields.map((field): IgnoredField => ({ path: field, ...rest }));
  });
  let total = 0;
  const attached = matches.map(({ resource, places }) => {
    if (total > MAX_EXPANDED_ENTRIES) return resource;
    const matching = places.flatMap((place) => fieldsOf[place] ?? []);
    const kind = matching.length === 0 ? undefined : kindOfAddress(kinds, resource.address);
    const ignored = kind ? matching.filter(({ path }) => isField(fieldTreeOf(kind), parsePointer(path))) : [];
    total += matching.length;
    return ignored.length === 0 ? resource : { ...resource, ignored };
  });
  return total > MAX_EXPANDED_ENTRIES ? null : attached;
}

function fieldTreeOf(kind: Kind): JsonObject {
  return kind.allFields?.() ?? kind.defaults();
}

function isField(tree: Json | undefined, [member, ...below]: readonly string[]): boolean {
  if (member === undefined) return true;
  return isJsonObject(tree) && Object.hasOwn(tree, member) && isField(tree[member], below);
}

function entryFindings(entry: Entry, kinds: readonly Kind[], matched: readonly DesiredResource[]): readonly UnlocatedFinding[] {
  const { address, fields, until, path } = entry;
  const matching = kinds.filter((kind) => addressPrefixes(kind).some((prefix) => mayMatchPrefix(address, prefix)));
  const known = kinds.flatMap(addressPrefixes).join(', ');
  const unknownAddress = errorFinding(
    'ignore-changes',
    [...path, 'address'],
    `\`${address}\` matches no address`,
    `Known addresses begin with, or are: ${known}.`,
  );
  const ignoresNothing = matching.length > 0 && matched.length === 0;
  return [
    ...(ignoresNothing ? [unusedEntry(address, path)] : []),
    ...(matching.length === 0
      ? [unknownAddress]
      : fields.flatMap((field, index) => invalidField(entry, field, [...path, 'fields', index], matching, matched) ?? [])),
    ...(until === undefined || isDay(until)
      ? []
      : [
          errorFinding(
            'ignore-changes',
            [...path, 'until'],
            `\`${until}\` is not a day`,
            'Write it as YEAR-MONTH-DAY, such as 2027-03-31.',
          ),
        ]),
  ];
}

function unusedEntry(address: string, path: Path): UnlocatedFinding {
  const summary = `\`${address}\` matches no resource that is declared`;
  return warningFinding('ignores-nothing', [...path, 'address'], summary, 'Correct the address, or remove the entry.');
}

function invalidField(
  { address }: Entry,
  field: string,
  path: Path,
  matching: readonly Kind[],
  matched: readonly DesiredResource[],
): UnlocatedFinding | undefined {
  const error = (summary: string, hint: Hint) => errorFinding('ignore-changes', path, summary, hint);
  if (!/^(\/([^~/]|~[01])+)+$/.test(field)) return error(`\`${field}\` is not a JSON Pointer`, () => hintAtPointer(field, matching));
  const steps = parsePointer(field);
  const withField = matching.filter((kind) => isField(fieldTreeOf(kind), steps));
  if (withField.length === 0)
    return error(`no resource that \`${address}\` matches has the field \`${field}\``, () => hintAtField(steps, matching));
  const named = withField.filter((kind) => kind.type === 'collection' && steps[0] === kind.remoteNameField);
  if (named.length === 0) return undefined;
  const recognized = matched.find(
    (resource) =>
      resource.matchKeys.some((key) => 'remoteName' in key) && named.some((kind) => kind === kindOfAddress(matching, resource.address)),
  );
  if (!recognized) return undefined;
  const summary = `\`${field}\` cannot be left to others: ${recognized.address} is recognized by it`;
  return error(summary, 'Choose other fields, or a narrower `address`.');
}

/** Names the field that is meant where only slashes are missing, as in `active` and `fairplay.lease`. */
function hintAtPointer(field: string, matching: readonly Kind[]): string {
  const meant = `/${field.split(/[./]/).filter(Boolean).join('/')}`;
  const isKnown = matching.some((kind) => isField(fieldTreeOf(kind), parsePointer(meant)));
  return isKnown ? `Did you mean \`${meant}\`?` : 'Write a field with a slash before each name, for example `/active`.';
}

/** Names the most similar field, else the one that a pointer lies within, else all at the top. */
function hintAtField(steps: readonly string[], matching: readonly Kind[]): string {
  const known = matching.flatMap((kind) => pointersOf(fieldTreeOf(kind), []));
  const above = steps.map((_, index) => pointer(steps.slice(0, index))).findLast((each) => known.includes(each));
  const near = suggest(pointer(steps), known);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const topLevel = [...new Set(matching.flatMap((kind) => Object.keys(fieldTreeOf(kind)).map((name) => pointer([name]))))];
  return above === undefined ? `The fields are ${topLevel.join(', ')}.` : `\`${above}\` has no such part; it can be named as a whole.`;
}

function pointersOf(tree: JsonObject, above: Path): readonly string[] {
  return Object.entries(tree).flatMap(([member, value]) => {
    const path = [...above, member];
    return [pointer(path), ...(isJsonObject(value) ? pointersOf(value, path) : [])];
  });
}
