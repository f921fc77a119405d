/**
 * Finds edits by hand of ignored fields that weaken protection or stop playback. For `drift` these fields are not ignored (design section 3,
 * fields left to others).
 */
import type { DesiredResource, Kind, LiveResource } from '../kinds/kind.ts';
import { type FieldDifference, worstPlayback } from '../model/change.ts';
import { matchesGlob } from '../model/glob.ts';
import { copyFields, type IgnoredField, isIgnored, isWithin } from '../model/ignored-fields.ts';
import { addressByRemoteId } from '../state/bindings.ts';
import { assessChange } from '../state/planned-change.ts';
import { type BeforeAfter, beforeAndAfter } from './before-after.ts';
import { differencesOf } from './diff-resources.ts';
import { withIgnoredList } from './ignored-fields.ts';
import type { PlanInput } from './input.ts';
import type { KindState } from './kind-state.ts';

/** The edits by hand of the ignored fields of one resource. */
interface Edits {
  readonly kind: Kind;
  readonly desired: DesiredResource;
  readonly live: LiveResource;
  /** All ignored fields of the resource. */
  readonly ignored: readonly IgnoredField[];
  /** From the declared value of each field to its live value. */
  readonly fields: readonly FieldDifference[];
}

/** Returns the kinds with resources that no longer ignore risky edits by hand. `now` in Unix milliseconds. */
export function compareRiskyEdits(
  kindStates: readonly KindState[],
  { target, analyzeImpact, ledgerState }: Pick<PlanInput, 'target' | 'analyzeImpact' | 'ledgerState'>,
  now: number,
): readonly KindState[] {
  const isNamed = (address: string) => target.ignoreChanges.acceptRiskyEditsAt.some((glob) => matchesGlob(glob, address));
  const boundAddresses = new Map(kindStates.map(({ kind }) => [kind, addressByRemoteId(kind, ledgerState)]));
  // An object that gets another address is named by both: a new key alone does not make its edits acceptable.
  const isAllowed = ({ kind, desired: { address }, live: { id } }: Edits) =>
    isNamed(address) && isNamed(boundAddresses.get(kind)?.get(id ?? '') ?? address);
  const edited = kindStates.flatMap((kindState) => editsOf(kindState, now)).filter((edits) => !isAllowed(edits));
  if (edited.length === 0) return kindStates;
  const risky = riskyPaths(edited, (edits) => assess(edits, beforeAndAfter(kindStates, []), analyzeImpact));
  const comparing = new Map(
    edited.flatMap(({ desired, ignored, fields }): readonly (readonly [string, DesiredResource])[] => {
      const paths = risky.get(desired.address);
      if (!paths) return [];
      // A field that does not differ needs no entry.
      const stillIgnored = fields.flatMap(({ path }) => {
        const field = ignored.find((each) => isWithin(path, each.path));
        return field && !paths.has(path) ? [{ ...field, path }] : [];
      });
      return [[desired.address, withIgnoredList(desired, stillIgnored)]];
    }),
  );
  return kindStates.map((kindState) => ({
    ...kindState,
    resources: kindState.resources.map((resource) => comparing.get(resource.address) ?? resource),
  }));
}

function editsOf({ kind, resources, match }: KindState, now: number): readonly Edits[] {
  return resources.flatMap((desired) => {
    const { address, ignored } = desired;
    const live = match.liveByAddress.get(address);
    if (!ignored || !live) return [];
    const differences = differencesOf(kind, withIgnoredList(desired, []), live, now).filter(({ path }) => isIgnored(ignored, path));
    const fields = differences.map(({ path, before, after }) => ({ path, before: after, after: before }));
    return fields.length === 0 ? [] : [{ kind, desired, live, ignored, fields }];
  });
}

/** What edits by hand do: the fields that weaken protection, and whether playback stops. */
interface Assessment {
  readonly weakening: readonly string[];
  readonly stops: boolean;
}

/** Assesses edits of several resources at once, by address. Each address occurs once. */
type Assess = (edits: readonly Edits[]) => ReadonlyMap<string, Assessment>;

/**
 * Returns the risky fields by address: those that weaken protection, and those that stop playback. Where only several fields together stop
 * it, all edited fields of the resource are risky.
 */
function riskyPaths(edited: readonly Edits[], assessEdits: Assess): ReadonlyMap<string, ReadonlySet<string>> {
  const together = assessEdits(edited);
  const stopping = edited.filter(({ desired }) => together.get(desired.address)?.stops);
  const alone = new Map<string, string[]>();
  const rounds = Math.max(0, ...stopping.map(({ fields }) => fields.length));
  for (let round = 0; round < rounds; round += 1) {
    const single = stopping.flatMap((edits) => {
      const field = edits.fields[round];
      return field ? [{ ...edits, fields: [field] }] : [];
    });
    const assessed = assessEdits(single);
    for (const { desired, fields } of single)
      if (assessed.get(desired.address)?.stops)
        alone.set(desired.address, [...(alone.get(desired.address) ?? []), ...fields.map(({ path }) => path)]);
  }
  return new Map(
    edited.flatMap(({ desired: { address }, fields }) => {
      const stopped = together.get(address)?.stops ? (alone.get(address) ?? fields.map(({ path }) => path)) : [];
      const paths = new Set([...(together.get(address)?.weakening ?? []), ...stopped]);
      return paths.size === 0 ? [] : [[address, paths] as const];
    }),
  );
}

/** Assesses edits like every other change of a drift report: from the declared values of these fields to the account as it is. */
function assess(
  edited: readonly Edits[],
  account: BeforeAfter,
  analyzeImpact: PlanInput['analyzeImpact'],
): ReadonlyMap<string, Assessment> {
  const before = new Map(
    edited.map(({ desired, live, fields }) => [desired.address, copyFields({ into: live.fields, from: desired.fields, paths: fields })]),
  );
  const resourcesOf: BeforeAfter['resourcesOf'] = (kind) =>
    account.resourcesOf(kind).map((resource) => {
      const fields = before.get(resource.address);
      return fields ? { ...resource, isWritten: true, before: fields } : resource;
    });
  const { playbackReasons } = analyzeImpact({ ...account, resourcesOf });
  return new Map(
    edited.map(({ kind, desired, live, fields }) => {
      const { address, kindData } = desired;
      const after = { fields: live.fields, ...(kindData ? { kindData } : {}) };
      const input = { kind, action: 'update' as const, before: { id: live.id, fields: before.get(address) ?? live.fields }, after };
      const assessed = assessChange(input, fields);
      const weakening = assessed.fields.filter(({ effect }) => effect === 'weakens').map(({ path }) => path);
      const stops = worstPlayback([...(assessed.playbackReasons ?? []), ...(playbackReasons.get(address) ?? [])]) === 'stops';
      return [address, { weakening, stops }];
    }),
  );
}
