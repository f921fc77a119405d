/** Reads the templates of all sources of a target, and checks them as far as that does not take their parameters. */
import { errorFinding, type UnlocatedFinding, warningFinding } from '../../kinds/kind.ts';
import { isJsonObject, isList, type Json, type JsonObject, type Path } from '../../model/json.ts';
import { hintAtName } from '../did-you-mean.ts';
import { lazy } from '../lazy.ts';
import type { SourceDocument } from '../source-document.ts';
import { locationIn } from '../source-location.ts';
import { expandVariables, type Scope, variablesIn } from '../variables.ts';
import { type ExpansionBudget, entriesIn, tooManyEntries } from './budget.ts';
import { locateExpanded, placeIn } from './definition.ts';
import type { ListExpander } from './entry-lists.ts';
import { type TemplatedSection, withArticle } from './expansion-schema.ts';
import { type Argument, isOfType, type Parameter, parameterTypeOf, wrongTypeOfArgument } from './parameters.ts';

/** A template. */
export interface Template {
  readonly name: string;
  readonly document: SourceDocument;
  /** The section whose members it makes. */
  readonly section: TemplatedSection;
  readonly params: ReadonlyMap<string, Parameter>;
  /** The body as written, and its path in the document. */
  readonly body: JsonObject;
  readonly path: Path;
  /** The number of entries that each instance adds. */
  readonly entries: number;
}

/** What reading a template needs. */
export interface TemplateContext {
  readonly sections: readonly TemplatedSection[];
  readonly vars: Scope;
  readonly listExpander: ListExpander;
  readonly budget: ExpansionBudget;
}

/** Reads one template. Returns undefined where it cannot be used. The findings have paths in the document. */
export function readTemplate(
  document: SourceDocument,
  name: string,
  declared: JsonObject,
  context: TemplateContext,
): { readonly template: Template | undefined; readonly findings: readonly UnlocatedFinding[] } {
  const { sections, vars } = context;
  const path = ['templates', name];
  const bodies = sections.filter(({ singular }) => declared[singular] !== undefined);
  const [section, ...others] = bodies;
  const body = section && declared[section.singular];
  if (section === undefined || others.length > 0 || !isJsonObject(body)) {
    const allowed = sections.map(({ singular }) => `\`${singular}:\``).join(', ');
    return {
      template: undefined,
      findings: [errorFinding('template-body', path, `the template \`${name}\` must have one body`, `Write one of ${allowed}.`)],
    };
  }
  const nested = ['template', 'with'].filter((key) => body[key] !== undefined);
  const nestedFindings = nested.map((key) =>
    errorFinding(
      'unknown-key',
      [...path, section.singular, key],
      `a template cannot have \`${key}\``,
      'Templates do not use other templates: write its fields here.',
    ),
  );
  const { params, findings } = readParameters(document, [...path, 'params'], declared.params, context);
  const template: Template = {
    name,
    document,
    section,
    params,
    body,
    path: [...path, section.singular],
    entries: entriesIn(body) + entriesIn(Object.fromEntries([...params.keys()].map((each) => [each, null]))),
  };
  return { template, findings: [...nestedFindings, ...findings, ...bodyFindings(template, vars)] };
}

function readParameters(
  document: SourceDocument,
  path: Path,
  declared: Json | undefined,
  { vars, listExpander, budget }: TemplateContext,
): { readonly params: ReadonlyMap<string, Parameter>; readonly findings: readonly UnlocatedFinding[] } {
  const params = new Map<string, Parameter>();
  const expanded = expandVariables(declared ?? {}, vars, { budget });
  const findings: UnlocatedFinding[] = expanded.findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
  for (const [name, written] of Object.entries(isJsonObject(expanded.value) ? expanded.value : {})) {
    const type = parameterTypeOf(written);
    if (type === undefined) {
      findings.push(
        errorFinding(
          'invalid-value',
          [...path, name],
          `\`${name}\` has no type that upkeep knows`,
          'Write string, integer, number, boolean or entries.',
        ),
      );
      continue;
    }
    if (vars.get(name) !== undefined) findings.push({ ...namedLikeVariable(name, [...path, name]), part: 'key' });
    const fallback = isJsonObject(written) ? written.default : undefined;
    const fallbackPath = [...path, name, 'default'];
    if (fallback !== undefined && !isOfType(fallback, type))
      findings.push(wrongTypeOfArgument({ name, type }, JSON.stringify(fallback), fallbackPath));
    params.set(name, {
      name,
      type,
      fallback: fallback === undefined ? undefined : lazy(() => argumentIn(document, fallbackPath, fallback, listExpander)),
    });
  }
  return { params, findings };
}

