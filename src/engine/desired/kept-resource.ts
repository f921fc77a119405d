/** Resources as the JSON that is kept of them (`kept.ts`), and back: read only as far as a run asks for them. */
import type { Desired } from '../../kinds/kind.ts';
import { bareFields, type Fields, isFields, isMadeBare, isObject, type Json } from '../../model/json.ts';
import { asList, asTexts } from '../../model/read.ts';

/** What is kept of resources: a line of JSON for the fields of each, and the rest. */
export interface Packed {
  readonly fields: readonly string[];
  readonly resources: Json;
  readonly contexts: Json;
  readonly forms: Json;
}

/** What is kept of resources. */
export function packed(resources: readonly Desired[]): Packed {
  const shared: Shared = { contexts: new Table(), forms: new Table() };
  const parts = resources.flatMap((resource) => partsOf(resource, shared));
  const fields = resources.map((resource) => JSON.stringify(resource.fields));
  return { fields, resources: parts, contexts: shared.contexts.values(), forms: shared.forms.values() };
}

/** The resources of an entry, and the lines of their fields; undefined where they have another form than `packed` gives. */
export function unpacked(entry: { readonly [member: string]: unknown }, fields: readonly string[]): readonly Desired[] | undefined {
  const [contexts, forms] = [allOf(entry.contexts, isBareMap), allOf(entry.forms, isTexts)];
  return contexts && forms && resourcesIn(entry.resources, fields, contexts, forms);
}

/** What many resources have in common is written once: their contexts, and the names of what is declared of their fields. */
interface Shared {
  readonly contexts: Table<Fields, Fields>;
  readonly forms: Table<string, readonly string[]>;
}

/** Values by the order in which their keys were first seen. */
class Table<Key, Value extends Json> {
  readonly #places = new Map<Key, number>();
  readonly #values: Value[] = [];

  placeOf(key: Key, value: Value): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#values.length);
    return this.#values.push(value) - 1;
  }

  values(): readonly Value[] {
    return this.#values;
  }
}

/**
 * A resource as so many parts of one long list, which is read faster than a list of objects. Its fields are a line of their own, which is
 * not read before it is asked for, as few runs need more of a resource than whether it is the same as the live object; most of what is
 * declared stands in the fields too. Most paths are that of a member of a section, most clues the label alone: these are left out.
 */
function partsOf(
  { address, name, fields, declared, clues, adoptable, path, label, inFile, context }: Desired,
  shared: Shared,
): readonly Json[] {
  const names = Object.keys(declared);
  const isSome = names.every((each) => declared[each] === fields[each]);
  const [clue, ...more] = clues;
  const isLabel = more.length === 0 && clue !== undefined && 'name' in clue && clue.name === label;
  const [section = '', key] = path;
  return [
    address,
    name,
    isSome ? shared.forms.placeOf(JSON.stringify(names), names) : JSON.stringify(declared),
    isLabel ? null : clues.map((each) => ({ ...each })),
    adoptable,
    path.length === 2 && key === name ? section : path,
    label ?? null,
    inFile ? { ...inFile } : null,
    context ? shared.contexts.placeOf(context, context) : null,
  ];
}

/** The parts of a resource. */
const PARTS = 9;

function resourcesIn(
  value: unknown,
  fields: readonly string[],
  contexts: readonly Fields[],
  forms: readonly (readonly string[])[],
): readonly Desired[] | undefined {
  const parts = asList(value);
  if (parts?.length !== fields.length * PARTS) return undefined;
  const resources: Desired[] = [];
  for (const [index, text] of fields.entries()) {
    const resource = resourceIn(parts, index * PARTS, text, contexts, forms);
    if (resource === undefined) return undefined;
    resources.push(resource);
  }
  return resources;
}

