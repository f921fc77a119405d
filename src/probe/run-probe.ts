/** Runs the steps of a probe, and compares what the service answered with what upkeep assumes. */

import type { Exchange, Exchanges, Found, Readers, Row, ScratchObject } from '../core/kinds/probe.ts';
import { notFound, refusalOf } from '../core/kinds/probe-answers.ts';
import { ASSUMPTIONS, type Assumption, type Meaning } from './assumptions.ts';
import { createProbeService, type ProbeConnection, type ProbeService, sendRow } from './exchange.ts';
import { type ProbeAnswer, type ProbeReport, type ProbeSetting, type ProbeStep, STEP_FLAGS } from './probe-report.ts';
import { READ_READERS, readRows } from './read-step.ts';
import { removeScratch, type ScratchJournal } from './scratch.ts';
import { type WriteStep, writeStep } from './write-step.ts';

/** What a probe is to do. */
export interface ProbeInput {
  readonly connection: ProbeConnection;
  readonly steps: readonly ProbeStep[];
  /** ID of an asset of which no asset playlist exists. */
  readonly asset: string | undefined;
  readonly journal: ScratchJournal;
  /** The settings that an answer may change, by their paths, as they are configured. */
  readonly configured: { readonly [path: string]: string | readonly string[] };
}

/** The result of a probe, as its report has it. */
export type ProbeResult = Pick<ProbeReport, 'requests' | 'answers' | 'settings' | 'leftBehind'>;

/** A step with the requests that it may send. */
export interface PlannedStep {
  readonly step: ProbeStep;
  /** Method and path of each request, in order. */
  readonly requests: readonly string[];
  /**
   * The largest number of requests where each is answered as expected: with those that are sent twice, and those that remove what was
   * created.
   */
  readonly count: number;
}

/** The largest number of requests by which the scratch objects of one probe are removed when nothing fails. */
const REMOVALS = 16;

/** Returns the requests of the steps, before any is sent, with an API key or with a scoped one. */
export function plannedSteps({
  steps,
  asset,
  hasScopedKey,
}: Pick<ProbeInput, 'steps' | 'asset'> & { readonly hasScopedKey: boolean }): readonly PlannedStep[] {
  const rows: { readonly [step in ProbeStep]: () => readonly Row[] } = {
    read: () => readRows(hasScopedKey),
    write: () => writeStep(asset, 'form', hasScopedKey).rows,
  };
  return steps.map((step) => {
    const requests = rows[step]();
    const cleanUp = step === 'write' ? REMOVALS : 0;
    const count = requests.reduce((sum, { twice }) => sum + (twice ? 2 : 1), cleanUp);
    return { step, requests: requests.map((row) => requestText(row, asset)), count };
  });
}

/** Formats a request, without its signature: what is random is written as such. */
function requestText({ name, method, path, query, twice }: Row, asset: string | undefined): string {
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return `${method} ${decodeURIComponent(path)}${parameters} (${name}${twice ? ', twice' : ''})`.replace(/\b[0-9a-f]{32}\b/g, (id) =>
    id === asset ? id : '{random}',
  );
}

/** Runs the steps. Scratch objects of this probe and of earlier ones are removed, also after an interrupt. */
export async function runProbe({ connection, steps, asset, journal, configured }: ProbeInput): Promise<ProbeResult> {
  const service = createProbeService(connection);
  const hasScopedKey = 'scopedKey' in connection.credentials;
  const answers = new Map<string, Found>();
  const read = (readers: Readers, seen: Exchanges): void => {
    for (const [id, reader] of Object.entries(readers)) answers.set(id, reader(seen));
  };
  // What an earlier probe left behind is removed first, if this one may write. What reads do not show yet is looked for again at the end, when
  // it is known how much they lag.
  if (steps.includes('write') && journal.pending().length > 0) {
    connection.onStep?.('write');
    await removeScratch(service, journal, () => false);
  }
  if (steps.includes('read')) connection.onStep?.('read');
  if (steps.includes('read')) read(READ_READERS, await sendRows(service, readRows(hasScopedKey)));
  // A service that accepts no request answers no other question.
  const isAccepted = !steps.includes('read') || answers.get('signature-accepted')?.found === 'accepted';
  if (steps.includes('write') && isAccepted && !connection.signal.aborted) {
    connection.onStep?.('write');
    const step = writeStep(asset, connection.v3Post, hasScopedKey);
    const seen = new Map<string, Exchange>();
    try {
      await sendWrites(service, step, journal, seen);
      read(step.readers, seen);
    } finally {
      await removeScratch(service, journal, (object) => isSettled(step, object, seen), lagOf(seen));
    }
  }
  const judged = ASSUMPTIONS.flatMap((assumption) => judge(assumption, answers.get(assumption.id), { configured, steps }));
  return {
    requests: service.sent,
    answers: judged.map(({ answer }) => answer),
    settings: judged.flatMap(({ setting }) => setting ?? []),
    leftBehind: journal.pending().map(({ kind, name }) => `${kind} ${name}`),
  };
}

