/** Draws configurations that use the whole language, without errors of the language itself. Values may be ones that validation rejects. */
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';

/** A file of a source: YAML documents. */
export interface DrawnFile {
  readonly documents: readonly JsonObject[];
}

/** An entry of `sources`: a folder, its defaults, and its files by name within the folder. */
export interface DrawnSource {
  readonly path: string;
  readonly defaults: JsonObject;
  readonly files: ReadonlyMap<string, DrawnFile>;
}

/** A configuration. */
export interface DrawnProject {
  readonly vars: { readonly [name: string]: string | number | boolean };
  readonly sources: readonly DrawnSource[];
  /** The rows of CSV files by path, header first. */
  readonly csv: ReadonlyMap<string, readonly (readonly string[])[]>;
}

/** Chooses numbers. */
export interface Draw {
  /** Returns a whole number from 0 to `count` - 1. */
  number(count: number): number;
}

/** Returns choices from a list of numbers; once it is used up, every choice is 0, which is the simplest one. */
export function drawFrom(tape: readonly number[]): Draw {
  let at = 0;
  return { number: (count) => (tape[at++] ?? 0) % count };
}

/** The type of a parameter or of a field. An `asset` is a parameter of type string that holds an asset ID. */
type Type = 'string' | 'asset' | 'integer' | 'number' | 'boolean' | 'entries';

/** A variable or a parameter that a value may name. */
interface Name {
  readonly name: string;
  readonly type: Type;
}

interface DrawnTemplate {
  readonly name: string;
  readonly section: SectionName;
  readonly params: readonly (Name & { readonly hasDefault: boolean })[];
  readonly declared: JsonObject;
}

const SECTIONS = ['playlists', 'smart_starts', 'drm_policies'] as const;
type SectionName = (typeof SECTIONS)[number];
const SINGULAR = { playlists: 'playlist', smart_starts: 'smart_start', drm_policies: 'drm_policy' } as const;

const ASSETS = [
  '10c5467d77c54dc4b739db2cd832143a',
  '7771125f336c4e229c20f7307f8c3122',
  '40718293615042718306152940817263',
  'ec47dd72b77ea128daa31ddddd20df3e',
  '5ec51243f0e73b4e9d265276746a29e9',
] as const;
const TEXTS = [
  'Kids',
  'News, weather',
  'say "hi"',
  ' spaced ',
  'costs $$',
  '',
  '007',
  'true',
  'naïve 日本',
  '# 1',
  'null',
  "it's: here",
] as const;
const INTEGERS = [1, 30, 0, 60, 1, 90, -1] as const;
const VARS: readonly (Name & { readonly value: string | number | boolean })[] = [
  { name: 'region', type: 'string', value: 'EU, north' },
  { name: 'ident', type: 'asset', value: ASSETS[2] },
  { name: 'ad.length', type: 'integer', value: 45 },
  { name: 'factor', type: 'number', value: 2.5 },
  { name: 'is-live', type: 'boolean', value: true },
];
const PARAMETERS: readonly Name[] = [
  { name: 'title', type: 'string' },
  { name: 'id', type: 'string' },
  { name: 'first', type: 'asset' },
  { name: 'pod', type: 'integer' },
  { name: 'score', type: 'number' },
  { name: 'on', type: 'boolean' },
  { name: 'block', type: 'entries' },
];

/** Draws a configuration. */
export function drawProject(draw: Draw): DrawnProject {
  return new ProjectDrawing(draw).project();
}