/** The resource whose parts begin there. By their places, as a list of its own for each took longer than all else here. */
function resourceIn(
  parts: readonly unknown[],
  at: number,
  text: string,
  contexts: readonly Fields[],
  forms: readonly (readonly string[])[],
): Desired | undefined {
  const [address, name, form, adoptable] = [parts[at], parts[at + 1], parts[at + 2], parts[at + 4]];
  if (typeof address !== 'string' || typeof name !== 'string' || typeof adoptable !== 'boolean' || !isMapText(text)) return undefined;
  const [label, inFile, context] = [parts[at + 6], parts[at + 7], parts[at + 8]];
  const declared = typeof form === 'number' ? forms[form] : isMapText(form) ? form : undefined;
  const clues = parts[at + 3] ?? [{ name: label }];
  const path = typeof parts[at + 5] === 'string' ? [parts[at + 5], name] : parts[at + 5];
  if (declared === undefined || !isAll(clues, isClue) || !isAll(path, isStep)) return undefined;
  const known = typeof context === 'number' ? contexts[context] : undefined;
  const resource = { address, name, clues, adoptable, path };
  return Object.assign(
    new Kept(text, declared),
    resource,
    typeof label === 'string' ? { label } : null,
    isPlace(inFile) ? { inFile } : null,
    known ? { context: known } : null,
  );
}

/** A resource whose fields are read when they are first asked for. They are members of its own, so that a copy of it has them too. */
class Kept {
  declare readonly fields: Fields;
  declare readonly declared: Fields;
  readonly #text: string;
  readonly #form: string | readonly string[];
  #fields: Fields | undefined;

  constructor(text: string, form: string | readonly string[]) {
    this.#text = text;
    this.#form = form;
    Object.defineProperties(this, Kept.#members);
  }

  /** Whether the fields are these, to the letter; false says nothing. */
  reads(fields: Fields): boolean {
    return this.#text === JSON.stringify(fields);
  }

  #read(): Fields {
    this.#fields ??= fieldsIn(this.#text);
    return this.#fields;
  }

  static readonly #members: PropertyDescriptorMap & ThisType<Kept> = {
    fields: {
      enumerable: true,
      get() {
        return this.#read();
      },
    },
    declared: {
      enumerable: true,
      get() {
        return typeof this.#form === 'string' ? fieldsIn(this.#form) : some(this.#read(), this.#form);
      },
    },
  };
}

/** Whether a resource is one that was kept, with these very fields, which spares reading them; false says nothing. */
export function isKeptAs(fields: Fields, desired: Desired): boolean {
  return desired instanceof Kept && desired.reads(fields);
}

/** Whether it is the text of a map, as far as its ends tell; what stands between them is what was written, as its digest says (`cli/cache.ts`). */
function isMapText(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('{') && value.endsWith('}');
}

function fieldsIn(text: string): Fields {
  const value: unknown = JSON.parse(text);
  if (!isMadeBare(value) || !isFields(value)) throw new Error('what is kept of a declaration is not what was written');
  return value;
}

function some(fields: Fields, names: readonly string[] = []): Fields {
  const found = bareFields();
  for (const name of names) found[name] = fields[name] ?? null;
  return found;
}

function isTexts(value: unknown): value is readonly string[] {
  return asTexts(value) !== undefined;
}

/** A list whose items are all such; undefined where it is something else. */
export function allOf<T>(value: unknown, is: (item: unknown) => item is T): readonly T[] | undefined {
  return isAll(value, is) ? value : undefined;
}

function isAll<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

/** Parsed from text, so whatever an object holds is JSON; its maps lose their prototype. */
function isBareMap(value: unknown): value is Fields {
  return isObject(value) && isMadeBare(value);
}

function isClue(value: unknown): value is Desired['clues'][number] {
  return isObject(value) && (typeof value.id === 'string' || typeof value.name === 'string');
}

function isStep(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Whether it is a place in a file. */
export function isPlace(value: unknown): value is NonNullable<Desired['inFile']> {
  return isObject(value) && typeof value.file === 'string' && typeof value.line === 'number' && typeof value.column === 'number';
}
