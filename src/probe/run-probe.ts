/** Runs the steps of a probe, and compares what the service answered with what upkeep assumes. */
import { type ProbeAnswer, type ProbeReport, type ProbeSetting, type ProbeState, type ProbeStep, STEP_FLAGS } from '../model/probe.ts';
import { accountDigest, type Restoration, restoreSettings } from './account-settings.ts';
import { type AccountStep, accountStep, priorIn } from './account-step.ts';
import { type Found, notFound, type Reader, type Row, sendRow } from './answers.ts';
import { ASSUMPTIONS, type Assumption, type Meaning } from './assumptions.ts';
import { createProbeService, type Exchange, type Exchanges, type ProbeConnection, type ProbeService, refusalOf } from './exchange.ts';
import { paceRequests, searchPace } from './pace-step.ts';
import { READ_READERS, readRows } from './read-step.ts';
import { removeScratch, type ScratchJournal, type ScratchObject } from './scratch.ts';
import { type WriteStep, writeStep } from './write-step.ts';

/** What a probe is to do. */
export interface ProbeInput {
  readonly connection: ProbeConnection;
  readonly steps: readonly ProbeStep[];
  /** ID of an asset of which no asset playlist exists. */
  readonly asset: string | undefined;
  readonly journal: ScratchJournal;
  /** The rate that is configured, requests a second; 0 = unlimited. */
  readonly configuredRate: number;
  /** The settings that an answer may change, by their paths, as they are configured. */
  readonly configured: { readonly [path: string]: string };
}

/** The result of a probe, as its report has it. */
export type ProbeResult = Pick<ProbeReport, 'requests' | 'answers' | 'settings' | 'leftBehind'> & Pick<Restoration, 'changedByOthers'>;

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

/** The largest number of requests by which the settings of the account are put back when nothing fails. */
const RESTORES = 24;

/** Returns the requests of the steps, before any is sent, with an API key or with a scoped one. */
export function plannedSteps({
  steps,
  asset,
  configuredRate,
  hasScopedKey,
}: Pick<ProbeInput, 'steps' | 'asset' | 'configuredRate'> & { readonly hasScopedKey: boolean }): readonly PlannedStep[] {
  const rows: { readonly [step in ProbeStep]: () => readonly Row[] } = {
    read: () => readRows(hasScopedKey),
    write: () => writeStep(asset, 'form', hasScopedKey).rows,
    account: () => accountStep([]).rows,
    pace: () => [],
  };
  return steps.map((step) => {
    if (step === 'pace') {
      const count = paceRequests(configuredRate);
      return { step, requests: [`${count} x GET /api/v3/drm/use-static-encryption-key, or fewer`], count };
    }
    const requests = rows[step]();
    const cleanUp = { read: 0, write: REMOVALS, account: RESTORES }[step];
    const count = requests.reduce((sum, { twice }) => sum + (twice ? 2 : 1), cleanUp);
    return { step, requests: requests.map((row) => requestText(row, asset)), count };
  });
}

/** Formats a request, without its signature: what is random is written as such. */
function requestText({ name, method, path, query }: Row, asset: string | undefined): string {
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  return `${method} ${decodeURIComponent(path)}${parameters} (${name})`.replace(/\b[0-9a-f]{32}\b/g, (id) =>
    id === asset ? id : '{random}',
  );
}

/**
 * Runs the steps. Scratch objects of this probe and of earlier ones are removed, and settings of the account are put back, also after an
 * interrupt.
 */
