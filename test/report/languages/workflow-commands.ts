/**
 * Reads a step's log as GitHub's runner does (actions/runner, ActionCommand; what actions/toolkit escapes is unescaped again). A line
 * that holds anything but one annotation is an error.
 */

/** One annotation. */
export interface Annotation {
  readonly command: 'error' | 'warning' | 'notice';
  readonly properties: { readonly [name: string]: string };
  readonly message: string;
}

const LINE = /^::(error|warning|notice) ([^:\n\r]*)::([^\n\r]*)$/;
const KNOWN = ['file', 'line', 'col', 'title'];

/** The annotations of a log. @throws Error at a line that is none */
export function readAnnotations(log: string): readonly Annotation[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map(readLine);
}

function readLine(line: string): Annotation {
  const [, command, properties = '', message = ''] = LINE.exec(line) ?? [];
  if (command !== 'error' && command !== 'warning' && command !== 'notice') throw new Error(`no annotation: ${line.slice(0, 200)}`);
  const pairs = properties.split(',').map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    if (!KNOWN.includes(name)) throw new Error(`no property: ${pair}`);
    return [name, unescaped(rest.join('='))] as const;
  });
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`a property stands twice: ${properties}`);
  return { command, properties: Object.fromEntries(pairs), message: unescaped(message) };
}

const ESCAPES: { readonly [written: string]: string } = { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' };

function unescaped(text: string): string {
  return text.replace(/%(?:0D|0A|3A|2C|25)/g, (written) => ESCAPES[written] ?? written);
}
