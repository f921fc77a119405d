/** The types of configuration files, written from their JSON schemas: what the schemas use of draft-07, and nothing more. */
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { asString } from '../../src/core/model/json-readers.ts';

const WIDTH = 140;

/** What a schema may say that a type does not: it restricts values further, or it is for people. */
const NOT_IN_TYPES = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'enumDescriptions'],
  ...[
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
  ],
  ...['propertyNames', 'pattern', 'format', 'oneOf', 'dependencies', 'if', 'then', 'else'],
]);
const IN_TYPES = new Set(['$ref', 'definitions', 'type', 'enum', 'const', 'anyOf', 'allOf', 'items', 'properties', 'required']);

/** The pattern of a reference to a variable, which any value may be. */
const VARIABLE = '^\\$\\{[^}]+\\}$';

/** Returns a file of types: one for each schema, by its name, and one for each of their definitions. @throws Error at an unknown keyword */
export function configurationTypes(schemas: { readonly [name: string]: Json }): string {
  const types = Object.entries(schemas).flatMap(([name, schema]) => {
    const definitions = isJsonObject(schema) && isJsonObject(schema.definitions) ? Object.entries(schema.definitions) : [];
    return [declaration(name, schema), ...definitions.map(([each, definition]) => declaration(typeName(each), definition))];
  });
  const head = '/** The types of upkeep.yaml and of a source file, from their schemas: `npm run generate` writes them. */\n';
  return [head, ...types].join('\n');
}

function typeName(definition: string): string {
  return definition.charAt(0).toUpperCase() + definition.slice(1);
}

function declaration(name: string, schema: Json): string {
  const object = asSchema(schema);
  const form = typeOf(object, '');
  return `${comment(object, '')}export ${form.startsWith('{') && form.indexOf('\n}') === form.length - 2 ? `interface ${name} ${form}` : `type ${name} = ${form};`}\n`;
}

/** Returns the type of the values that a schema allows; `indent` is that of the line on which it begins. */
function typeOf(schema: JsonObject, indent: string): string {
  const unknown = Object.keys(schema).find((key) => !NOT_IN_TYPES.has(key) && !IN_TYPES.has(key) && key !== 'additionalProperties');
  if (unknown !== undefined) throw new Error(`no type is known for the keyword ${unknown} of a schema`);
  const reference = asString(schema.$ref);
  if (reference !== undefined) return typeName(reference.replace('#/definitions/', ''));
  if (schema.const !== undefined) return literal(schema.const);
  const values = listIn(schema.enum);
  if (values) return values.map((value) => literal(value)).join(' | ');
  const choices = listIn(schema.anyOf);
  if (choices) return choices.map((choice) => typeOf(asSchema(choice), indent)).join(' | ');
  // What a condition demands of some values is one more form.
  const forms = (listIn(schema.allOf) ?? []).map((part) => typeOf(asSchema(asSchema(part).then), indent));
  const names = (listIn(schema.type) ?? [schema.type]).map((name) => plainType(String(name), schema, indent));
  return [...names, ...forms].join(' | ');
}

function plainType(name: string, schema: JsonObject, indent: string): string {
  switch (name) {
    case 'integer':
      return 'number';
    case 'number':
    case 'boolean':
    case 'null':
      return name;
    case 'string':
      return schema.pattern === VARIABLE ? '`\\${$' + '{string}}`' : 'string';
    case 'array': {
      const item = schema.items === undefined ? 'unknown' : typeOf(asSchema(schema.items), indent);
      return `readonly ${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`;
    }
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`no type is known for the type ${name} of a schema`);
  }
}

function objectType({ properties, required, additionalProperties }: JsonObject, indent: string): string {
  if (!isJsonObject(properties)) {
    const value = isJsonObject(additionalProperties) ? typeOf(additionalProperties, indent) : 'unknown';
    return `{ [key: string]: ${value} }`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([key, schema]) => {
    const object = asSchema(schema);
    const mark = listIn(required)?.includes(key) ? '' : '?';
    return `${comment(object, inner)}${inner}${/^\w+$/.test(key) ? key : JSON.stringify(key)}${mark}: ${typeOf(object, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function literal(value: Json): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** Returns the description of a schema, or of the first of its choices, as a comment, with its default. */
function comment({ description, default: standard, anyOf }: JsonObject, indent: string): string {
  const text = asString(description);
  const [choice] = listIn(anyOf) ?? [];
  if (text === undefined) return choice === undefined ? '' : comment(asSchema(choice), indent);
  const shown = standard === undefined || text.includes('Default:') ? '' : ` Default: ${JSON.stringify(standard)}.`;
  const words = `${text}${shown}`.replaceAll('*/', '*\\/').split(' ');
  const [first = '', ...lines] = wrapped(words, WIDTH - indent.length - 3);
  if (lines.length === 0 && indent.length + first.length + 7 <= WIDTH) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${[first, ...lines].map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function asSchema(value: Json | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`not a schema of an object: ${JSON.stringify(value)}`);
}

function listIn(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