export async function runProbe({ connection, steps, asset, journal, configuredRate, configured }: ProbeInput): Promise<ProbeResult> {
  const service = createProbeService(connection);
  const hasScopedKey = 'scopedKey' in connection.credentials;
  const answers = new Map<string, Found>();
  const settings: ProbeSetting[] = [];
  const read = (readers: { readonly [id: string]: Reader }, seen: Exchanges): void => {
    for (const [id, reader] of Object.entries(readers)) answers.set(id, reader(seen));
  };
  // What an earlier probe left behind is removed and put back first, as far as this one may write.
  let earlier: Restoration = { left: [], changedByOthers: [] };
  let own: Restoration = earlier;
  if (steps.some((step) => step === 'write' || step === 'account') && journal.pending().length + journal.settings().length > 0) {
    connection.onStep?.('write');
    await removeScratch(service, journal, () => true);
    earlier = await restoreSettings(service, journal, 'an earlier probe');
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
      await removeScratch(service, journal, (object) => isSettled(step, object, seen));
    }
  }
  if (steps.includes('account') && isAccepted && !connection.signal.aborted) {
    connection.onStep?.('account');
    const left = journal.settings().map(({ setting }) => setting);
    const step = accountStep(left);
    const seen = new Map<string, Exchange>();
    try {
      await sendChanges(service, step, journal, seen);
      read(step.readers, seen);
    } finally {
      const changed = { ...journal, settings: () => journal.settings().filter(({ setting }) => !left.includes(setting)) };
      // Without the lock, somebody else may have written meanwhile.
      own = await restoreSettings(service, changed, connection.signal.aborted ? 'an earlier probe' : 'this probe');
    }
  }
  if (steps.includes('pace') && isAccepted && !connection.signal.aborted) {
    connection.onStep?.('pace');
    const { answer, rate } = await searchPace(service, configuredRate);
    answers.set('rate', answer);
    if (rate !== null) settings.push({ path: 'http.requests_per_second', value: String(rate) });
  }
  const judged = ASSUMPTIONS.flatMap((assumption) => judge(assumption, answers.get(assumption.id), settings, { configured, steps }));
  return {
    requests: service.sent,
    answers: judged.map(({ answer }) => answer),
    settings: [...settings, ...judged.flatMap(({ setting }) => setting ?? [])],
    leftBehind: [...journal.pending().map(({ kind, name }) => `${kind} ${name}`), ...earlier.left, ...own.left],
    changedByOthers: [...earlier.changedByOthers, ...own.changedByOthers],
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
    await sendFilled(service, row, seen, () => {
      if (row.intends) journal.intend(row.intends);
    });
    for (const object of journal.pending()) {
      const id = step.idOf(object, seen);
      if (id !== undefined && id !== object.id && isOf(step, object)) journal.intend({ ...object, id });
    }
  }
}

/** Sends the requests that change settings, each of which is journalled as it was before. */
async function sendChanges(
  service: ProbeService,
  { rows }: AccountStep,
  journal: ScratchJournal,
  seen: Map<string, Exchange>,
): Promise<void> {
  const account = accountDigest(service.connection);
  for (const row of rows) {
    await sendFilled(service, row, seen, () => {
      const prior = row.changes && priorIn(row.changes, seen);
      if (row.changes && prior === undefined) throw new Error(`bug in upkeep: ${row.changes} would be changed before it was read`);
      if (row.changes && prior) journal.keep({ setting: row.changes, account, prior });
    });
  }
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
  const exchange = await sendRow(service, { ...row, ...filled });
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

/** Compares an answer with the assumption. */
function judge(
  { id, assumed, question }: Assumption,
  answer: Found | undefined,
  settings: readonly ProbeSetting[],
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
  if (answers === undefined) {
    const state: ProbeState = id === 'rate' && settings.length > 0 ? 'setting' : 'measured';
    return [{ answer: { ...head, state, ...tail } }];
  }
  const meaning: Meaning = answers[found] ?? 'also works';
  if (typeof meaning === 'string') return [{ answer: { ...head, state: meaning, ...tail } }];
  if ('notFor' in meaning) return [{ answer: { ...head, state: 'contradicted', ...tail, notFor: meaning.notFor } }];
  if (configured[meaning.setting] === meaning.value) return [{ answer: { ...head, state: 'assumed', ...tail } }];
  return [{ answer: { ...head, state: 'setting', ...tail }, setting: { path: meaning.setting, value: meaning.value } }];
}