/** Sends the requests of a step in order, until the user interrupts. */
async function sendRows(service: ProbeService, rows: readonly Row[]): Promise<Exchanges> {
  const seen = new Map<string, Exchange>();
  for (const row of rows) await sendFilled(service, row, seen);
  return seen;
}

async function sendWrites(service: ProbeService, step: WriteStep, journal: ScratchJournal, seen: Map<string, Exchange>): Promise<void> {
  for (const row of step.rows) {
    // What was written before is read only when reads can show it.
    if (row.method === 'GET' && lagOf(seen) > 0 && !row.shows) await service.connection.sleep(2 * lagOf(seen));
    await sendFilled(service, row, seen, () => {
      if (row.intends) journal.intend(row.intends);
    });
    for (const object of journal.pending()) {
      const id = step.idOf(object, seen);
      if (id !== undefined && id !== object.id && isOf(step, object)) journal.intend({ ...object, id });
    }
  }
}

/** Returns how long reads took to show what was written, milliseconds. */
function lagOf(seen: Exchanges): number {
  return Math.max(0, ...Array.from(seen.values(), ({ shownAfterMs }) => shownAfterMs ?? 0));
}

async function sendFilled(
  service: ProbeService,
  row: Row,
  seen: Map<string, Exchange>,
  before: () => void = () => undefined,
): Promise<void> {
  const filled = row.fill ? row.fill(seen) : {};
  if (filled === null || service.connection.signal.aborted) return;
  before();
  const exchange = await sendRow(service, { ...row, ...filled }, seen);
  if (exchange !== undefined) seen.set(row.name, exchange);
}

/** Decides whether an object is one of this step, not one that an earlier probe left behind. */
function isOf({ rows }: WriteStep, { name }: ScratchObject): boolean {
  return rows.some(({ intends }) => intends?.name === name);
}

/**
 * Decides whether an object that the service does not show does not exist: it was shown before, or each request that would have created it
 * was refused. A create without an answer may still take effect.
 */
function isSettled(step: WriteStep, object: ScratchObject, seen: Exchanges): boolean {
  if (!isOf(step, object) || step.isShown(object, seen)) return true;
  const creates = step.rows.filter(({ intends }) => intends?.name === object.name).map(({ name }) => name);
  const answers = creates.flatMap((name) => seen.get(name) ?? []);
  return answers.length > 0 && answers.every((answer) => refusalOf(answer) !== undefined);
}

function judge(
  { id, assumed, question }: Assumption,
  answer: Found | undefined,
  { configured, steps }: Pick<ProbeInput, 'configured' | 'steps'>,
): readonly { readonly answer: ProbeAnswer; readonly setting?: ProbeSetting }[] {
  if (question === undefined) return [];
  const { step, text, answers } = question;
  const { found, detail } =
    answer ??
    notFound(
      steps.includes(step)
        ? 'not asked: no signature was accepted, or the probe was interrupted'
        : `asked only with \`${STEP_FLAGS[step]}\``,
    );
  const head = { id, step, question: text, assumed };
  const tail = { found, ...(detail === undefined ? {} : { detail }) };
  if (found === null) return [{ answer: { ...head, state: 'not found out', ...tail } }];
  if (answers === undefined) return [{ answer: { ...head, state: 'measured', ...tail } }];
  const meaning: Meaning = answers[found] ?? 'also works';
  if (typeof meaning === 'string') return [{ answer: { ...head, state: meaning, ...tail } }];
  if ('addsTo' in meaning) {
    const list = configured[meaning.addsTo] ?? [];
    const { items = [] } = answer ?? {};
    if (items.length === 0) return [{ answer: { ...head, state: 'also works', ...tail } }];
    const missing = items.filter((item) => !list.includes(item));
    if (missing.length === 0) return [{ answer: { ...head, state: 'assumed', ...tail } }];
    return [
      { answer: { ...head, state: 'setting', ...tail }, setting: { path: meaning.addsTo, value: JSON.stringify([...list, ...missing]) } },
    ];
  }
  if ('notFor' in meaning) return [{ answer: { ...head, state: 'contradicted', ...tail, notFor: meaning.notFor } }];
  if (configured[meaning.setting] === meaning.value) return [{ answer: { ...head, state: 'assumed', ...tail } }];
  return [{ answer: { ...head, state: 'setting', ...tail }, setting: { path: meaning.setting, value: meaning.value } }];
}
