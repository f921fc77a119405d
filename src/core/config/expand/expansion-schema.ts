/** The schema of the keys that produce resources instead of declaring them: defaults, templates, tables and entry lists. */
import type { Kind } from '../../kinds/kind.ts';
import type { Section } from '../../model/address.ts';
import { type JsonObject, nullProtoObject, type Path } from '../../model/json.ts';

/** A section whose members take defaults and may come from templates and tables. */
export interface TemplatedSection extends Section {
  readonly singular: string;
}

/** Returns the sections whose members may come from templates and tables. */
export function templatedSections(kinds: readonly Kind[]): readonly TemplatedSection[] {
  return kinds.flatMap((kind) =>
    kind.sections.flatMap((section) => (section.singular === undefined ? [] : [{ ...section, singular: section.singular }])),
  );
}

/** Returns the word for one member of a section with its article: `a playlist`, `an asset`. */
export function withArticle(singular: string): string {
  return `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`;
}

/** Returns the key that holds the tables of a section: `playlists_from`. */
export function tablesKey({ key }: Section): string {
  return `${key}_from`;
}

/** Types of parameters; `entries` is a list of playlist entries. */
export const PARAMETER_TYPES = ['string', 'integer', 'number', 'boolean', 'entries'] as const;

/** The type of a parameter. */
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** What may divide the cells of a CSV file. */
export const DELIMITERS = [',', ';', '\t'] as const;

/** What divides the cells of a CSV file. */
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * Returns the expansion keys at the top level of a source: `defaults`, `templates`, `entry_lists` and the tables (`playlists_from`). They
 * produce resources instead of declaring them.
 */
export function expansionKeys(sections: readonly TemplatedSection[]): ReadonlySet<string> {
  return new Set(['defaults', 'templates', 'entry_lists', ...sections.map(tablesKey)]);
}

/** Splits a document into the expansion keys and the sections that declare resources. */
export function splitExpansionKeys(
  content: JsonObject,
  keys: ReadonlySet<string>,
): { readonly expansion: JsonObject; readonly sections: JsonObject } {
  const entries = Object.entries(content);
  if (!entries.some(([key]) => keys.has(key))) return { expansion: {}, sections: content };
  const pick = (isLanguage: boolean) =>
    Object.assign(nullProtoObject(), Object.fromEntries(entries.filter(([key]) => keys.has(key) === isLanguage)));
  return { expansion: pick(true), sections: pick(false) };
}

const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]*$';
const PARAMETER_NAME = '^[A-Za-z_][A-Za-z0-9_.-]*$';

/** Builds the schema of the expansion keys. Values in it may hold variables, so resources are checked after they are replaced. */
export function expansionSchema(sections: readonly TemplatedSection[]): {
  readonly properties: { readonly [key: string]: object };
  readonly [keyword: string]: unknown;
} {
  const example = { type: 'object' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Defaults, templates, tables and entry lists of upkeep source files',
    type: 'object',
    properties: {
      defaults: defaultsSchema(sections),
      templates: {
        description: 'Templates by name, for all sources of the target. Each has the body of one resource.',
        type: 'object',
        propertyNames: { pattern: NAME },
        additionalProperties: {
          description: 'A template: its parameters, and the body of one resource.',
          type: 'object',
          properties: {
            params: paramsSchema,
            ...Object.fromEntries(
              sections.map(({ key, singular }) => [
                singular,
                { description: `The body of a member of ${key}, with \${name} for parameters.`, ...example },
              ]),
            ),
          },
          additionalProperties: false,
        },
        examples: [
          { show: { params: { title: 'string', first: 'string' }, playlist: { desc: `\${title}`, playlist: [{ beam: `\${first}` }] } } },
        ],
      },
      entry_lists: {
        description: 'Lists of entries by name, for all sources of the target. `{ include: NAME }` in a list puts them there.',
        type: 'object',
        propertyNames: { pattern: NAME },
        additionalProperties: { description: 'Entries as in `playlist`.', type: 'array', items: { type: 'object' } },
        examples: [{ 'evening-pod': [{ ad: 30 }, { beam: 'promo' }, { ad: 30 }] }],
      },
      ...Object.fromEntries(sections.map((section) => [tablesKey(section), tablesSchema(section)])),
    },
    additionalProperties: false,
  };
}

