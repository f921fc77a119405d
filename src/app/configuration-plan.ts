/**
 * Plans a configuration against another one that stands in the place of the account: what `diff` and `test` show. Asks no service, and reads
 * no ledger (design section 5, two commits).
 */
import type { DesiredState } from '../core/config/desired-state.ts';
import type { Project, Target } from '../core/config/project.ts';
import { devicesOf } from '../core/device-impact/declared-devices.ts';
import type { GuardRun } from '../core/guards/evaluate.ts';
import { kinds } from '../core/kinds/index.ts';
import { ApiError, type DesiredResource, type Kind, type LiveObject, type LiveSetting } from '../core/kinds/kind.ts';
import { isAddressOf, sectionOfAddress } from '../core/model/address.ts';
import { listOf } from '../core/model/collections.ts';
import { equal } from '../core/model/json.ts';
import type { ConfigRevision } from '../core/model/plan.ts';
import { buildPlan, type PlanResult } from '../core/plan/build-plan.ts';
import { checkReferences, withReferenceFindings } from '../core/plan/check-references.ts';
import type { PlanInput } from '../core/plan/input.ts';
import { selectionOf } from '../core/plan/selection.ts';
import { NO_OVERRIDES } from '../core/safety/overrides.ts';
import { NO_OTHER_LEDGERS } from '../core/state/other-ledgers.ts';
import type { StateBinding } from '../core/state/state.ts';
import { impactAnalyzer } from './device-impact.ts';

/** The two configurations of one target. */
export interface ConfigurationPair {
  /** The settings that count, for both. */
  readonly project: Project;
  readonly target: Target;
  /** What stands in the place of the account. */
  readonly base: Pick<DesiredState, 'resources' | 'adopt' | 'presentKeys'>;
  readonly head: DesiredState;
  /** The revision of `head`; null outside git. */
  readonly config: ConfigRevision | null;
  /** What guards know of the run. */
  readonly run: GuardRun;
  /** Address globs of `--only`; empty = all. */
  readonly only: readonly string[];
  /** The time of the run, Unix milliseconds. */
  readonly now: number;
}

/** A plan of a configuration against another one, and the input from which it was built. */
export interface ConfigurationPlan {
  readonly input: PlanInput;
  readonly result: PlanResult;
}

/**
 * Builds the plan of `head` against an account that holds what `base` declares, and nothing else. Each object is bound to its address by an
 * ID that is invented. Nothing is known of a setting that only `head` declares: its kind counts as not read.
 */
export async function planConfiguration({
  project,
  target,
  base,
  head,
  config,
  run,
  only,
  now,
}: ConfigurationPair): Promise<ConfigurationPlan> {
  const idOf = idsOf(base);
  const bindings = new Map(
    base.resources.flatMap(({ address }): [string, StateBinding][] => {
      const id = idOf(address);
      return id === null ? [] : [[address, { id, origin: 'created' }]];
    }),
  );
  const known = new Set([...bindings.values()].map(({ id }) => id));
  const input: PlanInput = {
    target,
    owner: NO_OWNER,
    // Whether the account has another object that `adopt` names, only the account can tell.
    desiredState: { ...head, adopt: new Map([...head.adopt].filter(([, id]) => known.has(id))) },
    severityRules: project.rules,
    guards: project.guards,
    run,
    analyzeImpact: impactAnalyzer(devicesOf(project)),
    whyNotDeclarable: () => new Map(),
    kinds: kinds.map((kind) => kindThatReads(kind, base, idOf)),
    service: NO_SERVICE,
    now: () => now,
    elapsed: () => 0,
    selection: selectionOf(only, null),
    reportsRiskyEditsOfIgnoredFields: false,
    overrides: NO_OVERRIDES,
    commandScope: null,
    config,
    ledgerState: {
      bindings,
      forgotten: new Set(),
      ownerDigest: null,
      baseUrl: null,
      settings: new Set(),
      managedSections: base.presentKeys,
    },
    emptyLedger: null,
    otherLedgers: async () => NO_OTHER_LEDGERS,
    lastApplied: { resources: new Map(base.resources.map((resource) => [resource.address, resource])), unknownAddresses: new Set() },
    interrupted: [],
    sentCreates: new Map(),
    settling: { budgetMs: 0, settle: (look) => look() },
    failedExternalIdLookups: new Map(),
    rollback: null,
    appliesEarlierCommit: false,
    earlierBindings: null,
  };
  const [references, result] = await Promise.all([checkReferences(input, false), buildPlan(input)]);
  return { input, result: { ...result, plan: withReferenceFindings(result.plan, references) } };
}

/**
 * Returns what differs between two configurations, and only the account can tell what that does: objects that `adopt` takes over, fields that
 * are left to others, and assets that are named by the user's own IDs.
 */