/** Counts one more resource of a template. Returns false, and reports it, where these are too many. */
export function addInstance(
  { document, path, entries }: Template,
  { budget, reportIn }: { readonly budget: ExpansionBudget; reportIn(document: SourceDocument, finding: UnlocatedFinding): void },
): boolean {
  const fits = budget.addEntries(1 + entries);
  if (!fits) reportIn(document, tooManyEntries(path));
  return fits;
}

/** Builds the error about a parameter or a column with the name of a variable: `${name}` would have two meanings. */
export function namedLikeVariable(name: string, path: Path): UnlocatedFinding {
  return errorFinding('parameter-is-variable', path, `\`${name}\` is also a variable in \`vars\` of the target`, 'Rename one of the two.');
}

/** Returns an argument that a document holds at a path. A number has the text that is written, unless that is a variable. */
export function argumentIn(document: SourceDocument, path: Path, given: Json, lists: ListExpander): Argument {
  const value = isList(given) ? lists.expandForReuse(given, { document, path }) : given;
  return {
    value,
    text: () => {
      const { written } = typeof value === 'number' ? locationIn(document, path) : {};
      return written !== undefined && Number(written) === value ? written : String(value);
    },
    locate: (rest, part) => locateExpanded({ place: { document, path }, value }, rest, part, lists),
    placeOf: (rest) => placeIn({ place: { document, path }, value }, rest, lists),
  };
}

/** Returns errors about names that are neither parameters nor variables, and about lists within texts, and warns of unused parameters. */
function bodyFindings({ name: templateName, body, path, params }: Template, vars: Scope): readonly UnlocatedFinding[] {
  const names: Scope = {
    get: (name) => (params.has(name) ? { value: '', text: () => '' } : vars.get(name)),
    keys: () => params.keys(),
    outer: vars,
  };
  const unknown = expandVariables(body, names, { definedIn: `\`params\` of the template, or in \`vars\` of this target` });
  const used = variablesIn(body);
  const usedNames = new Set(used.map(({ name }) => name));
  const lists = used.filter(({ name, isSingle }) => params.get(name)?.type === 'entries' && !isSingle);
  const unused = [...params.keys()].filter((name) => !usedNames.has(name));
  return [
    ...unknown.findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] })),
    ...lists.map(({ name, path: at }) =>
      errorFinding(
        'wrong-type',
        [...path, ...at],
        `\`${name}\` is a list of entries and cannot stand within a text`,
        'Let it be the whole list, or an item of one.',
      ),
    ),
    ...unused.map((name): UnlocatedFinding => {
      const at = [...path.slice(0, -1), 'params', name];
      return {
        ...warningFinding(
          'unused-parameter',
          at,
          `the template \`${templateName}\` does not use \`${name}\``,
          'Remove it, or use it in the body.',
        ),
        part: 'key',
      };
    }),
  ];
}

/** Builds the error about the name of a template that does not exist, or that makes other resources. */
export function unusableTemplate(
  name: string,
  { singular }: TemplatedSection,
  templates: ReadonlyMap<string, Template>,
  path: Path,
): UnlocatedFinding {
  const template = templates.get(name);
  if (template)
    return errorFinding(
      'unknown-template',
      path,
      `the template \`${name}\` makes ${withArticle(template.section.singular)}, not ${withArticle(singular)}`,
      `Name a template with \`${singular}:\`.`,
    );
  return errorFinding('unknown-template', path, `there is no template \`${name}\``, () => hintAtName(name, templates, 'templates'));
}
