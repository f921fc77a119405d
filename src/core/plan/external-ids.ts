/** Resolves what resources name by external IDs before they are compared with the account (design section 3, assets). Writes nothing. */

import { findingAt } from '../config/findings.ts';
import { withSeverity } from '../config/severity-rules.ts';
import { ApiError, type DesiredResource, type ExternalLookup, type ExternalReferences, type Kind, type Reference } from '../kinds/kind.ts';
import { isAddressOf } from '../model/address.ts';
import type { Finding } from '../model/finding.ts';
import { NOT_CHECKED_CODE } from './check-references.ts';
import type { PlanInput } from './input.ts';
import { whyNotRead } from './why-not-read.ts';

/** The resources with asset IDs, and what was found out. */
export interface ResolvedResources {
  readonly resources: readonly DesiredResource[];
  /** Unsorted. */
  readonly findings: readonly Finding[];
  /** Whether an external ID names no asset or more than one, so that nothing can be sent. */
  readonly isUnresolvable: boolean;
  /** The kinds whose references could not be looked up, and why. Nothing can be planned for them. */
  readonly failedExternalIdLookups: ReadonlyMap<string, ApiError>;
  /** Number of requests that were sent. */
  readonly reads: number;
}

type ResolveInput = Pick<PlanInput, 'target' | 'desiredState' | 'severityRules' | 'kinds' | 'service' | 'selection' | 'lastApplied'>;

/** The external IDs that a resource had at the last apply, with their assets. */
type ExternalIds = NonNullable<DesiredResource['externalIds']>;

/**
 * Resolves the references of all managed kinds that are selected by `--only`. With `checksRecorded`, those that the ledger has resolved are
 * looked up as well, so that a replaced asset is reported.
 */
export async function resolveExternalIds(input: ResolveInput, checksRecorded: boolean): Promise<ResolvedResources> {
  let resolved: ResolvedResources = {
    resources: input.desiredState.resources,
    findings: [],
    isUnresolvable: false,
    failedExternalIdLookups: new Map(),
    reads: 0,
  };
  for (const kind of input.kinds) {
    const external = kind.referenceLookup?.external;
    if (external === undefined || whyNotRead(kind, input)) continue;
    const found = await resolveKind(kind, external, resolved.resources, input, checksRecorded);
    resolved = {
      resources: found.resources,
      findings: [...resolved.findings, ...found.findings],
      isUnresolvable: resolved.isUnresolvable || found.isUnresolvable,
      failedExternalIdLookups: new Map([...resolved.failedExternalIdLookups, ...found.failedExternalIdLookups]),
      reads: resolved.reads + found.reads,
    };
  }
  return resolved;
}

/** Puts the assets that an entry of the ledger recorded in place of references. What it did not record stays a reference. */
export function withIdsOfLedger(
  resources: readonly DesiredResource[],
  kinds: readonly Kind[],
  recorded: { readonly [address: string]: ExternalIds } | undefined,
): readonly DesiredResource[] {
  if (recorded === undefined) return resources;
  const resolvers = kinds.flatMap((kind) =>
    kind.referenceLookup?.external ? [{ kind, resolver: kind.referenceLookup.external.resolver() }] : [],
  );
  return resources.map((resource) => {
    const ids = Object.hasOwn(recorded, resource.address) ? recorded[resource.address] : undefined;
    if (ids === undefined) return resource;
    const idOf = (externalId: string) => (Object.hasOwn(ids, externalId) ? ids[externalId] : undefined);
    return resolvers.find(({ kind }) => isAddressOf(kind, resource.address))?.resolver.resolve(resource, idOf) ?? resource;
  });
}

async function resolveKind(
  kind: Kind,
  external: ExternalReferences,
  resources: readonly DesiredResource[],
  input: ResolveInput,
  checksRecorded: boolean,
): Promise<ResolvedResources> {
  const own = resources.filter(({ address }) => isAddressOf(kind, address));
  const references = own.flatMap((resource) =>
    external.referencesIn(resource).map((reference) => ({ ...reference, address: resource.address })),
  );
  const recorded = checksRecorded ? own.flatMap(({ externalIds = {} }) => Object.keys(externalIds)) : [];
  const needed = new Set(references.map(({ id }) => id));
  const lookups = external.lookups([...new Set([...needed, ...recorded])], input.target.service.referenceApi);
  const { assets, failures, sent } = await runLookups(lookups, input.service);
  const isBlocking = ({ ids }: FailedLookup) => ids.some((id) => needed.has(id));
  const blocking = failures.find(isBlocking);
  const problems = references.flatMap((reference) => {
    const found = assets.get(reference.id);
    return found === undefined || found.length === 1 ? [] : [notOneAsset(reference, found, input)];
  });
  const resolver = external.resolver();
  const onlyAsset = (externalId: string) => {
    const [asset, ...others] = assets.get(externalId) ?? [];
    return others.length === 0 ? asset : undefined;
  };
  const after =
    references.length === 0
      ? resources
      : resources.map((each) => (isAddressOf(kind, each.address) ? resolver.resolve(each, onlyAsset) : each));
  const findings = [
    ...problems,
    ...after.filter(({ address }) => isAddressOf(kind, address)).flatMap((resource) => replaced(resource, onlyAsset, input)),
    ...failures.filter((failure) => !isBlocking(failure)).flatMap(({ ids, error }) => notChecked(ids, error, kind, input)),
  ];
  return {
    resources: after,
    findings,
    isUnresolvable: problems.length > 0,
    failedExternalIdLookups: new Map(blocking ? [[kind.name, blocking.error]] : []),
    reads: sent,
  };
}

