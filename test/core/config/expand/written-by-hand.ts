/** Expands a configuration to one plain document, as somebody would who writes the expansion by hand. Shares no code with the program. */
import { isJsonObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import type { DrawnProject } from './random-language.ts';

/** The plain document. */
export interface WrittenByHand {
  readonly sections: JsonObject;
  /** Paths of nulls that have nothing to remove. */
  readonly uselessNulls: readonly string[];
}

interface Named {
  readonly value: Json;
  readonly text: string;
}
type Scope = ReadonlyMap<string, Named>;
type Params = ReadonlyMap<string, { readonly type: string; readonly fallback: Json | undefined }>;

const SINGULAR = { playlists: 'playlist', smart_starts: 'smart_start', drm_policies: 'drm_policy' } as const;
type SectionName = keyof typeof SINGULAR;
const SECTIONS = ['playlists', 'smart_starts', 'drm_policies'] as const satisfies readonly SectionName[];

/** Fields that take only text. */
const TEXT_FIELDS = new Set(['desc', 'beam', 'id', 'assets']);

/** Writes a configuration without the language. */
export function writeByHand({ vars, sources, csv }: DrawnProject): WrittenByHand {
  const scope: Scope = new Map(Object.entries(vars).map(([name, value]) => [name, { value, text: String(value) }]));
  const documents = sources.flatMap(({ files }) => [...files.values()].flatMap((file) => file.documents));
  const lists = new Map(documents.flatMap(({ entry_lists }) => Object.entries(asMap(entry_lists))));
  const templates = new Map(documents.flatMap((document) => Object.entries(asMap(document.templates))));
  const state = new Map<SectionName, Map<string, Json>>();
  const uselessNulls: string[] = [];

  /** Replaces variables; `isText` says that the value stands in a field that takes only text. */
  const fill = (value: Json, names: Scope, isText = false): Json => {
    if (typeof value === 'string') return fillText(value, names, isText);
    if (Array.isArray(value)) return entriesOf(value, names, isText);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, names, TEXT_FIELDS.has(key))]));
  };
  /** Replaces variables and includes in a list. */
  const entriesOf = (list: readonly Json[], names: Scope, isText = false): Json[] =>
    list.flatMap((entry): Json[] => {
      const included = asMap(entry).include;
      if (typeof included === 'string') {
        const found = lists.get(included);
        if (!Array.isArray(found)) throw new Error(`no list ${included}`);
        return entriesOf(found, scope);
      }
      const filled = fill(entry, names, isText);
      return Array.isArray(filled) ? filled : [filled];
    });
  const argumentsFor = (params: Params, given: (name: string, type: string) => Named | undefined): Scope => {
    const args = [...params].map(([name, { type, fallback }]): readonly [string, Named] => {
      const argument = given(name, type) ?? (fallback === undefined ? undefined : named(fill(fallback, scope)));
      if (argument === undefined) throw new Error(`no ${name}`);
      return [name, argument];
    });
    return new Map([...scope, ...args]);
  };
  const templateOf = (name: Json | undefined, section: SectionName) => {
    const declared = asMap(typeof name === 'string' ? templates.get(name) : undefined);
    const params: Params = new Map(
      Object.entries(asMap(declared.params)).map(([param, spec]) => [
        param,
        typeof spec === 'string' ? { type: spec, fallback: undefined } : { type: String(asMap(spec).type), fallback: asMap(spec).default },
      ]),
    );
    return { params, body: declared[SINGULAR[section]] ?? {} };
  };

  for (const source of sources) {
    for (const [, { documents: own }] of source.files) {
      const fileDefaults = asMap(own.map((document) => document.defaults).find((each) => each !== undefined));
      /** Puts a template's body and the own fields over what stands there, or over the defaults. */
      const declare = (section: SectionName, key: string, body: Json, fields: Json) => {
        const members = state.get(section) ?? new Map<string, Json>();
        state.set(section, members);
        const path = `${section}/${key}`;
        if (fields === null) {
          if (!members.delete(key)) uselessNulls.push(path);
          return;
        }
        const layers = members.has(key)
          ? [body, fields]
          : [fill(source.defaults[section] ?? {}, scope), fill(fileDefaults[section] ?? {}, scope), body, fields];
        let value = members.get(key);
        for (const layer of layers) value = over(value, layer, path);
        members.set(key, value ?? {});
      };
      for (const document of own)
        for (const section of SECTIONS) {
          if (document[section] !== undefined) state.set(section, state.get(section) ?? new Map());
          for (const [key, member] of Object.entries(asMap(document[section]))) {
            const { template, with: args, ...fields } = asMap(member);
            const { params, body } = templateOf(template, section);
            const names = argumentsFor(params, (name) => {
              const given = asMap(args)[name];
              return given === undefined ? undefined : named(fill(given, scope));
            });
            declare(section, key, fill(body, names), member === null ? null : fill(fields, scope));
          }
          for (const table of [document[`${section}_from`] ?? []].flat().map(asMap)) {
            state.set(section, state.get(section) ?? new Map());
            const { params, body } = templateOf(table.template, section);
            for (const row of rowsOf(table, source.path)) {
              const names = argumentsFor(params, row);
              const key = fill(table.key ?? '', new Map([...scope, ['id', row('id', 'string') ?? { value: '', text: '' }]]), true);
              declare(section, String(key), fill(body, names), {});
            }
          }
        }
    }
  }

  function rowsOf(table: JsonObject, folder: string): readonly ((name: string, type: string) => Named | undefined)[] {
    if (typeof table.file === 'string') {
      const [header = [], ...rows] = csv.get(`${folder}/${table.file}`) ?? [];
      return rows.map((cells) => (name, type) => {
        const cell = cells[header.indexOf(name)] ?? '';
        return cell === '' ? undefined : { value: cellValue(cell, type), text: cell };
      });
    }
    return [table.rows ?? []].flat().map((row) => (name) => {
      const given = asMap(row)[name];
      return given === undefined ? undefined : named(fill(given, scope));
    });
  }

  /** Puts a layer over a value: maps merge, null removes, everything else is replaced. */
  function over(below: Json | undefined, above: Json, path: string): Json | undefined {
    if (above === null) {
      if (below === undefined) uselessNulls.push(path);
      return undefined;
    }
    if (typeof above !== 'object' || Array.isArray(above)) return above;
    const merged: Record<string, Json> = { ...asMap(below) };
    for (const [key, value] of Object.entries(above)) {
      const result = over(merged[key], value, `${path}/${key}`);
      if (result === undefined) delete merged[key];
      else merged[key] = result;
    }
    return merged;
  }

  const sections = Object.fromEntries([...state].map(([section, members]) => [section, escaped(Object.fromEntries(members))]));
  return { sections: asMap(sections), uselessNulls };
}

function fillText(text: string, names: Scope, isText: boolean): Json {
  const alone = /^\$\{([^}]+)\}$/.exec(text)?.[1];
  if (alone !== undefined) return isText ? found(names, alone).text : found(names, alone).value;
  return text.replaceAll(/\$\$\{|\$\{([^}]+)\}/g, (_written, name: string | undefined) =>
    name === undefined ? '${' : found(names, name).text,
  );
}

function found(names: Scope, name: string): Named {
  const variable = names.get(name);
  if (variable === undefined) throw new Error(`no variable ${name}`);
  return variable;
}

function named(value: Json): Named {
  return { value, text: typeof value === 'object' ? '' : String(value) };
}

function cellValue(cell: string, type: string): Json {
  if (type === 'integer' || type === 'number') return Number(cell);
  return type === 'boolean' ? cell.toLowerCase() === 'true' : cell;
}

function asMap(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Escapes texts that would be read as variables. */
function escaped(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escaped);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, escaped(each)]));
}
