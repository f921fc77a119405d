/** References: whether what the resources name elsewhere in the service is there, asked before planning (`check` of a target). Reads, and writes nothing. */

import { findingAt } from '../config/findings.ts';
import { ApiError, type ApiService, type Kind, type Reference, type ReferenceLookup, type ReferenceType } from '../kinds/kind.ts';
import { compareFindings, type Finding, type Severity } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { isAddressOf } from '../state/ownership.ts';
import type { PlanInput } from './input.ts';
import { matchesOnly, skipReason } from './kind-state.ts';

/** What was asked, and what came of it. */
export interface ReferenceReport {
  /** Unsorted. An error among them means that a resource would refer to nothing. */
  readonly findings: readonly Finding[];
  /** Requests. */
  readonly reads: number;
}

type AskedReferences = Pick<PlanInput, 'target' | 'desiredState' | 'rules' | 'kinds' | 'service' | 'only'>;

/** Looks up the references of all kinds that the target checks and that are managed and within `--only`; each ID is asked about once. */
export async function checkReferences(run: AskedReferences): Promise<ReferenceReport> {
  const checked = await Promise.all(run.kinds.map((kind) => checkKind(kind, run)));
  return { findings: checked.flatMap(({ findings }) => findings), reads: checked.reduce((sum, { reads }) => sum + reads, 0) };
}

/** A plan with what the check found and cost. */
export function withChecked(plan: Plan, { findings, reads }: ReferenceReport): Plan {
  const cost = { ...plan.cost, reads: plan.cost.reads + reads };
  return { ...plan, findings: [...plan.findings, ...findings].sort(compareFindings), cost };
}

async function checkKind(kind: Kind, run: AskedReferences): Promise<ReferenceReport> {
  const { references: referenceType } = kind;
  const asks = referenceType !== undefined && run.target.check[referenceType.name] === true && run.rules[referenceType.code] !== 'off';
  if (!asks || skipReason(kind, run)) return { findings: [], reads: 0 };
  const resources = run.desiredState.resources.filter(({ address }) => isAddressOf(kind, address) && matchesOnly(run.only, address));
  const mentions = resources.flatMap((resource) =>
    referenceType.references(resource).map((mention) => ({ ...mention, address: resource.address })),
  );
  const askable = mentions.filter((mention) => mention.uncheckable === undefined);
  const ids = [...new Set(askable.map(({ id }) => id))];
  const lookUps = referenceType.lookups(ids, run.target.service.referenceApi);
  const { absent, unasked } = await carryOut(lookUps, run.service);
  const said = [
    ...mentions.flatMap((mention) => beyondReach(mention, referenceType)),
    ...askable.filter(({ id }) => absent.has(id)).map((mention) => notFound(mention, referenceType, run)),
    ...unasked.map((each) => notChecked(each, ids.length, askable, referenceType)),
  ];
  return { findings: said.flatMap((each) => findingOf(each, run)), reads: lookUps.length };
}

/** IDs of which nothing is known, and why. */
interface UncheckedReference {
  readonly fault: ApiError;
  readonly ids: ReadonlySet<string>;
}

/** Carries look-ups out, side by side as far as the service allows. Each may fail on its own: what the others found still counts. */
async function carryOut(
  lookUps: readonly ReferenceLookup[],
  service: ApiService,
): Promise<{ readonly absent: ReadonlySet<string>; readonly unasked: readonly UncheckedReference[] }> {
  const absent = new Set<string>();
  const faults = new Map<string, { fault: ApiError; ids: Set<string> }>();
  const carry = async ({ ids, ask }: ReferenceLookup): Promise<void> => {
    try {
      const known = await ask(service);
      for (const id of ids) if (!known.has(id)) absent.add(id);
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      const alike = faults.get(fault.message) ?? { fault, ids: new Set<string>() };
      for (const id of ids) alike.ids.add(id);
      faults.set(fault.message, alike);
    }
  };
  await Promise.all(lookUps.map(carry));
  return { absent, unasked: [...faults.values()] };
}

type Placed = Reference & { readonly address: string };

/** What is to be said, before the rules have had their say about its severity. */
interface LookupReport {
  readonly code: string;
  readonly severity: Severity;
  readonly mention: Pick<Reference, 'path' | 'inFile'>;
  readonly summary: string;
  readonly hint: string;
  readonly address?: string;
}

function notFound(mention: Placed, { noun, code }: ReferenceType, { desiredState }: AskedReferences): LookupReport {
  const { id, alias, address } = mention;
  const given = alias && desiredState.sourceOf(alias.path);
  const where = given ? `the ID of \`${alias.name}\` in ${given.file}, line ${given.line}` : 'the ID';
  const summary = `the service has no ${noun} ${id}${alias ? `, for which \`${alias.name}\` stands` : ''}`;
  return { code, severity: 'error', mention, summary, hint: `Correct ${where}, or create the ${noun} first.`, address };
}

function beyondReach(mention: Placed, { noun }: ReferenceType): readonly LookupReport[] {
  const { id, uncheckable, address } = mention;
  if (uncheckable === undefined) return [];
  const summary = `whether there is a ${noun} ${id} was not checked: ${uncheckable}`;
  return [{ code: 'references-not-checked', severity: 'warning', mention, summary, hint: 'Check it by hand.', address }];
}

/** One finding for all that could not be asked for the same reason; it stands at the section of the first of them. */
function notChecked(
  { fault: error, ids }: UncheckedReference,
  all: number,
  mentions: readonly Placed[],
  { name }: ReferenceType,
): LookupReport {
  const first = mentions.find(({ id }) => ids.has(id));
  const summary = `${ids.size} of ${all} ${name} were not checked: ${error.message}`;
  const mention = { path: first?.path.slice(0, 1) ?? [] };
  return { code: 'references-not-checked', severity: 'warning', mention, summary, hint: error.advice };
}

function findingOf({ severity: usual, mention, ...words }: LookupReport, { rules, desiredState }: AskedReferences): readonly Finding[] {
  const severity = rules[words.code] ?? usual;
  return severity === 'off' ? [] : [findingAt(mention.inFile ?? desiredState.sourceOf(mention.path), { ...words, severity })];
}
