import type { Renderer, ReportOrigin } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';
import {
  type Diagnostic,
  type DiagnosticLevel,
  diagnosticLocation,
  diagnosticsOf,
  formatMessage,
  formatName,
  risksOf,
} from './diagnostics.ts';

/** Maximum number of annotations of each level per step; GitHub silently drops further ones. */
export const MAX_ANNOTATIONS_PER_LEVEL = 10;

/** The names of the workflow commands. */
const COMMANDS: { readonly [level in DiagnosticLevel]: string } = { error: 'error', warning: 'warning', note: 'notice' };

/** Renders diagnostics as GitHub workflow commands, for the log of a step, after the risks of each plan. */
export const renderGithub: Renderer = (documents, { origin }) => {
  const diagnostics = diagnosticsOf(documents);
  const levels: readonly DiagnosticLevel[] = ['error', 'warning', 'note'];
  const commands = [...risksOf(documents).map(risksCommand), ...levels.flatMap((level) => levelCommands(level, diagnostics, origin))];
  return commands.map((command) => `${command}\n`).join('');
};

/** Renders the risks of a plan. They come first, so that GitHub drops another notice where there are too many. */
function risksCommand(text: string): string {
  return `::${COMMANDS.note} title=${escapeProperty('upkeep: risks')}::${escapeMessage(text)}`;
}

/** Renders the diagnostics of one level; if there are too many, the last annotation gives the number of omitted ones. */
function levelCommands(level: DiagnosticLevel, diagnostics: readonly Diagnostic[], origin: ReportOrigin): readonly string[] {
  const ofLevel = diagnostics.filter((diagnostic) => diagnostic.level === level);
  const shown = ofLevel.length > MAX_ANNOTATIONS_PER_LEVEL ? ofLevel.slice(0, MAX_ANNOTATIONS_PER_LEVEL - 1) : ofLevel;
  const omitted = ofLevel.length - shown.length;
  const more = `${omitted} more of this level; GitHub shows ${MAX_ANNOTATIONS_PER_LEVEL} for one step, the other formats show all of them.`;
  return [
    ...shown.map((diagnostic) => workflowCommand(diagnostic, origin)),
    ...(omitted > 0 ? [`::${COMMANDS[level]} title=upkeep::${escapeMessage(more)}`] : []),
  ];
}

function workflowCommand(diagnostic: Diagnostic, origin: ReportOrigin): string {
  const { file, line, column } = diagnosticLocation(diagnostic, origin);
  const properties = { file: formatName(file), line: String(line), col: String(column), title: formatName(`upkeep: ${diagnostic.code}`) };
  const list = Object.entries(properties).map(([name, text]) => `${name}=${escapeProperty(text)}`);
  return `::${COMMANDS[diagnostic.level]} ${list.join(',')}::${escapeMessage(formatMessage(diagnostic))}`;
}

/** Escapes a workflow command's message, the text after the second `::`. It has no line breaks. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25');
}

/** Escapes a property value, the text after `name=`. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Renders targets as the matrix of a GitHub workflow, in one line: `{"target":["a","b"]}`. Other documents give no matrix. */
export const renderGithubMatrix: Renderer = (documents) =>
  finish(
    documents.flatMap((document) =>
      document.type === 'targets' ? [visibleJson({ target: document.targets.map(({ name }) => name) })] : [],
    ),
  );
