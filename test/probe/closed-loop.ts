/** The probe against the emulator, on a clock that only waiting moves: accounts with any quirks and faults, and probes that are killed. */
import type { ApiCredentials } from '../../src/core/api-client/proof.ts';
import { createTransport, type HttpRequest, type HttpResponse, type Transport } from '../../src/core/api-client/transport.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { asStringArray } from '../../src/core/model/json-readers.ts';
import { emulatedKinds } from '../../src/emulator/kinds/index.ts';
import { type ProbedService, probedService } from '../../src/emulator/probed-quirks.ts';
import type { ServiceQuirks } from '../../src/emulator/quirks.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/server.ts';
import type { ProbeConnection } from '../../src/probe/exchange.ts';
import type { ProbeStep } from '../../src/probe/probe-report.ts';
import { type ProbeResult, runProbe } from '../../src/probe/run-probe.ts';
import { type JournalStore, openScratchJournal } from '../../src/probe/scratch.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { API_KEY, OWNER } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';

/** An asset without an asset playlist. */
export const ASSET = 'a'.repeat(32);
const OTHERS = 12;
const READ_AND_WRITE: readonly ProbeStep[] = ['read', 'write'];
const START = Date.UTC(2026, 0, 5, 12);

/** An account with enough objects that the order of its lists shows. */
const SEED: JsonObject = {
  playlist: Array.from({ length: OTHERS }, (_, index) => ({
    id: `${index}`.padStart(32, '0'),
    desc: `Playlist ${index}`,
    active: 1,
    playlist: [{ beam: { id: `${index}`.padStart(32, 'b') } }],
  })),
  'drm-policy': Array.from({ length: OTHERS }, (_, index) => ({ policy_name: `policy ${index}` })),
  'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'],
};

/** Returns the seed of an account with these settings. */
export function seedWith(settings: JsonObject): JsonObject {
  return { ...SEED, ...settings };
}

/** Settings of an account that uses all of them. */
export const ACCOUNT_SETTINGS: JsonObject = {
  'vmp-reject-statuses': ['PLATFORM_NO_VERIFICATION', 'PLATFORM_TAMPERED'],
  'static-key': { use_static_encryption_key: true, static_key_slicer_ids: ['studio-a', 'studio-b'] },
  'key-rotation-schedule': { enabled: false, frequency: 2, unit: 'd', hour: 5, next_rotation: Date.UTC(2027, 0, 1) },
};

/** An account, its clock, and the journal on the machine of the user. */
export interface Account {
  readonly emulator: Emulator;
  readonly journal: JournalStore & { readonly text: () => string };
  /** Runs a probe; `killAt` is the number of the request at which the process ends, and whether that request was sent. */
  probe(options?: {
    readonly killAt?: number;
    readonly sent?: boolean;
    readonly steps?: readonly ProbeStep[];
    readonly asset?: string | null;
    readonly signal?: AbortSignal;
    readonly credentials?: ApiCredentials;
    /** Answers a request in place of the service, where it returns a response. */
    readonly answer?: (wire: HttpRequest) => HttpResponse | undefined;
  }): Promise<ProbeResult | 'killed'>;
  /** The scratch objects that the account holds: all that were not there before. */
  leftovers(): readonly string[];
  /** The settings of the account that are not as before, as far as a service can put them back. */
  changed(): readonly string[];
  close(): Promise<void>;
}

/** The end of a process. */
class Killed extends Error {}

