/** Checks, beside the reads of a plan, whether the objects that resources refer to exist in the service (`check` of a target). Writes nothing. */

import { findingAt } from '../config/findings.ts';
import { ApiError, type ApiService, type Kind, type Reference, type ReferenceLookup, type ReferenceType } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import { compareFindings, type Finding, type Severity } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { isAddressSelected, whyNotRead } from './filter-by-address.ts';
import type { PlanInput } from './input.ts';

/** The findings of a check, and its cost. */
export interface ReferenceReport {
  /** Unsorted. An error is about a resource that refers to an object that does not exist. */
  readonly findings: readonly Finding[];
  /** Number of requests that were sent. */
  readonly reads: number;
}

type CheckInput = Pick<PlanInput, 'target' | 'desiredState' | 'severityRules' | 'kinds' | 'service' | 'only'>;

/** Checks the references of all kinds for which `check` is on and which are managed and selected by `--only`. Looks up each ID once. */
export async function checkReferences(input: CheckInput): Promise<ReferenceReport> {
  const checked = await Promise.all(input.kinds.map((kind) => checkKind(kind, input)));
  return { findings: checked.flatMap(({ findings }) => findings), reads: checked.reduce((sum, { reads }) => sum + reads, 0) };
}

/** Adds the findings and the requests of a check to a plan. */
export function withReferenceFindings(plan: Plan, { findings, reads }: ReferenceReport): Plan {
  const cost = { ...plan.cost, reads: plan.cost.reads + reads };
  return { ...plan, findings: [...plan.findings, ...findings].sort(compareFindings), cost };
}

async function checkKind(kind: Kind, input: CheckInput): Promise<ReferenceReport> {
  const { referenceType } = kind;
  const isChecked =
    referenceType !== undefined && input.target.check[referenceType.name] === true && input.severityRules[referenceType.code] !== 'off';
  if (!isChecked || whyNotRead(kind, input)) return { findings: [], reads: 0 };
  const resources = input.desiredState.resources.filter(
    ({ address }) => isAddressOf(kind, address) && isAddressSelected(input.only, address),
  );
  const references = resources.flatMap((resource) =>
    referenceType.referencesIn(resource).map((reference) => ({ ...reference, address: resource.address })),
  );
  const checkable = references.filter((reference) => reference.whyUncheckable === undefined);
  const ids = [...new Set(checkable.map(({ id }) => id))];
  const lookups = referenceType.lookups(ids, input.target.service.referenceApi);
  const { missing, unchecked, sent } = await runLookups(lookups, input.service);
  const reports = [
    ...references.flatMap((reference) => reportUncheckable(reference, referenceType)),
    ...checkable.filter(({ id }) => missing.has(id)).map((reference) => notFound(reference, referenceType, input)),
    ...unchecked.map((failure) => reportFailedLookup(failure, ids.length, checkable, referenceType)),
  ];
  return { findings: reports.flatMap((report) => findingOf(report, input)), reads: sent };
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
  readonly sent: number;
}

/**
 * Sends the first look-up and then the others at the same time. Each may fail on its own; the results of the others still count. But
 * where the first one was refused, the others would be as well, and are not sent.
 */
async function runLookups([first, ...others]: readonly ReferenceLookup[], service: ApiService): Promise<LookupResults> {
  const missing = new Set<string>();
  const failures = new Map<string, { error: ApiError; ids: Set<string> }>();
  const lookUp = async ({ ids, findExisting }: ReferenceLookup): Promise<void> => {
    try {
      const known = await findExisting(service);
      for (const id of ids) if (!known.has(id)) missing.add(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const failure = failures.get(error.message) ?? { error, ids: new Set<string>() };
      for (const id of ids) failure.ids.add(id);
      failures.set(error.message, failure);
    }
  };
  if (first) await lookUp(first);
  const unchecked = [...failures.values()];
  const refused = unchecked.find(({ error }) => error.kind === 'credentials');
  if (refused) {
    for (const id of others.flatMap(({ ids }) => [...ids])) refused.ids.add(id);
    return { missing, unchecked, sent: 1 };
  }
  await Promise.all(others.map(lookUp));
  return { missing, unchecked: [...failures.values()], sent: others.length + (first ? 1 : 0) };
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
  const { id, catalogueName, address } = reference;
  const definition = catalogueName && desiredState.positionOf(catalogueName.path);
  const where = definition ? `the ID of \`${catalogueName.name}\` in ${definition.file}, line ${definition.line}` : 'the ID';
  const summary = `the service has no ${noun} ${id}${catalogueName ? `, for which \`${catalogueName.name}\` stands` : ''}`;
  return { code, severity: 'error', reference, summary, hint: `Correct ${where}, or create the ${noun} first.`, address };
}

function reportUncheckable(reference: AddressedReference, { noun }: ReferenceType): readonly LookupReport[] {
  const { id, whyUncheckable: reason, address } = reference;
  if (reason === undefined) return [];
  const summary = `whether there is a ${noun} ${id} was not checked: ${reason}`;
  return [{ code: 'references-not-checked', severity: 'warning', reference, summary, hint: 'Check it by hand.', address }];
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
  return { code: 'references-not-checked', severity: 'warning', reference, summary, hint: error.advice };
}

function findingOf(
  { severity: defaultSeverity, reference, ...text }: LookupReport,
  { severityRules, desiredState }: CheckInput,
): readonly Finding[] {
  const severity = severityRules[text.code] ?? defaultSeverity;
  return severity === 'off'
    ? []
    : [findingAt(reference.textFilePosition ?? desiredState.positionOf(reference.path), { ...text, severity })];
}
