import type { Renderer, Site } from './document.ts';
import { type Level, messageOf, type Notice, nameOf, noticesOf, placeOf } from './notices.ts';

/** GitHub shows so many annotations of each level for one step, and drops the rest without a word. */
const MOST = 10;

/** The names of the workflow commands. */
const COMMANDS: { readonly [level in Level]: string } = { error: 'error', warning: 'warning', note: 'notice' };

/** Annotations as GitHub's workflow commands, for the log of a step: the only format whose lines are meant to be obeyed. */
export const renderGithub: Renderer = (documents, { site }) => {
  const notices = noticesOf(documents);
  const levels: readonly Level[] = ['error', 'warning', 'note'];
  return `${levels.flatMap((level) => annotations(level, notices, site)).join('\n')}\n`;
};

/** The notices of one level; where there are too many, the last annotation says how many are left out. */
function annotations(level: Level, notices: readonly Notice[], site: Site): readonly string[] {
  const own = notices.filter((notice) => notice.level === level);
  const shown = own.length > MOST ? own.slice(0, MOST - 1) : own;
  const left = own.length - shown.length;
  const more = `${left} more of this level; GitHub shows ${MOST} for one step, the other formats tell them all.`;
  return [...shown.map((notice) => annotation(notice, site)), ...(left > 0 ? [`::${COMMANDS[level]} title=upkeep::${value(more)}`] : [])];
}

function annotation(notice: Notice, site: Site): string {
  const { file, line, column } = placeOf(notice, site);
  const properties = { file: nameOf(file), line: String(line), col: String(column), title: nameOf(`upkeep: ${notice.code}`) };
  const written = Object.entries(properties).map(([name, text]) => `${name}=${property(text)}`);
  return `::${COMMANDS[notice.level]} ${written.join(',')}::${value(messageOf(notice))}`;
}

/** What stands behind the second `::`. Line breaks are no longer in it. */
function value(text: string): string {
  return text.replaceAll('%', '%25');
}

/** What stands behind `name=`. */
function property(text: string): string {
  return value(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
