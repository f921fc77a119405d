/** The validated form of `upkeep.yaml` (design section 3). Names are in camel case; defaults are filled in. */
import type { Severity, SourcePosition } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';

/** The source of a credential, never its value. */
export type CredentialSource = { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** Limits of the safety checks of a target, for each kind (design section 4, rule 9). */
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
  /** The API that is queried whether references exist (api-notes section 7). */
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
  place(): SourcePosition;
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
