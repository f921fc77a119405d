/**
 * Checks, beside the reads of a plan, whether the objects that resources refer to exist in the service (`check` of a target). Writes
 * nothing.
 */

import { findingAt, limitFindings } from '../config/findings.ts';
import { addressesOf, isSwitchedOff, withinOf, withSeverityOfAll } from '../config/severity-rules.ts';
import {
  ApiError,
  type ApiService,
  type DesiredResource,
  type ExistingObject,
  type ExistingObjects,
  type Kind,
  type Reference,
  type ReferenceAssessment,
  type ReferenceFinding,
  type ReferenceLookup,
  type ReferenceType,
} from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import type { AssetFacts, AssetsById, FirstExpiry } from '../model/asset.ts';
import type { Change } from '../model/change.ts';
import { compareFindings, type Finding, type Severity } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanInput } from './input.ts';
import { whyNotRead } from './why-not-read.ts';

/** The findings of a check, and its cost. */
export interface ReferenceReport {
  /** Unsorted. An error is about a resource that refers to an object that does not exist. */
  readonly findings: readonly Finding[];
  /** Number of requests that were sent. */
  readonly reads: number;
  /** What is known of the objects that resources name, by ID. */
  readonly facts: ReadonlyMap<string, AssetFacts>;
  /** Which of those in use is gone first; absent where no end is known. */
  readonly firstExpiry?: FirstExpiry;
}

/** The code of findings about objects that could not be looked up. */
export const NOT_CHECKED_CODE = 'references-not-checked';

type CheckInput = Pick<
  PlanInput,
  'target' | 'desiredState' | 'severityRules' | 'kinds' | 'service' | 'now' | 'selection' | 'failedExternalIdLookups'
>;

/**
 * Checks the references of all kinds that are managed and selected by `--only`, each ID once: whether they exist, where `check` is on and
 * `mayLookUp` is true, and what is known of them.
 */
export async function checkReferences(input: CheckInput, mayLookUp = true): Promise<ReferenceReport> {
  const checked = await Promise.all(input.kinds.map((kind) => checkKind(kind, input, mayLookUp)));
  const first = checked.flatMap(({ firstExpiry }) => firstExpiry ?? []).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))[0];
  return {
    findings: checked.flatMap(({ findings }) => findings),
    reads: checked.reduce((sum, { reads }) => sum + reads, 0),
    facts: new Map(checked.flatMap(({ facts }) => [...facts])),
    ...(first === undefined ? {} : { firstExpiry: first }),
  };
}

/** Maximum number of assets that a plan document describes. */
export const MAX_PLAN_ASSETS = 10_000;

/** Adds the findings and the requests of a check to a plan, and what it found out about the assets that the changes name. */
export function withReferenceFindings(plan: Plan, { findings, reads, facts, firstExpiry }: ReferenceReport): Plan {
  const cost = { ...plan.cost, reads: plan.cost.reads + reads };
  return {
    ...plan,
    ...assetsOf(plan, facts),
    ...(firstExpiry === undefined ? {} : { firstExpiry }),
    findings: [...plan.findings, ...findings].sort(compareFindings),
    cost,
  };
}

/** Returns what is known of the assets that the changes of a plan name; nothing if none is known. */
export function assetsOf(plan: Pick<Plan, 'changes' | 'behind'>, facts: ReferenceReport['facts']): Pick<Plan, 'assets'> {
  const assets = factsNamedBy([...plan.changes, ...(plan.behind ?? [])], facts);
  return Object.keys(assets).length === 0 ? {} : { assets };
}

/** Returns the facts about the assets that the addresses or the values of changes name. */
function factsNamedBy(changes: readonly Change[], facts: ReferenceReport['facts']): AssetsById {
  const named = new Map<string, AssetFacts>();
  const add = (text: string): void => {
    const ofAsset = facts.get(text);
    if (ofAsset !== undefined && Object.keys(ofAsset).length > 0 && named.size < MAX_PLAN_ASSETS) named.set(text, ofAsset);
  };
  const addAll = (value: Json): void => {
    if (typeof value === 'string') add(value);
    else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) addAll(part);
  };
  if (facts.size === 0) return {};
  for (const { address, fields } of changes) {
    add(address.slice(address.lastIndexOf('/') + 1));
    for (const { before, after } of fields) addAll([before, after]);
  }
  return Object.fromEntries(named);
}

