/** Makes resources of templates: of the resources that name one, and of the rows of tables. */
import { errorFinding, type UnlocatedFinding } from '../../kinds/kind.ts';
import { firstOf } from '../../model/collections.ts';
import { isJsonObject, isList, type Json, type JsonObject, nullProtoObject, type Path, pointer } from '../../model/json.ts';
import type { MergedDocuments } from '../overlay.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn } from '../source-location.ts';
import type { ValueLayer } from '../source-map.ts';
import { expandVariables } from '../variables.ts';
import { MAX_EXPANDED_RESOURCES } from './budget.ts';
import type { ExpandContext, SplitDocument } from './context.ts';
import { type Definition, type ExpandedValue, locateExpanded, writtenIn } from './definition.ts';
import { type TemplatedSection, tablesKey } from './expansion-schema.ts';
import { type Argument, defaultFor, isOfType, missingParameter, wrongTypeOfArgument } from './parameters.ts';
import { readTable, unknownParameter } from './tables.ts';
import { addInstance, argumentIn, type Template, unusableTemplate } from './templates.ts';

/** A resource that names a template. */
export interface Instance {
  readonly document: SourceDocument;
  readonly section: TemplatedSection;
  readonly key: string;
  readonly template: Json;
  /** The arguments, with variables replaced. */
  readonly given: Json | undefined;
  /** The keys of its own fields. */
  readonly fields: readonly string[];
}

/**
 * Builds the layer of templates of one source: the resources that name a template, and the rows of tables. Reports keys that rows and
 * documents both define.
 */
export function templateLayer(
  documents: readonly SplitDocument[],
  instances: readonly Instance[],
  merged: MergedDocuments,
  context: ExpandContext,
): ValueLayer {
  const value: { [section: string]: { [key: string]: Json } } = Object.create(null);
  const byPointer = new Map<string, Definition>();
  const add = (section: TemplatedSection, key: string, definition: Definition): void => {
    const members = value[section.key] ?? nullProtoObject();
    members[key] = definition.value;
    value[section.key] = members;
    byPointer.set(pointer([section.key, key]), definition);
  };
  for (const instance of instances) {
    const definition = instantiate(instance, context);
    if (definition) add(instance.section, instance.key, definition);
    else context.unreadablePaths.push([instance.section.key, instance.key]);
  }
  for (const { document, expansion } of documents) {
    for (const section of context.sections) {
      const tables = expansion[tablesKey(section)];
      for (const [index, table] of (isList(tables) ? tables : []).entries()) {
        if (!isJsonObject(table)) continue;
        expandTable(document, section, [tablesKey(section), index], table, context, (key, definition) => {
          const earlier = byPointer.get(pointer([section.key, key])) ?? merged.byPointer.get(pointer([section.key, key]));
          if (earlier === undefined) add(section, key, definition);
          else context.report(definition.locate([], 'key'), duplicateKey(key, [section.key, key], earlier));
        });
      }
    }
  }
  return { value, byPointer };
}

function duplicateKey(key: string, path: Path, earlier: Definition): UnlocatedFinding {
  const finding = errorFinding('duplicate-key', path, `\`${key}\` is defined twice in one source`, 'Keep one of them.');
  return { ...finding, otherPlace: earlier.locate(path.slice(earlier.depth), 'key') };
}

/** Makes the resource of one instance; undefined where that is not possible, which is reported. */
function instantiate({ document, section, key, template: name, given, fields }: Instance, context: ExpandContext): Definition | undefined {
  const path = [section.key, key];
  const report = (finding: UnlocatedFinding) => context.reportIn(document, finding);
  if (typeof name !== 'string') {
    report(errorFinding('wrong-type', [...path, 'template'], '`template` must be the name of a template', 'Write template: NAME.'));
    return undefined;
  }
  const template = templateNamed(name, section, document, [...path, 'template'], context);
  if (template === undefined || !addInstance(template, context)) return undefined;
  const args = argumentsOf(template, document, [...path, 'with'], given, fields, context);
  return args && definitionOf(template, args, document.file, () => locationIn(document, path), context);
}

function templateNamed(
  name: string,
  section: TemplatedSection,
  document: SourceDocument,
  path: Path,
  { templates, usedTemplates, mayLackTemplatesOrLists, unreadablePaths, reportIn }: ExpandContext,
): Template | undefined {
  const template = templates.get(name);
  usedTemplates.add(name);
  if (template?.section.key === section.key) return template;
  if (template === undefined && mayLackTemplatesOrLists) unreadablePaths.push([]);
  else reportIn(document, unusableTemplate(name, section, templates, path));
  return undefined;
}