export function unknownBetween(base: ConfigurationPair['base'], head: DesiredState): readonly string[] {
  const before = new Map(base.resources.map((resource) => [resource.address, resource]));
  const adopted = [...head.adopt].flatMap(([address, id]) => (base.adopt.get(address) === id ? [] : [address]));
  const edited = new Set(
    head.resources.filter((resource) => !equal(resource.declaredFields, before.get(resource.address)?.declaredFields ?? null)),
  );
  const left = head.resources.filter((resource) => {
    const earlier = before.get(resource.address);
    const [ignored, ignoredBefore] = [resource.ignored ?? [], earlier?.ignored ?? []].map((fields) => fields.map(({ path }) => path));
    return earlier !== undefined && (!equal(ignored ?? [], ignoredBefore ?? []) || ((ignored ?? []).length > 0 && edited.has(resource)));
  });
  const isReferring = (resource: DesiredResource | undefined) =>
    resource !== undefined &&
    kinds.some((kind) => isAddressOf(kind, resource.address) && (kind.referenceLookup?.external?.referencesIn(resource) ?? []).length > 0);
  const kept = new Set(head.resources.map(({ address }) => address));
  const named = [
    ...[...edited].filter((resource) => isReferring(resource) || isReferring(before.get(resource.address))),
    ...base.resources.filter((resource) => !kept.has(resource.address) && isReferring(resource)),
  ];
  return [
    ...clause('what `adopt` takes over', adopted),
    ...clause(
      'fields that `ignore_changes` leaves to others',
      left.map(({ address }) => address),
    ),
    ...clause(
      'assets named by external IDs',
      named.map(({ address }) => address),
    ),
  ];
}

/** Maximum number of addresses that a clause names. */
const MAX_NAMED = 3;

function clause(what: string, addresses: readonly string[]): readonly string[] {
  return addresses.length === 0 ? [] : [`${what} (${listOf(addresses, MAX_NAMED)})`];
}

/** The owner of an account that does not exist. */
const NO_OWNER = '';

/** The service of an account that does not exist: nothing of a plan asks it. */
const NO_SERVICE: PlanInput['service'] = {
  send: ({ method, path }) =>
    Promise.reject(
      new ApiError({
        category: 'unreachable',
        operation: `${method} ${path}`,
        what: 'two configurations are compared, and no service is asked',
        advice: 'Plan against the account: only it can tell.',
        mayHaveWritten: 'no',
      }),
    ),
};

/** Returns the ID of an object in the place of the account; null for a setting, and for an address that the base does not declare. */
type IdOf = (address: string) => string | null;

/** Invents the IDs. An object that `adopt` or its declaration names by its ID has that one. */
function idsOf({ resources, adopt }: ConfigurationPair['base']): IdOf {
  const ids = new Map(
    resources.flatMap((resource): [string, string][] => {
      const { address, matchKeys } = resource;
      const isSetting = kinds.some((kind) => kind.type === 'setting' && isAddressOf(kind, address));
      const declared = matchKeys.flatMap((key) => ('id' in key ? key.id : []));
      return isSetting ? [] : [[address, adopt.get(address) ?? declared[0] ?? `id:${address}`]];
    }),
  );
  return (address) => ids.get(address) ?? null;
}

/** Returns the kind, which finds what the base declares in the place of the account. */
function kindThatReads(kind: Kind, { resources }: ConfigurationPair['base'], idOf: IdOf): Kind {
  const own = resources.filter(({ address }) => isAddressOf(kind, address));
  if (kind.type === 'setting') {
    const [declared] = own;
    return {
      ...kind,
      read: async () => {
        if (declared === undefined) throw unknownSetting(kind);
        return { objects: [settingOf(declared)], warnings: [] };
      },
    };
  }
  const declared = own.flatMap((resource) => objectOf(kind, resource, idOf(resource.address)));
  // The account does not know by which section an object was declared: only which one would declare it.
  const sections = new Map(
    kind.toConfig(declared).entries.flatMap(({ section, objects }) => objects.map(({ id }): [string | null, string] => [id, section])),
  );
  const objects = declared.map((object) => ({ ...object, configSection: sections.get(object.id) ?? object.configSection }));
  return { ...kind, read: async () => ({ objects, warnings: [] }), find: async () => [], get: async () => null };
}

function settingOf({ fields }: DesiredResource): LiveSetting {
  return { id: null, fields, unknownMembers: [] };
}

function objectOf(kind: Kind, { address, remoteName = '', fields, matchKeys }: DesiredResource, id: string | null): readonly LiveObject[] {
  if (id === null) return [];
  const isKnownById = matchKeys.some((key) => 'id' in key && key.id === id);
  return [
    {
      id,
      remoteName,
      fields,
      isMatchableByRemoteName: remoteName !== '' && !isKnownById,
      configSection: sectionOfAddress(kind, address) ?? '',
      unknownMembers: [],
    },
  ];
}

/** Returns the error that stands for a setting of which only the account knows the value. */
function unknownSetting({ name }: Kind): ApiError {
  return new ApiError({
    category: 'not-found',
    operation: `reading ${name}`,
    what: 'the base does not declare it, so that only the account knows its value',
    advice: 'Plan against the account: only it can tell.',
    mayHaveWritten: 'no',
  });
}