const NOTHING: ReferenceReport = { findings: [], reads: 0, facts: new Map() };

async function checkKind(kind: Kind, input: CheckInput, mayLookUp: boolean): Promise<ReferenceReport> {
  const { referenceLookup } = kind;
  // Where external IDs could not be resolved, the kind is not planned, and there is no ID to ask about.
  if (referenceLookup === undefined || whyNotRead(kind, input) || input.failedExternalIdLookups.has(kind.name)) return NOTHING;
  const isLookedUp =
    mayLookUp &&
    input.target.check[referenceLookup.name] === true &&
    (!isSwitchedOff(referenceLookup.code, input.severityRules) || referenceLookup.assess !== undefined);
  const resources = input.desiredState.resources.filter((each) => isAddressOf(kind, each.address) && input.selection.has(each));
  const checked = isLookedUp ? await lookUpReferences(resources, referenceLookup, input) : { reports: [], reads: 0, existing: new Map() };
  const { facts = new Map(), findings = [], firstExpiry } = assess(resources, referenceLookup, checked.existing, input) ?? {};
  // Limited before positions are computed, which takes most of the time where an account has many assets.
  const assessed = limitFindings(
    findings.map(assessmentReport),
    ({ reference }) => reference.textFilePosition?.file ?? '',
    undefined,
    ({ code, address }) => addressesOf(code, address, input.severityRules),
  );
  return {
    findings: [...checked.reports, ...assessed].flatMap((report) => findingOf(report, input)),
    reads: checked.reads,
    facts,
    ...(firstExpiry === undefined ? {} : { firstExpiry }),
  };
}

/** How long before an event a finding about it is reported where `rules` does not say it. */
export const DEFAULT_WITHIN_MS = 14 * 24 * 3_600_000;

function assess(
  resources: readonly DesiredResource[],
  referenceLookup: ReferenceType,
  existing: ExistingObjects,
  { target: { service }, severityRules, now }: CheckInput,
): ReferenceAssessment | undefined {
  return referenceLookup.assess?.(resources, {
    existing,
    now: now(),
    within: (code, address) => withinOf(code, address, severityRules) ?? DEFAULT_WITHIN_MS,
    isRetainedFromCreation: service.retentionFrom === 'created',
    readyStates: new Set(service.assetReadyStates.map((state) => state.toLowerCase())),
  });
}

function assessmentReport({ code, place, summary, hint, address }: ReferenceFinding): LookupReport {
  return { code, severity: 'warning', reference: place, summary, hint, ...(address === undefined ? {} : { address }) };
}

/** What the look-up of the references of a kind found. */
interface LookupResult {
  readonly reports: readonly LookupReport[];
  readonly reads: number;
  readonly existing: ExistingObjects;
}

async function lookUpReferences(
  resources: readonly DesiredResource[],
  referenceLookup: ReferenceType,
  input: CheckInput,
): Promise<LookupResult> {
  const references = resources.flatMap((resource) =>
    referenceLookup.referencesIn(resource).map((reference) => ({ ...reference, address: resource.address })),
  );
  const checkable = references.filter((reference) => reference.whyUncheckable === undefined);
  const ids = [...new Set(checkable.map(({ id }) => id))];
  const lookups = referenceLookup.lookups(ids, input.target.service.referenceApi);
  const { missing, unchecked, existing, sent } = await runLookups(lookups, input.service);
  const reports = [
    ...references.flatMap((reference) => reportUncheckable(reference, referenceLookup)),
    ...checkable.filter(({ id }) => missing.has(id)).map((reference) => notFound(reference, referenceLookup, input)),
    ...unchecked.map((failure) => reportFailedLookup(failure, ids.length, checkable, referenceLookup)),
  ];
  return { reports, reads: sent, existing };
}