/** Returns the arguments that a resource gives; undefined where one is missing, unknown or of another type, which is reported. */
function argumentsOf(
  template: Template,
  document: SourceDocument,
  path: Path,
  given: Json | undefined,
  fields: readonly string[],
  context: ExpandContext,
): ReadonlyMap<string, Argument> | undefined {
  const args = new Map<string, Argument>();
  const findings: UnlocatedFinding[] = [];
  if (given !== undefined && !isJsonObject(given)) {
    context.reportIn(document, errorFinding('wrong-type', path, '`with` must be a map of arguments', 'Write with: { NAME: VALUE }.'));
    return undefined;
  }
  const values: JsonObject = given ?? {};
  for (const name of Object.keys(values)) {
    if (!template.params.has(name)) findings.push({ ...unknownParameter(name, template, [...path, name]), part: 'key' });
  }
  const missing: string[] = [];
  for (const parameter of template.params.values()) {
    const { name, type, fallback } = parameter;
    const value = values[name];
    if (value === undefined && fallback) args.set(name, defaultFor(fallback(), { document, path: [...path, name] }));
    else if (value === undefined) missing.push(name);
    else if (!isOfType(value, type)) findings.push(wrongTypeOfArgument(parameter, JSON.stringify(value), [...path, name]));
    else args.set(name, argumentIn(document, [...path, name], value, context.listExpander));
  }
  if (missing.length > 0) {
    const own = new Set(fields);
    const misplaced = missing.filter((name) => own.has(name));
    const finding = missingParameter(missing, template.name, given === undefined ? path.slice(0, -1) : path);
    findings.push(misplaced.length === 0 ? finding : { ...finding, hint: `Move ${firstOf(misplaced, 10).join(', ')} below \`with\`.` });
  }
  for (const finding of findings) context.reportIn(document, finding);
  return findings.length === 0 ? args : undefined;
}

/** Makes a resource of a template with arguments. `locateWhole` returns the location of the resource itself: its key or its row. */
function definitionOf(
  template: Template,
  args: ReadonlyMap<string, Argument>,
  declaredIn: string,
  locateWhole: Definition['locate'],
  context: ExpandContext,
): Definition {
  const { vars, takesOnlyText, budget, listExpander, reportIn } = context;
  const { document, path, section, body } = template;
  const { value: replaced, findings } = expandVariables(
    body,
    { get: (name) => args.get(name) ?? vars.get(name), keys: () => args.keys() },
    { takesOnlyText: (at) => takesOnlyText([section.key, '*', ...at]), budget },
  );
  // Other findings do not depend on the arguments, so that they were reported with the template.
  for (const finding of findings) if (finding.code === 'too-large') reportIn(document, { ...finding, path });
  const value = expandEntries(replaced, section, { document, path }, context);
  const written: ExpandedValue = { place: { document, path }, args, value };
  return {
    layerType: 'template',
    template: template.name,
    file: document.file,
    declaredIn,
    isInOneFile: false,
    depth: 2,
    value,
    locate: (rest, part) => (rest.length === 0 ? locateWhole(rest, part) : locateExpanded(written, rest, part, listExpander)),
    writtenAt: (rest) => writtenIn(body, written, rest, listExpander),
  };
}

/** Expands the list of entries of a resource, where its section has one. */
export function expandEntries(
  value: Json,
  { entriesField }: TemplatedSection,
  place: ExpandedValue['place'],
  { listExpander }: ExpandContext,
): Json {
  const list = entriesField !== undefined && isJsonObject(value) ? value[entriesField] : undefined;
  if (entriesField === undefined || !isList(list)) return value;
  const expanded = listExpander.expand(list, { document: place.document, path: [...place.path, entriesField] });
  return expanded === list ? value : Object.assign(nullProtoObject(), value, { [entriesField]: expanded });
}

/** Makes a resource of every row of a table. */
function expandTable(
  document: SourceDocument,
  section: TemplatedSection,
  path: Path,
  declared: JsonObject,
  context: ExpandContext,
  add: (key: string, definition: Definition) => void,
): void {
  const template = templateNamed(String(declared.template), section, document, [...path, 'template'], context);
  if (template === undefined) return;
  const report = ({
    finding,
    location,
  }: {
    readonly finding: UnlocatedFinding;
    readonly location?: Parameters<ExpandContext['report']>[0];
  }) => context.report(location ?? locationIn(document, finding.path, finding.part), finding);
  readTable(document, path, declared, template, { ...context, report }, ({ key, args, locate }) => {
    if (!context.budget.addResources(1)) {
      const summary = `the tables of this target make more than ${MAX_EXPANDED_RESOURCES} resources`;
      context.reportIn(document, errorFinding('too-large', path, summary, 'Divide the account among targets, or shorten the tables.'));
      return false;
    }
    add(
      key,
      definitionOf(template, args, document.file, () => locate('value'), context),
    );
    return true;
  });
}