class ProjectDrawing {
  readonly #draw: Draw;
  readonly #csv = new Map<string, readonly (readonly string[])[]>();
  readonly #vars: readonly (typeof VARS)[number][];
  readonly #lists: string[] = [];
  readonly #templates: DrawnTemplate[] = [];
  /** Keys that a source declares, by section, so that later sources overlay them. */
  readonly #keys = new Map<SectionName, Set<string>>(SECTIONS.map((section) => [section, new Set()]));
  #texts = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
    this.#vars = VARS.filter(() => this.#oneOf(2));
  }

  project(): DrawnProject {
    const lists = this.#entryLists();
    for (let index = this.#draw.number(5); index > 0; index--) this.#templates.push(this.#template(`t${index}`));
    const sources = Array.from({ length: 1 + this.#draw.number(3) }, (_, index) => this.#source(`s${index}`));
    for (const [section, members] of [
      ['entry_lists', lists],
      ['templates', Object.fromEntries(this.#templates.map(({ name, declared }) => [name, declared]))],
    ] as const)
      for (const [key, value] of Object.entries(members)) addTo(this.#anyDocument(sources), section, key, value);
    return { vars: Object.fromEntries(this.#vars.map(({ name, value }) => [name, value])), sources, csv: this.#csv };
  }

  #oneOf(count: number): boolean {
    return this.#draw.number(count) === count - 1;
  }

  #pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value {
    const value = values[this.#draw.number(Math.max(1, values.length))];
    if (value === undefined) throw new Error('nothing to choose from');
    return value;
  }

  #anyDocument(sources: readonly { readonly files: ReadonlyMap<string, { readonly documents: Record<string, Json>[] }> }[]) {
    return this.#pick([...this.#pick(sources).files.values()].flatMap(({ documents }) => documents));
  }

  #entryLists(): JsonObject {
    const lists: Record<string, Json> = {};
    for (let index = this.#draw.number(5); index > 0; index--) {
      const name = `list-${index}`;
      lists[name] = this.#entries(this.#vars);
      this.#lists.push(name);
    }
    return lists;
  }

  #template(name: string): DrawnTemplate {
    const section = this.#pick(SECTIONS);
    const usable = section === 'playlists' ? PARAMETERS : PARAMETERS.filter(({ type }) => type !== 'entries');
    const params = usable.filter(() => this.#oneOf(2)).map((each) => ({ ...each, hasDefault: this.#oneOf(3) }));
    const declared = params.map((param): readonly [string, Json] => {
      const type = param.type === 'asset' ? 'string' : param.type;
      if (param.hasDefault) return [param.name, { type, default: this.#value(param.type, this.#vars) }];
      return [param.name, this.#oneOf(3) ? { type } : type];
    });
    const body = this.#fields(section, [...this.#vars, ...params], true);
    return {
      name,
      section,
      params,
      declared: { ...(params.length > 0 ? { params: Object.fromEntries(declared) } : {}), [SINGULAR[section]]: body },
    };
  }

  #source(path: string) {
    const names = ['a.yaml', 'b.yaml', 'c.yaml'].slice(0, 1 + this.#draw.number(3));
    const earlier = new Map([...this.#keys].map(([section, keys]) => [section, [...keys]]));
    const taken = new Set<string>();
    const files = new Map(
      names.map((name) => {
        const documents = Array.from({ length: 1 + Number(this.#oneOf(4)) }, (): Record<string, Json> => ({}));
        const [first] = documents;
        if (first && this.#oneOf(2)) first.defaults = this.#defaults();
        for (const document of documents)
          for (const section of SECTIONS) {
            if (this.#oneOf(2)) document[section] = this.#members(section, earlier.get(section) ?? [], taken);
            if (this.#oneOf(3)) this.#addTable(document, section, `${path}/${name}`, earlier.get(section) ?? [], taken);
          }
        return [name, { documents }];
      }),
    );
    return { path, defaults: this.#oneOf(2) ? this.#defaults() : {}, files };
  }

  #defaults(): JsonObject {
    const sections = SECTIONS.filter(() => this.#oneOf(2));
    return Object.fromEntries(sections.map((section) => [section, this.#fields(section, this.#vars, true)]));
  }

  /** Returns a key that this source does not declare yet; often one of an earlier source. */
  #key(section: SectionName, earlier: readonly string[], taken: Set<string>): string {
    const free = earlier.filter((key) => !taken.has(`${section}/${key}`));
    const key = free.length > 0 && this.#oneOf(2) ? this.#pick(free) : `k${taken.size}-${this.#draw.number(10)}`;
    taken.add(`${section}/${key}`);
    this.#keys.get(section)?.add(key);
    return key;
  }

  #members(section: SectionName, earlier: readonly string[], taken: Set<string>): JsonObject {
    const members: Record<string, Json> = {};
    for (let count = this.#draw.number(4); count > 0; count--) {
      const key = this.#key(section, earlier, taken);
      members[key] = earlier.includes(key) && this.#oneOf(3) ? null : this.#member(section, earlier.includes(key));
    }
    return members;
  }

  #member(section: SectionName, mayRemove: boolean): JsonObject {
    const template = this.#templateFor(section);
    const own = this.#fields(section, this.#vars, template !== undefined || mayRemove || this.#oneOf(4));
    if (template === undefined) return own;
    const args = this.#arguments(template);
    return { template: template.name, ...(Object.keys(args).length > 0 ? { with: args } : {}), ...own };
  }

  #templateFor(section: SectionName): DrawnTemplate | undefined {
    const usable = this.#templates.filter((template) => template.section === section);
    return usable.length > 0 && this.#oneOf(2) ? this.#pick(usable) : undefined;
  }

  #arguments({ params }: DrawnTemplate): JsonObject {
    const given = params.filter(({ hasDefault }) => !(hasDefault && this.#oneOf(2)));
    return Object.fromEntries(given.map(({ name, type }) => [name, this.#value(type, this.#vars)]));
  }

  #addTable(document: Record<string, Json>, section: SectionName, file: string, earlier: readonly string[], taken: Set<string>): void {
    const usable = this.#templates.filter((template) => template.section === section);
    const template = usable.length === 0 ? undefined : this.#pick(usable);
    if (template === undefined) return;
    const prefix = this.#pick(['', 'x-', ...this.#vars.filter(({ type }) => type === 'integer').map(({ name }) => `\${${name}}-`)]);
    const resolved = prefix.startsWith('$') ? '45-' : prefix;
    const ids = Array.from({ length: this.#draw.number(4) }, () => {
      const key = this.#key(
        section,
        earlier.filter((each) => each.startsWith(resolved)),
        new Set(),
      );
      return key.startsWith(resolved) && resolved !== '' ? key.slice(resolved.length) : key;
    }).filter((id, index, all) => {
      const key = resolved + id;
      if (taken.has(`${section}/${key}`) || all.indexOf(id) !== index) return false;
      taken.add(`${section}/${key}`);
      this.#keys.get(section)?.add(key);
      return true;
    });
    const canBeCsv = template.params.every(({ type, hasDefault }) => type !== 'entries' || hasDefault);
    const key = `${prefix}\${id}`;
    const table = { template: template.name, key };
    const tables = [document[`${section}_from`] ?? []].flat();
    document[`${section}_from`] = tables;
    if (!canBeCsv || this.#oneOf(2)) {
      tables.push({ ...table, rows: ids.map((id) => ({ ...this.#arguments(template), id })) });
      return;
    }
    const csv = `table-${this.#csv.size}.csv`;
    this.#csv.set(`${file.split('/')[0]}/${csv}`, this.#csvRows(template, ids));
    tables.push({ ...table, file: csv });
  }

  #csvRows({ params }: DrawnTemplate, ids: readonly string[]): readonly (readonly string[])[] {
    const columns = params.filter(({ name, type, hasDefault }) => type !== 'entries' && name !== 'id' && !(hasDefault && this.#oneOf(3)));
    const place = this.#draw.number(columns.length + 1);
    const withId = <Value>(values: readonly Value[], id: Value) => [...values.slice(0, place), id, ...values.slice(place)];
    const rows = ids.map((id) => {
      const cells = columns.map(({ type, hasDefault }) => (hasDefault && this.#oneOf(3) ? '' : this.#cell(type)));
      return withId(cells, id);
    });
    return [
      withId(
        columns.map(({ name }) => name),
        'id',
      ),
      ...rows,
    ];
  }

  /** Returns a cell that is not empty, because an empty one is a missing argument. */
  #cell(type: Type): string {
    if (type === 'boolean') return this.#pick(['true', 'false', 'TRUE', 'False']);
    if (type === 'integer') return String(this.#pick(INTEGERS));
    if (type === 'number') return this.#pick(['2.5', '-1', '2.50', '0']);
    if (type === 'asset') return this.#pick(ASSETS);
    return this.#pick(['Show', ...TEXTS.filter((text) => text !== ''), '${region}', '$${id}', 'two\nlines', '"', ',', ' ']);
  }

  /** Returns fields of a resource; some of them null where `withNull` says so. */
  #fields(section: SectionName, scope: readonly Name[], withNull = false): JsonObject {
    const drawn = FIELDS[section].filter(([name]) => (name === 'playlist' || name === 'assets' ? !this.#oneOf(3) : this.#oneOf(3)));
    return Object.fromEntries(drawn.map(([name, type]) => [name, withNull && this.#oneOf(20) ? null : this.#field(type, scope, withNull)]));
  }

  #field(type: FieldType, scope: readonly Name[], withNull: boolean): Json {
    if (typeof type === 'object') {
      const members = Object.entries(type).filter(() => this.#oneOf(2));
      return Object.fromEntries(
        members.map(([name, each]) => [name, withNull && this.#oneOf(20) ? null : this.#field(each, scope, withNull)]),
      );
    }
    if (type === 'text') return this.#textField(scope);
    if (type === 'assets') return Array.from({ length: 1 + this.#draw.number(3) }, () => this.#value('asset', scope));
    if (type === 'specs') return [{ track_type: 'ALL', security_level: this.#value('integer', scope) }];
    return this.#value(type, scope);
  }

  /** Returns the text of a field that takes only text: a variable alone may have any type. */
  #textField(scope: readonly Name[]): Json {
    const names = scope.filter(({ type }) => type !== 'entries');
    if (names.length > 0 && this.#oneOf(3)) return `\${${this.#pick(names).name}}`;
    return this.#value('string', scope);
  }

  #value(type: Type, scope: readonly Name[]): Json {
    const names = scope.filter((each) => each.type === type);
    if (type === 'entries') return names.length > 0 && this.#oneOf(3) ? `\${${this.#pick(names).name}}` : this.#entries(scope);
    if (names.length > 0 && this.#oneOf(2)) return `\${${this.#pick(names).name}}`;
    if (type === 'asset') return this.#pick(ASSETS);
    if (type === 'integer') return this.#pick(INTEGERS);
    if (type === 'number') return this.#pick([2.5, 0, -1]);
    if (type === 'boolean') return this.#oneOf(2);
    return this.#text(scope.filter((each) => each.type !== 'entries'));
  }

  #text(scope: readonly Name[]): string {
    this.#texts += 1;
    const plain = this.#pick(TEXTS);
    if (scope.length === 0 || this.#oneOf(2)) return this.#oneOf(8) ? `$\${region} ${plain}` : `${plain}${this.#texts}`;
    return `${plain}\${${this.#pick(scope).name}}${this.#oneOf(2) ? ` - \${${this.#pick(scope).name}}` : ` ${this.#texts}`}`;
  }

  #entries(scope: readonly Name[]): Json[] {
    const blocks = scope.filter(({ type }) => type === 'entries');
    return Array.from({ length: this.#draw.number(5) }, (_, index): Json => {
      const choice = index === 0 ? 0 : this.#draw.number(6);
      if (choice === 1) return { ad: this.#value('integer', scope) };
      if (choice === 2 && this.#lists.length > 0) return { include: this.#pick(this.#lists) };
      if (choice === 3 && blocks.length > 0) return `\${${this.#pick(blocks).name}}`;
      if (choice === 4) return { ad: { dur: this.#value('integer', scope) } };
      if (choice === 5) return { beam: { id: this.#value('asset', scope) } };
      return { beam: this.#value('asset', scope) };
    });
  }
}

/** What a field takes: a type, text of any variable, a list, or a map of fields. */
type FieldType = Type | 'text' | 'assets' | 'specs' | { readonly [name: string]: FieldType };

const RESOLUTION = { allow_airplay: 'boolean', hdcp_enforcement: 'integer' } as const;
const FIELDS: { readonly [section in SectionName]: readonly (readonly [string, FieldType])[] } = {
  playlists: [
    ['playlist', 'entries'],
    ['desc', 'text'],
    ['active', 'boolean'],
    ['repeat', 'integer'],
    ['beam_break_duration', 'integer'],
    ['studio_drm_required', 'boolean'],
  ],
  smart_starts: [
    ['assets', 'assets'],
    ['desc', 'text'],
    ['active', 'boolean'],
    ['beam_break_duration', 'integer'],
  ],
  drm_policies: [
    ['fairplay', { lease: 'boolean', key_duration_seconds: 'integer', hd: RESOLUTION, uhd1: RESOLUTION }],
    ['playready', { can_persist: 'boolean', hd: { security_level: 'integer' } }],
    ['widevine', { content_key_specs: 'specs', policy_overrides: { can_play: 'boolean' } }],
  ],
};

/** Adds a member to a map in a document. */
function addTo(document: Record<string, Json>, section: string, key: string, value: Json): void {
  const members = document[section] ?? {};
  document[section] = { ...(typeof members === 'object' && !Array.isArray(members) ? members : {}), [key]: value };
}
