import type { Renderer, Site } from '../document.ts';
import { type Diagnostic, type DiagnosticLevel, diagnosticsOf, messageOf, nameOf, placeOf } from './diagnostics.ts';

/** GitHub shows at most this many annotations of each level per step, and silently drops the rest. */
const MOST = 10;

/** The names of the workflow commands. */
const COMMANDS: { readonly [level in DiagnosticLevel]: string } = { error: 'error', warning: 'warning', note: 'notice' };

/** Renders diagnostics as GitHub workflow commands, for the log of a step. */
export const renderGithub: Renderer = (documents, { site }) => {
  const diagnostics = diagnosticsOf(documents);
  const levels: readonly DiagnosticLevel[] = ['error', 'warning', 'note'];
  return `${levels.flatMap((level) => annotations(level, diagnostics, site)).join('\n')}\n`;
};

/** Renders the diagnostics of one level; if there are too many, the last annotation gives the number of omitted ones. */
function annotations(level: DiagnosticLevel, diagnostics: readonly Diagnostic[], site: Site): readonly string[] {
  const own = diagnostics.filter((diagnostic) => diagnostic.level === level);
  const shown = own.length > MOST ? own.slice(0, MOST - 1) : own;
  const left = own.length - shown.length;
  const more = `${left} more of this level; GitHub shows ${MOST} for one step, the other formats show all of them.`;
  return [
    ...shown.map((diagnostic) => annotation(diagnostic, site)),
    ...(left > 0 ? [`::${COMMANDS[level]} title=upkeep::${value(more)}`] : []),
  ];
}

function annotation(diagnostic: Diagnostic, site: Site): string {
  const { file, line, column } = placeOf(diagnostic, site);
  const properties = { file: nameOf(file), line: String(line), col: String(column), title: nameOf(`upkeep: ${diagnostic.code}`) };
  const written = Object.entries(properties).map(([name, text]) => `${name}=${property(text)}`);
  return `::${COMMANDS[diagnostic.level]} ${written.join(',')}::${value(messageOf(diagnostic))}`;
}

/** Escapes a workflow command's message, the text after the second `::`. It has no line breaks. */
function value(text: string): string {
  return text.replaceAll('%', '%25');
}

/** Escapes a property value, the text after `name=`. */
function property(text: string): string {
  return value(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
