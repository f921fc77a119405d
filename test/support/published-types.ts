/**
 * Reads the TypeScript types that packages publish for an API, and makes JSON schemas of them: the types of GitHub and of Kubernetes are
 * generated from their OpenAPI descriptions, and take a fraction of their space. What types cannot say, such as lengths, is lost.
 */
import { createRequire } from 'node:module';
import ts from 'typescript';
import { lazy } from '../../src/core/config/lazy.ts';

/** A JSON schema (draft-07). */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A published type. */
export interface PublishedType {
  /** The names of its members. */
  names(): readonly string[];
  /** Returns the type of a member, always the same; undefined if there is no such member, or it may never be set. */
  member(name: string): PublishedType | undefined;
  /** Returns the schema of its values. Objects take no other members than the type names, even where the API ignores them. */
  schema(): Schema;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  lib: ['lib.es5.d.ts'],
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Reads a file of declarations. Returns a function that finds an exported type. @throws Error if there is none of this name */
export function readTypes(file: string): (name: string) => PublishedType {
  const path = createRequire(import.meta.url).resolve(file);
  const program = ts.createProgram([path], OPTIONS);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  return (name) => {
    const found = module && checker.getExportsOfModule(module).find((symbol) => symbol.name === name);
    if (!found) throw new Error(`${file} exports no type ${name}`);
    return publishedType(checker, checker.getDeclaredTypeOfSymbol(found));
  };
}

function publishedType(checker: ts.TypeChecker, type: ts.Type): PublishedType {
  const members = new Map<string, PublishedType | undefined>();
  const memberOf = (name: string) => {
    const symbol = checker.getPropertyOfType(type, name);
    const found = symbol && checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
    return found === undefined || found.flags & ts.TypeFlags.Never ? undefined : publishedType(checker, found);
  };
  return {
    names: () => checker.getPropertiesOfType(type).map((symbol) => symbol.name),
    member(name) {
      if (!members.has(name)) members.set(name, memberOf(name));
      return members.get(name);
    },
    schema: lazy(() => schemaOfType(checker, type)),
  };
}

const PRIMITIVES: readonly (readonly [flag: ts.TypeFlags, schema: Schema])[] = [
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, {}],
  [ts.TypeFlags.String, { type: 'string' }],
  [ts.TypeFlags.Number, { type: 'number' }],
  [ts.TypeFlags.BigInt, { type: 'integer' }],
  [ts.TypeFlags.Null, { type: 'null' }],
  [ts.TypeFlags.Never | ts.TypeFlags.Undefined, { not: {} }],
];

function schemaOfType(checker: ts.TypeChecker, root: ts.Type): Schema {
  const names = new Map<ts.Type, string>();
  const definitions: { [name: string]: Schema } = {};

  const schemaOf = (type: ts.Type): Schema => {
    const primitive = PRIMITIVES.find(([flag]) => type.flags & flag);
    if (primitive) return primitive[1];
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.isUnion()) return unionOf(type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined)).map(schemaOf));
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) throw new Error(`no schema for ${checker.typeToString(type)}`);
    const name = names.get(type) ?? `type${names.size + 1}`;
    if (!names.has(type)) {
      names.set(type, name);
      definitions[name] = checker.isArrayType(type) ? arrayOf(type) : objectOf(type);
    }
    return { $ref: `#/definitions/${name}` };
  };

  const arrayOf = (type: ts.Type): Schema => {
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return { type: 'array', items: item ? schemaOf(item) : {} };
  };

  const objectOf = (type: ts.Type): Schema => {
    const members = checker.getPropertiesOfType(type);
    const others = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    // A record of unknown or of no members stands for an object of any members; beside named ones it would hide misspelled names.
    const isVague = others && others.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Never);
    return {
      type: 'object',
      required: members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map((symbol) => symbol.name),
      properties: Object.fromEntries(members.map((symbol) => [symbol.name, schemaOf(checker.getTypeOfSymbol(symbol))])),
      additionalProperties: others && !isVague ? schemaOf(others) : members.length === 0,
    };
  };

  return { ...schemaOf(root), definitions };
}

/** Joins single values to one list of them, so that errors name them all. */
function unionOf(schemas: readonly Schema[]): Schema {
  const values = schemas.flatMap((schema) => ('const' in schema ? [schema.const] : []));
  const rest = schemas.filter((schema) => !('const' in schema));
  const all = values.length === 0 ? rest : [{ enum: values }, ...rest];
  const [only] = all;
  return all.length === 1 && only ? only : { anyOf: all };
}
