import { type Logger, pino } from 'pino';
import { isObject } from '../model/json.ts';
import { visible } from '../report/escape.ts';
import type { Sink } from './io.ts';

export type { Logger };

/** Levels of `--log-level`, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** A log on stderr: one JSON object a line, or one short line of text. Credentials never reach it, because nobody hands them to it. */
export function createLog(stderr: Sink, level: string, format: 'text' | 'json'): Logger {
  return pino({ level, base: null }, { write: (line) => stderr.write(format === 'json' ? line : textLine(line)) });
}

const NAMES: { readonly [level: number]: string } = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' };

function textLine(line: string): string {
  const entry: unknown = JSON.parse(line);
  if (!isObject(entry)) return line;
  const { level, time: _time, msg, ...rest } = entry;
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${[`${NAMES[Number(level)] ?? 'log'}:`, visible(String(msg ?? '')), ...details].join(' ')}\n`;
}