/** Builds the schema of `defaults`, in a source file and in `sources` of upkeep.yaml. */
function defaultsSchema(sections: readonly TemplatedSection[]): object {
  return {
    description:
      'Values for the resources that this file declares first, by section. A template and the fields of a resource take precedence.',
    type: 'object',
    properties: Object.fromEntries(sections.map(({ key }) => [key, { description: `Values for each member of ${key}.`, type: 'object' }])),
    additionalProperties: false,
    examples: [{ playlists: { studio_drm_required: 1, beam_break_duration: 30 } }],
  };
}

const typeSchema = {
  description: 'The type of the values. `entries` is a list of playlist entries.',
  type: 'string',
  enum: PARAMETER_TYPES,
};

const paramsSchema = {
  description: 'The parameters by name: a type, or a type and a default. A parameter without a default must be given.',
  type: 'object',
  propertyNames: { pattern: PARAMETER_NAME },
  additionalProperties: {
    description: 'A type, or { type, default }.',
    type: ['string', 'object'],
    properties: {
      type: typeSchema,
      default: { description: 'The value where none is given.', type: ['string', 'number', 'boolean', 'array'] },
      description: { description: 'What the parameter means, for readers.', type: 'string' },
    },
    required: ['type'],
    additionalProperties: false,
  },
  examples: [{ title: 'string', pod: { type: 'integer', default: 60 } }],
};

function tablesSchema({ key, singular }: TemplatedSection): object {
  return {
    description: `Tables: each row makes one member of ${key} from a template.`,
    type: 'array',
    items: {
      description: 'A CSV file or a list of rows, the template for each row, and the key of each row.',
      type: 'object',
      properties: {
        file: {
          description: 'A CSV file in UTF-8, relative to this file. Its first line names the columns, which are parameters.',
          type: 'string',
          minLength: 1,
          examples: ['shows.csv'],
        },
        delimiter: {
          description: 'What divides the cells of the file. Absent = as its line `sep=` says, or as its header shows.',
          type: 'string',
          enum: DELIMITERS,
          examples: [';'],
        },
        rows: {
          description: 'Rows in place of a file: maps of parameters.',
          type: 'array',
          items: { description: 'One row.', type: 'object' },
          examples: [[{ title: 'Kids 01', first: 'kids-intro' }]],
        },
        template: { description: `The name of a template for ${withArticle(singular)}.`, type: 'string', minLength: 1, examples: ['show'] },
        key: {
          description: `The key of each ${singular}, from columns and variables.`,
          type: 'string',
          minLength: 1,
          examples: [`\${team}-\${number}`],
        },
      },
      required: ['template', 'key'],
      additionalProperties: false,
    },
    examples: [[{ file: 'shows.csv', template: 'show', key: `\${team}-\${number}` }]],
  };
}

/** The name of a list of entries, in its place. */
export const includeSchema = {
  description: 'The name of a list of entry_lists, whose entries are put here.',
  type: 'string',
  minLength: 1,
  examples: ['evening-pod'],
};

/** Returns the keys with which a member of a section names its template. */
export function instanceProperties({ singular }: TemplatedSection): { readonly [key: string]: object } {
  const description = `The name of the template that makes this ${singular}. The fields beside it take precedence.`;
  return {
    template: { description, type: 'string', minLength: 1, examples: ['show'] },
    with: {
      description: 'Values for the parameters of the template, beside `template`.',
      type: 'object',
      examples: [{ title: 'Kids 01', first: 'kids-intro' }],
    },
  };
}

/** Returns the expansion keys that may be written in the map at a path: those at the top level, or `template` and `with` of a resource. */
export function expansionPropertiesAt(path: Path, sections: readonly TemplatedSection[]): { readonly [key: string]: object } {
  if (path.length === 0) return expansionSchema(sections).properties;
  const section = sections.find(({ key }) => key === path[0]);
  if (section === undefined) return {};
  if (path.length === 2) return instanceProperties(section);
  return path.length === 4 && path[2] === section.entriesField ? { include: includeSchema } : {};
}