/** A look-up that failed, with the external IDs that it asked about. */
interface FailedLookup {
  readonly ids: readonly string[];
  readonly error: ApiError;
}

/** The assets by external IDs, the look-ups that failed, and how many were sent. */
interface LookupResults {
  readonly assets: ReadonlyMap<string, readonly string[]>;
  readonly failures: readonly FailedLookup[];
  readonly sent: number;
}

/**
 * Sends the first look-up and then the others at the same time. Where the first one is refused, the others would be as well, and are not
 * sent (design section 4, rule 1).
 */
async function runLookups([first, ...others]: readonly ExternalLookup[], service: PlanInput['service']): Promise<LookupResults> {
  const assets = new Map<string, readonly string[]>();
  const failures: FailedLookup[] = [];
  const lookUp = async ({ ids, find }: ExternalLookup): Promise<void> => {
    try {
      const found = await find(service);
      for (const id of ids) assets.set(id, found.get(id) ?? []);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push({ ids, error });
    }
  };
  if (first === undefined) return { assets, failures, sent: 0 };
  await lookUp(first);
  const refused = failures.find(({ error }) => error.category === 'credentials');
  if (refused) return { assets, failures: [{ ...refused, ids: [first, ...others].flatMap(({ ids }) => ids) }], sent: 1 };
  await Promise.all(others.map(lookUp));
  return { assets, failures, sent: 1 + others.length };
}

type AddressedReference = Reference & { readonly address: string };

function notOneAsset(
  { id, path, textFilePosition, address }: AddressedReference,
  assets: readonly string[],
  { desiredState }: ResolveInput,
): Finding {
  const position = textFilePosition ?? desiredState.positionOf(path);
  if (assets.length === 0) {
    const hint = 'Correct it, or give the asset this ID first.';
    return findingAt(position, { code: 'external-id-not-found', summary: `no asset has the external ID \`${id}\``, hint, address });
  }
  const summary = `${assets.length} assets have the external ID \`${id}\`: ${assets.toSorted().slice(0, MAX_NAMED).join(' and ')}`;
  return findingAt(position, {
    code: 'external-id-ambiguous',
    summary,
    hint: 'Give it to one of them only, or write the ID of the asset.',
    address,
  });
}

/** Maximum number of assets that a finding names. */
const MAX_NAMED = 2;

/** Reports external IDs of a resource that named another asset at the last apply. */
function replaced(
  { address, path, textFilePosition, externalIds = {} }: DesiredResource,
  assetNow: (externalId: string) => string | undefined,
  { desiredState, lastApplied, severityRules }: ResolveInput,
): readonly Finding[] {
  const code = 'external-id-replaced';
  const before = lastApplied?.resources.get(address)?.externalIds ?? {};
  return Object.keys(externalIds).flatMap((externalId) => {
    const [was, is] = [Object.hasOwn(before, externalId) ? before[externalId] : undefined, assetNow(externalId)];
    if (was === undefined || is === undefined || was === is) return [];
    const summary = `the external ID \`${externalId}\` names asset ${is}, and named ${was} at the last apply`;
    const hint = 'If the asset was replaced on purpose, apply. Otherwise give the ID back to the former asset.';
    const finding = findingAt(textFilePosition ?? desiredState.positionOf(path), { severity: 'warning', code, summary, hint, address });
    return withSeverity(finding, severityRules);
  });
}

function notChecked(
  ids: readonly string[],
  error: ApiError,
  kind: Kind,
  { desiredState, severityRules }: ResolveInput,
): readonly Finding[] {
  const code = NOT_CHECKED_CODE;
  const summary = `whether ${ids.length} external IDs still name the same assets was not checked: ${error.message}`;
  const location = desiredState.positionOf([kind.sections[0]?.key ?? kind.name]);
  return withSeverity(findingAt(location, { severity: 'warning', code, summary, hint: error.advice }), severityRules);
}
