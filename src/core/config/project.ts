/** The types of a project, and the conversion of upkeep.yaml to them, with names in camel case (design section 3). */

import schema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import { parseDuration } from '../model/duration.ts';
import type { Severity, SourcePosition } from '../model/finding.ts';
import type { JsonObject, Path } from '../model/json.ts';
import type { NotificationEvent, NotificationFormat } from '../model/notification.ts';
import { withoutTrailing } from '../model/trim.ts';
import type { Windows } from '../windows/windows.ts';
import type { RawGuard } from './validate-guards.ts';
import { createValidator } from './validator.ts';
import type { Variable } from './variables.ts';
import { type RawWindows, readWindows } from './windows.ts';

/** The source of a credential, never its value. */
export type CredentialSource = { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** The sources of a user ID and of a key: an API key, or the text of a file with a scoped key. */
export type CredentialPair =
  | { readonly owner: CredentialSource; readonly apiKey: CredentialSource }
  | { readonly owner: CredentialSource; readonly scopedKey: CredentialSource };

/** The credentials of a target: one pair, or one that reads and one that writes and verifies. */
export type TargetCredentials = CredentialPair | { readonly read: CredentialPair; readonly write: CredentialPair };

/** Limits of the safety checks of a target, for each kind (design section 4, rule 9). Defaults: schemas/configuration.schema.json. */
export interface Limits {
  readonly delete: { readonly count: number; readonly percent: number };
  readonly update: { readonly percent: number };
  /** What may go off air in one plan. */
  readonly offAir: { readonly count: number; readonly percent: number };
}

/** Limits for requests. Defaults: schemas/configuration.schema.json. */
export interface HttpSettings {
  /** Maximum number of requests at the same time. */
  readonly concurrency: number;
  /** 0 = unlimited. */
  readonly requestsPerSecond: number;
  /** Maximum duration of one attempt. */
  readonly timeoutSeconds: number;
  /** How long one request is retried. */
  readonly giveUpSeconds: number;
  /** How long a run may send requests; 0 = unlimited. */
  readonly runSeconds: number;
  /** Maximum size of a response, in MiB (1,048,576 bytes). */
  readonly maxBodyMib: number;
}

/** What differs from one service to another (api-notes sections 1 and 7). */
export interface ServiceSettings {
  /** How a v3 POST carries its data. */
  readonly v3Post: 'form' | 'json';
  /** Where the signature of an API key goes if the request has no form body to hold it. */
  readonly signatureIn: 'query' | 'header';
  /** How a POST of v3 or v2 carries its data with a scoped key. */
  readonly scopedKeyV3Post: 'json' | 'form';
  /** Maximum number of assets in one bulk request, 1 to 100. */
  readonly smartStartBulkLimit: number;
  /** How long the reads of a run wait for what was written, all together, seconds. */
  readonly settleSeconds: number;
  /** The API by which references are checked (api-notes section 7). */
  readonly referenceApi: 'v2' | 'v4';
  /** From when the retention of an asset counts. */
  readonly retentionFrom: 'unknown' | 'created';
  /** The states in which an asset can be played. */
  readonly assetReadyStates: readonly string[];
  /** JSON Pointers of members that no document names and that an update may reset; `*` is any element of a list. */
  readonly resettableMembers: readonly string[];
}

/** An entry of `sources`. Later ones overlay earlier ones. */
export interface SourceEntry {
  /** A file or a folder, relative to the folder of upkeep.yaml. */
  readonly path: string;
  /** Default values for the resources that no earlier source declares, by section. */
  readonly defaults: JsonObject;
}

/** Where applies are recorded: in the remote of the project, nowhere, or in a repository of its own, by address or path. */
export type LedgerSetting = 'git' | 'none' | { readonly git: string };

/** One account, as configured in upkeep.yaml. */
export interface Target {
  readonly name: string;
  /** https, or http to loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials: TargetCredentials;
  readonly sources: readonly SourceEntry[];
  /** Values for `${name}` in the sources. */
  readonly vars: ReadonlyMap<string, Variable>;
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly ledger: LedgerSetting;
  /** The git remote from which commits are fetched; with `ledger: git` it also holds the ledger and the lock. */
  readonly remote: string;
  /** The branch of the remote that a commit must be on to be applied; null = any. */
  readonly branch: string | null;
  /** Globs of the targets before this one, whose configuration an apply waits for. */
  readonly after: readonly string[];
  /** How long these must have carried a configuration, milliseconds. */
  readonly soakMs: number;
  /** Globs of what this project may declare, change and delete; null = everything. */
  readonly manages: readonly string[] | null;
  /** Globs of addresses and live names. */
  readonly protect: readonly string[];
  readonly limits: Limits;
  readonly ignoreChanges: {
    /** Whether the sources may have `ignore_changes`. */
    readonly allowed: boolean;
    /** Globs of addresses of which no edit by hand of an ignored field is drift, even if it weakens protection or stops playback. */
    readonly acceptRiskyEditsAt: readonly string[];
  };
  readonly weakening: 'block' | 'allow';
  /** `strict` also blocks all that goes off air, and what stops or reduces playback or may affect it. */
  readonly playbackLoss: 'block' | 'allow' | 'strict';
  readonly http: HttpSettings;
  readonly service: ServiceSettings;
  /** When its changes may be applied, beside the windows of the project. */
  readonly windows: Windows;
  /** Whether references are checked before planning, by the name of their type (`assets`, `slicers`). */
  readonly check: { readonly [references: string]: boolean };
}

/** A guard: a check of the user that is evaluated for every change that writes. */
export interface GuardDefinition {
  readonly id: string;
  /** Whether it blocks the change or only warns. */
  readonly verdict: 'deny' | 'warn';
  /** CEL expressions; the guard applies where all are true. */
  readonly conditions: readonly string[];
  readonly message: string;
  /** Returns its position in upkeep.yaml. */
  position(): SourcePosition;
}

/** A receiver of notifications. Its address and its key are in the environment; here are the names of their variables. */
export interface NotificationReceiver {
  readonly url: string;
  readonly on: readonly NotificationEvent[];
  readonly format: NotificationFormat;
  /** The key of the signatures; null for none. */
  readonly secret: string | null;
}

/** upkeep.yaml, validated. */
export interface Project {
  /** Name of the file, relative to its folder: `upkeep.yaml` unless another file was given. */
  readonly file: string;
  /** `project`: the name under which the ledger records whose it is; null where its folder is. */
  readonly name: string | null;
  readonly targets: readonly Target[];
  /**
   * With `--trust-from`: the targets of the trusted upkeep.yaml that the one in the work tree lacks. Not run; their credentials are kept
   * from child processes all the same.
   */
  readonly omitted?: readonly Target[];
  readonly guards: readonly GuardDefinition[];
  readonly notify: readonly NotificationReceiver[];
  /** When changes of every target may be applied. */
  readonly windows: Windows;
  /** Device classes as written in upkeep.yaml, by key; null switches a built-in one off. `src/core/device-impact` reads them. */
  readonly devices: { readonly [id: string]: JsonObject | null };
  readonly rules: readonly SeverityRule[];
}

/** An entry of `rules`: the severity of the findings with a code, everywhere or at one place. Of those that match, the last one counts. */
export interface SeverityRule {
  readonly code: string;
  readonly severity: Severity | 'off';
  /** Globs of the address and of the file of a finding; null = any. */
  readonly address: string | null;
  readonly file: string | null;
  /** How long before an event a finding about it is reported, milliseconds; null = as without the entry. */
  readonly withinMs: number | null;
  readonly why: string | null;
  /** The last day on which it counts; null = no end. */
  readonly until: string | null;
  /** Whether that day is over. It has no effect then. */
  readonly isExpired: boolean;
  /** Its path in upkeep.yaml. */
  readonly path: Path;
}

/** A pair of credentials of `RawProject`. */
type RawPair =
  | { readonly owner: CredentialSource; readonly api_key: CredentialSource }
  | { readonly owner: CredentialSource; readonly scoped_key: CredentialSource };

/** One target of `RawProject`. */
interface RawTarget {
  readonly base_url: string;
  readonly credentials: RawPair | { readonly read: RawPair; readonly write: RawPair };
  readonly sources: readonly (string | { readonly path: string; readonly defaults?: JsonObject })[];
  readonly vars: { readonly [name: string]: string | number | boolean };
  readonly ownership: Target['ownership'];
  readonly ledger: Target['ledger'];
  readonly remote: string;
  readonly branch?: string;
  readonly after: readonly string[];
  readonly soak?: string;
  readonly manages?: readonly string[];
  readonly protect: readonly string[];
  readonly limits: Pick<Limits, 'delete' | 'update'> & { readonly off_air: Limits['offAir'] };
  readonly ignore_changes: { readonly allowed: boolean; readonly risky_edits: readonly string[] };
  readonly weakening: Target['weakening'];
  readonly playback_loss: Target['playbackLoss'];
  readonly http: {
    readonly concurrency: number;
    readonly requests_per_second: number;
    readonly timeout_seconds: number;
    readonly give_up_seconds: number;
    readonly run_seconds: number;
    readonly max_body_mib: number;
  };
  readonly service: {
    readonly v3_post: Target['service']['v3Post'];
    readonly signature_in: Target['service']['signatureIn'];
    readonly scoped_key_v3_post: Target['service']['scopedKeyV3Post'];
    readonly smart_start_batch: number;
    readonly settle_seconds: number;
    readonly reference_api: Target['service']['referenceApi'];
    readonly retention_from: Target['service']['retentionFrom'];
    readonly asset_ready_states: Target['service']['assetReadyStates'];
    readonly resettable_members: Target['service']['resettableMembers'];
  };
  readonly windows?: RawWindows;
  readonly check: Target['check'];
}

/** A rule as written: the severity, or with it how long before an event the finding is reported, such as 14d or 36h. */
type RawRule = Severity | 'off' | { readonly level: Severity | 'off'; readonly within?: string };

/** A rule of the list. */
interface RawListedRule {
  readonly code: string;
  readonly severity: Severity | 'off';
  readonly address?: string;
  readonly file?: string;
  readonly within?: string;
  readonly why?: string;
  readonly until?: string;
}

/** The content of upkeep.yaml, with its own key names and every default. */
export interface RawProject {
  readonly project?: string;
  readonly version: 1;
  readonly rules: { readonly [code: string]: RawRule } | readonly RawListedRule[];
  readonly guards: readonly RawGuard[];
  readonly notify: readonly {
    readonly url: { readonly env: string };
    readonly on: readonly NotificationEvent[];
    readonly format: NotificationFormat;
    readonly secret?: { readonly env: string };
  }[];
  readonly windows?: RawWindows;
  readonly devices: Project['devices'];
  readonly targets: { readonly [name: string]: RawTarget };
}

/** Validates the content of upkeep.yaml, and writes defaults into the given value. */
export const validateProjectFile = createValidator<RawProject>(schema, true);

/**
 * Normalizes a base URL: without a trailing slash, so that paths can be appended, and without the final dot of a host, which names the same
 * one. Null unless it is https, or http to loopback.
 */
export function normalizeBaseUrl(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(written);
  const safe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (!safe || username !== '' || password !== '' || search !== '' || hash !== '') return null;
  return origin.replace(/\.(?=:\d+$|$)/, '') + withoutTrailing(pathname, '/');
}

/** Decides whether a host is in 127.0.0.0/8, ::1 or localhost. `URL` has normalized the address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Converts the content of upkeep.yaml. `today` is the day of the run, UTC. `locationOf` returns the location of a path of the file. */
export function toProject(
  file: string,
  raw: RawProject,
  today: string,
  locationOf: (path: Path) => SourcePosition & { readonly written: string | undefined },
): Project {
  return {
    file,
    name: raw.project ?? null,
    rules: rulesOf(raw.rules, today),
    targets: Object.entries(raw.targets).map(([name, target]) => targetOf(name, target, today, (path) => locationOf(path).written)),
    windows: readWindows(raw.windows, ['windows'], today).windows,
    devices: raw.devices,
    notify: raw.notify.map(({ url, on, format, secret }) => ({ url: url.env, on, format, secret: secret?.env ?? null })),
    guards: raw.guards.map((guard, index) => guardOf(guard, () => locationOf(['guards', index]))),
  };
}

function rulesOf(raw: RawProject['rules'], today: string): readonly SeverityRule[] {
  return listedRules(raw).map(([path, { code, severity, address, file, within, why, until }]) => ({
    code,
    severity,
    address: address ?? null,
    file: file ?? null,
    withinMs: within === undefined ? null : parseDuration(within),
    why: why ?? null,
    until: until ?? null,
    isExpired: until !== undefined && today > until,
    path,
  }));
}

/** Returns the rules with their paths. An entry of the map is one of the list without a place. */
function listedRules(raw: RawProject['rules']): readonly (readonly [Path, RawListedRule])[] {
  if (isRuleList(raw)) return raw.map((rule, index) => [['rules', index], rule]);
  return Object.entries(raw).map(([code, rule]) => {
    const { level, ...rest } = typeof rule === 'string' ? { level: rule } : rule;
    return [['rules', code], { code, severity: level, ...rest }];
  });
}

/** Decides whether `rules` is a list. */
export function isRuleList(raw: RawProject['rules']): raw is readonly RawListedRule[] {
  return Array.isArray(raw);
}

/** Converts a guard. Its position is computed only when a finding needs it, because this parses the file again. */
function guardOf({ id, when, deny, warn, message }: RawGuard, position: () => SourcePosition): GuardDefinition {
  const conditions = [when, deny, warn].filter((condition) => condition !== undefined);
  return { id, verdict: deny === undefined ? 'warn' : 'deny', conditions, message, position: () => withoutExcerpt(position()) };
}

function withoutExcerpt({ file, line, column }: SourcePosition): SourcePosition {
  return { file, line, column };
}

/** Converts the value of a variable. As text, a number is what is written, such as 1.10. */
function variableOf(value: string | number | boolean, written: () => string | undefined): Variable {
  return { value, text: () => (typeof value === 'number' ? (written() ?? String(value)) : String(value)) };
}

function pairOf(raw: RawPair): CredentialPair {
  return 'api_key' in raw ? { owner: raw.owner, apiKey: raw.api_key } : { owner: raw.owner, scopedKey: raw.scoped_key };
}

function targetOf(name: string, raw: RawTarget, today: string, writtenAt: (path: Path) => string | undefined): Target {
  const { base_url, credentials, branch, http, service, check, sources, vars, ownership, ledger, remote, protect, limits, weakening } = raw;
  return {
    name,
    baseUrl: normalizeBaseUrl(base_url) ?? base_url,
    credentials: 'read' in credentials ? { read: pairOf(credentials.read), write: pairOf(credentials.write) } : pairOf(credentials),
    sources: sources.map((source) => (typeof source === 'string' ? { path: source, defaults: {} } : { defaults: {}, ...source })),
    vars: new Map(Object.entries(vars).map(([key, value]) => [key, variableOf(value, () => writtenAt(['targets', name, 'vars', key]))])),
    ownership,
    ledger,
    remote,
    branch: branch ?? null,
    after: raw.after,
    soakMs: raw.soak === undefined ? 0 : parseDuration(raw.soak),
    manages: raw.manages ?? null,
    protect,
    limits: { delete: limits.delete, update: limits.update, offAir: limits.off_air },
    ignoreChanges: { allowed: raw.ignore_changes.allowed, acceptRiskyEditsAt: raw.ignore_changes.risky_edits },
    weakening,
    playbackLoss: raw.playback_loss,
    http: {
      concurrency: http.concurrency,
      requestsPerSecond: http.requests_per_second,
      timeoutSeconds: http.timeout_seconds,
      giveUpSeconds: http.give_up_seconds,
      runSeconds: http.run_seconds,
      maxBodyMib: http.max_body_mib,
    },
    service: {
      v3Post: service.v3_post,
      signatureIn: service.signature_in,
      scopedKeyV3Post: service.scoped_key_v3_post,
      smartStartBulkLimit: service.smart_start_batch,
      settleSeconds: service.settle_seconds,
      referenceApi: service.reference_api,
      retentionFrom: service.retention_from,
      assetReadyStates: service.asset_ready_states,
      resettableMembers: service.resettable_members,
    },
    windows: readWindows(raw.windows, ['targets', name, 'windows'], today).windows,
    check,
  };
}