/** IDs whose look-up failed with the same error. */
interface UncheckedIds {
  readonly error: ApiError;
  readonly ids: ReadonlySet<string>;
}

/** The results of look-ups, and how many of them were sent. */
interface LookupResults {
  readonly missing: ReadonlySet<string>;
  readonly unchecked: readonly UncheckedIds[];
  readonly existing: ExistingObjects;
  readonly sent: number;
}

/**
 * Sends the first look-up and then the others at the same time. Each may fail on its own; the results of the others still count. But
 * where the first one was refused, the others would be as well, and are not sent.
 */
async function runLookups([first, ...others]: readonly ReferenceLookup[], service: ApiService): Promise<LookupResults> {
  const missing = new Set<string>();
  const existing = new Map<string, ExistingObject>();
  const failures = new Map<string, { error: ApiError; ids: Set<string> }>();
  const lookUp = async ({ ids, findExisting }: ReferenceLookup): Promise<void> => {
    try {
      const known = await findExisting(service);
      for (const id of ids) {
        const found = known.get(id);
        if (found === undefined) missing.add(id);
        else existing.set(id, found);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const failure = failures.get(error.message) ?? { error, ids: new Set<string>() };
      for (const id of ids) failure.ids.add(id);
      failures.set(error.message, failure);
    }
  };
  if (first) await lookUp(first);
  const unchecked = [...failures.values()];
  const refused = unchecked.find(({ error }) => error.category === 'credentials');
  if (refused) {
    for (const id of others.flatMap(({ ids }) => [...ids])) refused.ids.add(id);
    return { missing, unchecked, existing, sent: 1 };
  }
  await Promise.all(others.map(lookUp));
  return { missing, unchecked: [...failures.values()], existing, sent: others.length + (first ? 1 : 0) };
}

type AddressedReference = Reference & { readonly address: string };

/** A finding without the position of its reference, and with its default severity, which `rules` may change. */
interface LookupReport {
  readonly code: string;
  readonly severity: Severity;
  readonly reference: Pick<Reference, 'path' | 'textFilePosition'>;
  readonly summary: string;
  readonly hint: string;
  readonly address?: string;
}

function notFound(reference: AddressedReference, { noun, code }: ReferenceType, { desiredState }: CheckInput): LookupReport {
  const { id, catalogName, address } = reference;
  const definition = catalogName && desiredState.positionOf(catalogName.path);
  const where = definition ? `the ID of \`${catalogName.name}\` in ${definition.file}, line ${definition.line}` : 'the ID';
  const summary = `the service has no ${noun} ${id}${catalogName ? `, for which \`${catalogName.name}\` stands` : ''}`;
  return { code, severity: 'error', reference, summary, hint: `Correct ${where}, or create the ${noun} first.`, address };
}

function reportUncheckable(reference: AddressedReference, { noun }: ReferenceType): readonly LookupReport[] {
  const { id, whyUncheckable: reason, address } = reference;
  if (reason === undefined) return [];
  const summary = `whether there is a ${noun} ${id} was not checked: ${reason}`;
  return [{ code: NOT_CHECKED_CODE, severity: 'warning', reference, summary, hint: 'Check it by hand.', address }];
}

/** Builds one finding for all IDs whose look-up failed with the same error, located at the section of the first of them. */
function reportFailedLookup(
  { error, ids }: UncheckedIds,
  idCount: number,
  references: readonly AddressedReference[],
  { name }: ReferenceType,
): LookupReport {
  const first = references.find(({ id }) => ids.has(id));
  const summary = `${ids.size} of ${idCount} ${name} were not checked: ${error.message}`;
  const reference = { path: first?.path.slice(0, 1) ?? [] };
  return { code: NOT_CHECKED_CODE, severity: 'warning', reference, summary, hint: error.advice };
}

function findingOf({ reference, ...text }: LookupReport, { severityRules, desiredState }: CheckInput): readonly Finding[] {
  if (isSwitchedOff(text.code, severityRules)) return [];
  const finding = findingAt(reference.textFilePosition ?? desiredState.positionOf(reference.path), text);
  return withSeverityOfAll(finding, severityRules, true);
}