/** Starts an account with a virtual clock. */
export async function startAccount(options: Partial<EmulatorOptions> = {}): Promise<Account> {
  let elapsed = 0;
  const now = (): number => START + elapsed;
  const emulator = await startEmulator({ emulatedKinds, accounts: [{ owner: OWNER, apiKey: API_KEY }], seed: SEED, now, ...options });
  const close = cleanUpAfterTest(() => emulator.close());
  let text = '';
  const journal = {
    read: () => text,
    append(line: string) {
      text += `${line}\n`;
    },
    clear() {
      text = '';
    },
    text: () => text,
  };
  const before = namesOf(emulator);
  const settings = settingsOf(emulator);
  return {
    emulator,
    journal,
    close,
    leftovers: () => namesOf(emulator).filter((name) => !before.includes(name)),
    changed: () =>
      Object.entries(settingsOf(emulator)).flatMap(([name, now]) => {
        const wasNeverSet = name === 'schedule' && equal(settings[name], [null, null, null, null]);
        return wasNeverSet || equal(now, settings[name]) ? [] : [name];
      }),
    async probe({
      killAt = Number.POSITIVE_INFINITY,
      sent = false,
      steps = READ_AND_WRITE,
      asset = ASSET,
      signal = new AbortController().signal,
      credentials = { owner: OWNER, apiKey: API_KEY },
      answer = () => undefined,
    } = {}) {
      const service = createTransport({ baseUrl: emulator.url, connections: 1, maxBodyMib: 1 });
      const exchange: Transport['exchange'] = async (wire, ...rest) => answer(wire) ?? service.exchange(wire, ...rest);
      const real = { ...service, exchange };
      const connection: ProbeConnection = {
        transport: killing(real, killAt, sent),
        baseUrl: emulator.url,
        credentials,
        signatureIn: 'query',
        v3Post: 'form',
        requestsPerSecond: 1,
        timeoutMs: atMost(2_000),
        now,
        elapsed: () => elapsed,
        async sleep(ms) {
          elapsed += ms;
        },
        redact: (each) => each,
        signal,
      };
      try {
        return await runProbe({
          connection,
          steps,
          asset: asset ?? undefined,
          journal: openScratchJournal(journal),
          configured: { 'service.v3_post': 'form', 'service.scoped_key_v3_post': 'form', 'service.reference_api': 'v2' },
        });
      } catch (error) {
        if (error instanceof Killed) return 'killed';
        throw error;
      } finally {
        await real.close();
      }
    },
  };
}

/** Returns a transport after whose nth request the process is dead: no request after it is sent. */
function killing(real: Transport, killAt: number, sent: boolean): Pick<Transport, 'exchange'> {
  let count = 0;
  return {
    async exchange(wire, timeoutMs, redact) {
      count++;
      if (count > killAt || (count === killAt && !sent)) throw new Killed();
      const response = await real.exchange(wire, timeoutMs, redact);
      if (count === killAt) throw new Killed();
      return response;
    },
  };
}

function accountIn(emulator: Emulator): JsonObject {
  const dump = emulator.dump();
  const account = isJsonObject(dump) ? dump[OWNER] : undefined;
  if (!isJsonObject(account)) throw new Error('the emulator has no account');
  return account;
}

/** Returns the settings of the account: sorted lists, and no slicers for null. */
function settingsOf(emulator: Emulator): { readonly [name: string]: Json } {
  const { 'vmp-reject-statuses': statuses, 'static-key': key, 'key-rotation-schedule': schedule } = accountIn(emulator);
  const sorted = (value: Json | undefined): readonly string[] => [...(asStringArray(value ?? []) ?? [])].sort();
  const {
    enabled = false,
    frequency = null,
    unit = null,
    hour = null,
    next_rotation: next = null,
  } = isJsonObject(schedule) ? schedule : {};
  return {
    statuses: sorted(statuses),
    key: isJsonObject(key) ? (key.use_static_encryption_key ?? null) : null,
    slicers: sorted(isJsonObject(key) ? key.static_key_slicer_ids : []),
    enabled,
    // A schedule that was never set cannot be removed again: it stays as one that is off.
    schedule: [frequency, unit, hour, next],
  };
}

function namesOf(emulator: Emulator): readonly string[] {
  const account = accountIn(emulator);
  return ['playlist', 'drm-policy'].flatMap((kind) =>
    [account[kind]]
      .flat()
      .filter(isJsonObject)
      .map((item) => `${kind} ${String(item.id ?? item._id)}`),
  );
}

/** Compares what a probe has found with what the emulator is. Returns the differences; what was not found out is none. */
export function wrongQuirks(result: ProbeResult, truth: ServiceQuirks): readonly string[] {
  const { quirks } = probed(result);
  return Object.entries(quirks).flatMap(([quirk, value]) => {
    const actual = Object.entries(truth).find(([name]) => name === quirk)?.[1];
    return actual === value ? [] : [`${quirk}: found ${String(value)}, is ${String(actual)}`];
  });
}

/** Returns what the emulator would be by the result of a probe. */
export function probed(result: ProbeResult): ProbedService {
  return probedService(result);
}
