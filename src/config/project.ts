/** The validated form of `upkeep.yaml` (design section 3). Names are ours in camel case; defaults are filled in. */
import type { Severity, SourcePosition } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';

/** Where a credential comes from; never the value itself. */
export type CredentialSource = { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** Brake limits of a target, for each kind (design section 4, rule 9). */
export interface Limits {
  readonly delete: { readonly count: number; readonly percent: number };
  readonly update: { readonly percent: number };
}

/** How the service may be used. Seconds, MiB (1,048,576 bytes), requests per second. */
export interface HttpSettings {
  readonly concurrency: number;
  readonly requestsPerSecond: number;
  readonly timeoutSeconds: number;
  readonly giveUpSeconds: number;
  readonly runSeconds: number;
  readonly maxBodyMib: number;
}

/** Settings of the service where the API documents leave a question open (api-notes sections 1 and 7). */
export interface ServiceSettings {
  readonly v3Post: 'form' | 'json';
  /** Assets in one bulk request, 1 to 100. */
  readonly smartStartBatch: number;
  /** Which API is asked whether references are there (api-notes section 7). */
  readonly referenceApi: 'v2' | 'v4';
}

/** One account as upkeep.yaml describes it. */
export interface Target {
  readonly name: string;
  /** https, or http to loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials: { readonly owner: CredentialSource; readonly apiKey: CredentialSource };
  /** Files or folders relative to the folder of upkeep.yaml, later ones overlay earlier ones. */
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
  /** Which references are looked up before planning, by their name (`assets`, `slicers`). */
  readonly check: { readonly [references: string]: boolean };
}

/** A rule of the users' own over every change that writes. */
export interface GuardDefinition {
  readonly id: string;
  /** Whether it holds the change, or only speaks of it. */
  readonly verdict: 'deny' | 'warn';
  /** CEL expressions that must all be true for it to speak. */
  readonly conditions: readonly string[];
  readonly message: string;
  /** Where it stands in upkeep.yaml. */
  place(): SourcePosition;
}

/** upkeep.yaml, validated. */
export interface Project {
  /** Name of the file, relative to its folder: `upkeep.yaml` unless another one was named. */
  readonly file: string;
  readonly targets: readonly Target[];
  readonly guards: readonly GuardDefinition[];
  /** The users' own classes of devices as written, by key; what they mean the engine does not know. */
  readonly devices: { readonly [id: string]: JsonObject };
  /** Severity by finding code. */
  readonly rules: { readonly [code: string]: Severity | 'off' };
}
