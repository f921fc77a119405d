import { isObject } from '../model/json.ts';
import { visible, visibleJson } from '../report/escape.ts';
import type { NoiseOptions } from './options.ts';
import type { TextWriter } from './runtime.ts';

/** The log of HTTP requests; it has no warnings. */
export interface Log {
  debug(members: object, message: string): void;
  info(members: object, message: string): void;
}

/** Creates a log on stderr: one JSON object a line, or one short line of text. Credentials are never passed to it. */
export async function createLog(stderr: TextWriter, { logLevel, logFormat }: Pick<NoiseOptions, 'logLevel' | 'logFormat'>): Promise<Log> {
  if (!VERBOSE_LEVELS.includes(logLevel)) return SILENT;
  // Few runs are logged, and loading pino takes 3 % of a plan.
  const { default: pino } = await import('pino');
  const form = logFormat === 'json' ? visibleJson : textOf;
  const log = pino({ level: logLevel, base: null }, { write: (line) => stderr.write(`${form(entryOf(line))}\n`) });
  return {
    debug: (members, message) => log.debug(members, message),
    info: (members, message) => log.info(members, message),
  };
}

/** The levels at which requests are logged. */
const VERBOSE_LEVELS: readonly NoiseOptions['logLevel'][] = ['trace', 'debug', 'info'];

const SILENT: Log = { debug: () => undefined, info: () => undefined };

type Entry = { readonly [member: string]: unknown };

function entryOf(line: string): Entry {
  const entry: unknown = JSON.parse(line);
  return isObject(entry) ? entry : { msg: line };
}

const NAMES: { readonly [level: number]: string } = { 20: 'debug', 30: 'info' };

/** Formats an entry as `debug: request method=GET path=/api/v3/drm/policies status=200`; values with spaces are quoted. */
function textOf({ level, time: _time, msg, ...rest }: Entry): string {
  const details = Object.entries(rest).map(([name, value]) => `${visible(name)}=${detail(value)}`);
  return [`${NAMES[Number(level)] ?? 'log'}:`, visible(String(msg)), ...details].join(' ');
}

function detail(value: unknown): string {
  const plain = typeof value === 'string' && /^[!-~]+$/.test(value) && !value.includes('"');
  return plain ? visible(value) : visible(JSON.stringify(value));
}
