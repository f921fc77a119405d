/** Tells which fields take only text, so that a variable of another type gives its text there (design section 3, `vars`). */
import { isObject, type Path, pointer } from '../../model/json.ts';

/** Decides whether the field at a path of the expanded sources takes text, and neither numbers nor true and false. */
export type TakesOnlyText = (path: Path) => boolean;

/** Creates the decision from the schema of the expanded sources. Keys of resources and indexes of lists make no difference. */
export function textFieldsOf(schema: { readonly [keyword: string]: unknown }): TakesOnlyText {
  const known = new Map<string, boolean>();
  return (path) => {
    const general = path.map((step, index) => (index === 1 ? '*' : typeof step === 'number' ? 0 : step));
    const name = pointer(general);
    const decided = known.get(name) ?? takesOnlyText(schema, general);
    known.set(name, decided);
    return decided;
  };
}

type Schema = { readonly [keyword: string]: unknown };

function takesOnlyText(root: Schema, path: Path): boolean {
  let parts = alternativesOf(root, root);
  for (const step of path) parts = parts.flatMap((part) => childrenOf(part, step)).flatMap((child) => alternativesOf(child, root));
  const types = new Set(parts.flatMap(typesOf));
  return types.has('string') && !['integer', 'number', 'boolean'].some((type) => types.has(type));
}

/** Returns a schema with its reference resolved, and the schemas of its alternatives. */
function alternativesOf(part: Schema, root: Schema): readonly Schema[] {
  const definitions = isObject(root.definitions) ? root.definitions : {};
  const target = typeof part.$ref === 'string' ? definitions[part.$ref.replace('#/definitions/', '')] : part;
  if (!isObject(target)) return [];
  const lists = [target.anyOf, target.oneOf, target.allOf].flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  const nested = [...lists, target.if === undefined ? undefined : target.then].filter(isObject);
  return [target, ...nested.flatMap((each) => alternativesOf(each, root))];
}

function childrenOf(part: Schema, step: string | number): readonly Schema[] {
  if (typeof step === 'number') return isObject(part.items) ? [part.items] : [];
  const properties = isObject(part.properties) ? part.properties : {};
  const member = Object.hasOwn(properties, step) ? properties[step] : part.additionalProperties;
  return isObject(member) ? [member] : [];
}

function typesOf(part: Schema): readonly string[] {
  const names = [part.type].flat().filter((type) => typeof type === 'string');
  const values: readonly unknown[] = Array.isArray(part.enum) ? part.enum : [];
  return names.length > 0 ? names : values.map((value) => typeof value);
}
