/**
 * The types of a project, and the conversion of upkeep.yaml to them (design section 3). Names are in camel case; defaults are filled in.
 */

import schema from '../../schemas/configuration.schema.json' with { type: 'json' };
import type { Severity, SourcePosition } from '../model/finding.ts';
import type { JsonObject, Path } from '../model/json.ts';
import type { RawGuard } from './validate-guards.ts';
import { createValidator } from './validator.ts';

/** The source of a credential, never its value. */
export type CredentialSource = { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** Limits of the safety checks of a target, for each kind (design section 4, rule 9). Defaults: schemas/configuration.schema.json. */
export interface Limits {
  readonly delete: { readonly count: number; readonly percent: number };
  readonly update: { readonly percent: number };
}

/** Limits for requests, in seconds, MiB (1,048,576 bytes) and requests per second. */
export interface HttpSettings {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly timeoutSeconds: number;
  readonly giveUpSeconds: number;
  readonly runSeconds: number;
  readonly maxBodyMib: number;
}

/** Settings for questions that the API documents leave open (api-notes sections 1 and 7). */
export interface ServiceSettings {
  readonly v3Post: 'form' | 'json';
  /** Assets in one bulk request, 1 to 100. */
  readonly smartStartBatch: number;
  /** The API that looks up whether references exist (api-notes section 7). */
  readonly referenceApi: 'v2' | 'v4';
}

/** One account, as configured in upkeep.yaml. */
export interface Target {
  readonly name: string;
  /** https, or http to loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials: { readonly owner: CredentialSource; readonly apiKey: CredentialSource };
  /** Files or folders relative to the folder of upkeep.yaml, where later ones overlay earlier ones. */
  readonly sources: readonly string[];
  readonly vars: { readonly [name: string]: string };
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  readonly ledger: 'git' | 'none';
  readonly remote: string;
  readonly branch: string | null;
  /** Globs over addresses and, for undeclared objects, over `desc` and name. */
  readonly protect: readonly string[];
  readonly limits: Limits;
  readonly loosening: 'block' | 'allow';
  readonly http: HttpSettings;
  readonly service: ServiceSettings;
  /** Whether references are looked up before planning, by their type (`assets`, `slicers`). */
  readonly check: { readonly [references: string]: boolean };
}

/** A user-defined rule that is evaluated for every change that writes. */
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

/** upkeep.yaml, validated. */
export interface Project {
  /** Name of the file, relative to its folder: `upkeep.yaml` unless another file was given. */
  readonly file: string;
  readonly targets: readonly Target[];
  readonly guards: readonly GuardDefinition[];
  /** User-defined device classes as written, by key; `device-impact` interprets them. */
  readonly devices: { readonly [id: string]: JsonObject };
  /** Severity by finding code. */
  readonly rules: { readonly [code: string]: Severity | 'off' };
}

/** One target with the names of the file; members with a default are always present. */
interface RawTarget {
  readonly base_url: string;
  readonly credentials: { readonly owner: Target['credentials']['owner']; readonly api_key: Target['credentials']['apiKey'] };
  readonly sources: readonly string[];
  readonly vars: { readonly [name: string]: string };
  readonly ownership: Target['ownership'];
  readonly ledger: Target['ledger'];
  readonly remote: string;
  readonly branch?: string;
  readonly protect: readonly string[];
  readonly limits: Target['limits'];
  readonly loosening: Target['loosening'];
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
    readonly smart_start_batch: number;
    readonly reference_api: Target['service']['referenceApi'];
  };
  readonly check: Target['check'];
}

/** upkeep.yaml as written. */
export interface RawProject {
  readonly version: 1;
  readonly rules: Project['rules'];
  readonly guards: readonly RawGuard[];
  readonly devices: Project['devices'];
  readonly targets: { readonly [name: string]: RawTarget };
}

/** Validates the content of upkeep.yaml, and writes defaults into the given value. */
export const validateProjectFile = createValidator<RawProject>(schema, true);

/** Normalizes a base URL: without a trailing slash, so that paths can be appended. Null unless it is https, or http to loopback. */
export function normalizeBaseUrl(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(written);
  const safe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (!safe || username !== '' || password !== '' || search !== '' || hash !== '') return null;
  return origin + pathname.replace(/\/+$/, '');
}

/** Decides whether a host is in 127.0.0.0/8, ::1 or localhost. `URL` has normalized the address. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Converts the settings; `positionOf` returns the position of a path of the file. */
export function toProject(file: string, written: RawProject, positionOf: (path: Path) => SourcePosition): Project {
  return {
    file,
    rules: written.rules,
    targets: Object.entries(written.targets).map(([name, target]) => targetOf(name, target)),
    devices: written.devices,
    guards: written.guards.map((guard, index) => guardOf(guard, () => positionOf(['guards', index]))),
  };
}

/** Converts a guard. Its position is looked up only for a finding, since that parses the file again. */
function guardOf({ id, when, deny, warn, message }: RawGuard, position: () => SourcePosition): GuardDefinition {
  const conditions = [when, deny, warn].filter((condition) => condition !== undefined);
  return { id, verdict: deny === undefined ? 'warn' : 'deny', conditions, message, position: () => withoutExcerpt(position()) };
}

/** Returns the position without the excerpt. */
function withoutExcerpt({ file, line, column }: SourcePosition): SourcePosition {
  return { file, line, column };
}

function targetOf(name: string, written: RawTarget): Target {
  const { base_url, credentials, branch, http, service, check, sources, vars, ownership, ledger, remote, protect, limits, loosening } =
    written;
  return {
    name,
    baseUrl: normalizeBaseUrl(base_url) ?? base_url,
    credentials: { owner: credentials.owner, apiKey: credentials.api_key },
    sources,
    vars,
    ownership,
    ledger,
    remote,
    branch: branch ?? null,
    protect,
    limits,
    loosening,
    http: {
      concurrency: http.concurrency,
      requestsPerSecond: http.requests_per_second,
      timeoutSeconds: http.timeout_seconds,
      giveUpSeconds: http.give_up_seconds,
      runSeconds: http.run_seconds,
      maxBodyMib: http.max_body_mib,
    },
    service: { v3Post: service.v3_post, smartStartBatch: service.smart_start_batch, referenceApi: service.reference_api },
    check,
  };
}
