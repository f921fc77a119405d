import { type Logger, pino } from 'pino';
import { isObject } from '../model/json.ts';
import { visible, visibleJson } from '../report/escape.ts';
import type { Sink } from './io.ts';
import type { NoiseOptions } from './options.ts';

/** A log on stderr: one JSON object a line, or one short line of text. Credentials never reach it, because nobody hands them to it. */
export function createLog(stderr: Sink, { logLevel, logFormat }: Pick<NoiseOptions, 'logLevel' | 'logFormat'>): Logger {
  const form = logFormat === 'json' ? visibleJson : textOf;
  return pino({ level: logLevel, base: null }, { write: (line) => stderr.write(`${form(entryOf(line))}\n`) });
}

type Entry = { readonly [member: string]: unknown };

function entryOf(line: string): Entry {
  const entry: unknown = JSON.parse(line);
  return isObject(entry) ? entry : { msg: line };
}

const NAMES: { readonly [level: number]: string } = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' };

/** `debug: request method=GET path=/api/v3/drm/policies status=200`; a text with spaces stands in quotes. */
function textOf({ level, time: _time, msg, ...rest }: Entry): string {
  const details = Object.entries(rest).map(([name, value]) => `${visible(name)}=${detail(value)}`);
  return [`${NAMES[Number(level)] ?? 'log'}:`, visible(String(msg)), ...details].join(' ');
}

function detail(value: unknown): string {
  const plain = typeof value === 'string' && /^[!-~]+$/.test(value) && !value.includes('"');
  return plain ? visible(value) : visible(JSON.stringify(value));
}
