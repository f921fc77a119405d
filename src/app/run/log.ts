/** The log of a run on stderr: one line an event, as text or JSON. Only this file imports pino. */
import { isObject } from '../../core/model/json.ts';
import { visible, visibleJson } from '../../report/escape.ts';
import type { NoiseOptions } from './options.ts';
import { EVENT_LEVELS, type EventLevel, type OpenSink, RUN_EVENTS } from './run-events.ts';
import { VERSION } from './version.ts';

/** Opens the log at the chosen level and form; null where nothing is logged, which is the default. Credentials are never passed to it. */
export async function openLog(
  runId: string,
  { logLevel, logFormat }: Pick<NoiseOptions, 'logLevel' | 'logFormat'>,
): Promise<OpenSink | null> {
  const names: readonly string[] = EVENT_LEVELS;
  const from = names.indexOf(logLevel);
  if (from < 0) return null;
  // Few runs are logged, and loading pino takes 3 % of a plan.
  const { default: pino } = await import('pino');
  const logged: ReadonlySet<EventLevel> = new Set(EVENT_LEVELS.slice(from));
  const format = logFormat === 'json' ? visibleJson : entryText;
  const settings = {
    level: logLevel,
    base: { runId, version: VERSION },
    timestamp: false,
    formatters: { level: (level: string) => ({ level }) },
  };
  return ({ stderr }) => {
    const log = pino(settings, { write: (line) => stderr.write(`${format(entryOf(line))}\n`) });
    return {
      wants: (name) => logged.has(RUN_EVENTS[name].level),
      record({ name, at, target, commit, phase, members }) {
        log[RUN_EVENTS[name].level]({ time: new Date(at).toISOString(), target, commit, phase, ...members }, name);
      },
    };
  };
}

/** A parsed entry of pino. */
type LogEntry = { readonly [member: string]: unknown };

function entryOf(line: string): LogEntry {
  const entry: unknown = JSON.parse(line);
  return isObject(entry) ? entry : { msg: line };
}

/** The events whose lines of text name run, version, target and commit; the lines in between would only repeat them. */
const WITH_CONTEXT: ReadonlySet<unknown> = new Set(['run started', 'configuration loaded']);

/** Formats an entry as `debug: request method=GET path=/api/v3/drm/policies status=200`; values with spaces are quoted. */
function entryText({ level, time: _time, msg, runId, version, target, commit, phase, ...own }: LogEntry): string {
  const context = { ...own, phase, ...(WITH_CONTEXT.has(msg) ? { runId, version, target, commit } : {}) };
  const members = Object.entries(context).filter(([name, value]) => name in own || (value !== null && value !== undefined));
  return [`${String(level)}:`, visible(String(msg)), ...members.map(([name, value]) => `${visible(name)}=${memberText(value)}`)].join(' ');
}

function memberText(value: unknown): string {
  const plain = typeof value === 'string' && /^[!-~]+$/.test(value) && !value.includes('"');
  return plain ? visible(value) : visible(JSON.stringify(value));
}
