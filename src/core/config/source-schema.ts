/** The schema of the sources: the sections of the kinds, and the keys that all kinds share. */
import type { Kind } from '../kinds/kind.ts';

/**
 * Builds the schema of the expanded sources: the sections and definitions of every kind, and `adopt`, `moved`, `removed` and
 * `ignore_changes`. `schemas/expanded.schema.json` is the same schema; editors use `schemas/source.schema.json`, which has the expansion
 * keys, too.
 * @throws Error when two kinds claim one section or definition, which is a bug in upkeep.
 */
export function expandedSchema(kinds: readonly Kind[]): { readonly [keyword: string]: unknown } {
  const properties = disjoint('section', [SHARED_KEYS, ...kinds.map((kind) => kind.schema.properties)]);
  const definitions = disjoint(
    'definition',
    kinds.map((kind) => kind.schema.definitions ?? {}),
  );
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Expanded upkeep sources', description: SOURCES };
  return { ...head, type: 'object', properties, additionalProperties: false, definitions };
}

const SOURCES = 'What an account should hold, in any number of files. Kinds without a section in the sources are neither read nor changed.';

function disjoint(noun: string, tables: readonly { readonly [name: string]: unknown }[]): { readonly [name: string]: unknown } {
  const all: { [name: string]: unknown } = {};
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(all, name)) throw new Error(`two kinds claim the ${noun} ${name}`);
    all[name] = value;
  }
  return all;
}

/** The schemas of the keys that all kinds share. */
const SHARED_KEYS = {
  adopt: {
    description:
      'Binds live objects explicitly, before every other rule: the address of a declared resource and the remote ID of its object.',
    type: 'object',
    propertyNames: { minLength: 1 },
    additionalProperties: {
      description: 'The remote ID.',
      type: 'string',
      pattern: '^[!-~]+$',
      examples: ['8bd3a1f05c7e4d2b9f6e1a0c3d5b7e92'],
    },
    examples: [{ 'playlist/evening-block': '8bd3a1f05c7e4d2b9f6e1a0c3d5b7e92' }],
  },
  moved: {
    description:
      'Resources that are declared under a new address: the live object stays the same, so that a rename does not delete and create it.',
    type: 'array',
    examples: [[{ from: 'playlist/old-name', to: 'playlist/evening-block' }]],
    items: {
      description: 'One rename.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: {
          description: 'The old address, for example playlist/old-name.',
          type: 'string',
          minLength: 1,
          examples: ['playlist/old-name'],
        },
        to: { description: 'The new address, which is declared.', type: 'string', minLength: 1, examples: ['playlist/evening-block'] },
      },
    },
  },
  removed: {
    description: 'Addresses that are no longer declared, and whose live objects stay: upkeep forgets them instead of deleting them.',
    type: 'array',
    uniqueItems: true,
    examples: [['playlist/legacy']],
    items: { description: 'An address.', type: 'string', minLength: 1, examples: ['playlist/legacy'] },
  },
  ignore_changes: {
    description: 'Fields that are left to others: upkeep neither compares nor writes them, except that a create sends the declared value.',
    type: 'array',
    examples: [[{ address: 'playlist/*', fields: ['/active'], until: '2027-03-31', why: 'editors switch channels in the CMS' }]],
    items: {
      description: 'Fields of the resources with matching addresses.',
      type: 'object',
      required: ['address', 'fields'],
      additionalProperties: false,
      properties: {
        address: { description: 'A glob of addresses, for example playlist/*.', type: 'string', minLength: 1, examples: ['playlist/*'] },
        fields: {
          description: 'JSON Pointers: a slash before each name. Each covers everything below it.',
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          examples: [['/active']],
          items: { description: 'A JSON Pointer.', type: 'string', minLength: 1, examples: ['/active'] },
        },
        until: {
          description: 'The last day on which the fields are left to others, in UTC. Without it there is no end.',
          type: 'string',
          minLength: 1,
          examples: ['2027-03-31'],
        },
        why: {
          description: 'Why, for those who read a plan.',
          type: 'string',
          minLength: 1,
          examples: ['editors switch channels in the CMS'],
        },
      },
    },
  },
};
