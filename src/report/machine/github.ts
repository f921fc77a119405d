import type { Renderer, Site } from '../document.ts';
import { type Diagnostic, type DiagnosticLevel, diagnosticsOf, messageOf, nameOf, placeOf } from './diagnostics.ts';

/** GitHub shows so many annotations of each level for one step, and drops the rest without a word. */
const MOST = 10;

/** The names of the workflow commands. */
const COMMANDS: { readonly [level in DiagnosticLevel]: string } = { error: 'error', warning: 'warning', note: 'notice' };

/** Annotations as GitHub's workflow commands, for the log of a step: the only format whose lines are meant to be obeyed. */
export const renderGithub: Renderer = (documents, { site }) => {
  const diagnostics = diagnosticsOf(documents);
  const levels: readonly DiagnosticLevel[] = ['error', 'warning', 'note'];
  return `${levels.flatMap((level) => annotations(level, diagnostics, site)).join('\n')}\n`;
};

/** The notices of one level; where there are too many, the last annotation says how many are left out. */
function annotations(level: DiagnosticLevel, diagnostics: readonly Diagnostic[], site: Site): readonly string[] {
  const own = diagnostics.filter((diagnostic) => diagnostic.level === level);
  const shown = own.length > MOST ? own.slice(0, MOST - 1) : own;
  const left = own.length - shown.length;
  const more = `${left} more of this level; GitHub shows ${MOST} for one step, the other formats tell them all.`;
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

/** What stands behind the second `::`. Line breaks are no longer in it. */
function value(text: string): string {
  return text.replaceAll('%', '%25');
}

/** What stands behind `name=`. */
function property(text: string): string {
  return value(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
