/** The account before and after a plan: what the analysis of the impact on devices compares. */
import { type PlaybackReason, writesOnService } from '../model/change.ts';
import type { DeviceImpact, PlanImpact } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { KindState } from './kind-state.ts';

/** One resource before and after the plan, in canonical fields; null where it does not exist. */
export interface ResourceBeforeAfter {
  readonly kind: string;
  readonly address: string;
  /** Whether the repository declares it. */
  readonly isDeclared: boolean;
  /** Whether a scheduled change writes it, blocked or not. */
  readonly isWritten: boolean;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Every resource of the kinds that were read completely. */
export interface BeforeAfter {
  /** The names of these kinds. */
  readonly completeKinds: ReadonlySet<string>;
  /** Returns the resources of one kind. Built on demand, because most kinds have no impact on devices. */
  resourcesOf(kind: string): readonly ResourceBeforeAfter[];
}

/** The impact of a plan on devices. */
export interface PlanImpactResult {
  /** By address. */
  readonly byChange: ReadonlyMap<string, readonly DeviceImpact[]>;
  /** Why each change affects playback on some devices, by its address. */
  readonly playbackReasons: ReadonlyMap<string, readonly PlaybackReason[]>;
  /** For the plan document; null where no change can have an impact. */
  readonly summary: PlanImpact | null;
}

/** Returns the same account with the sides exchanged. */
export function invertBeforeAfter({ completeKinds, resourcesOf }: BeforeAfter): BeforeAfter {
  const invert = (resource: ResourceBeforeAfter) => ({ ...resource, before: resource.after, after: resource.before });
  return { completeKinds, resourcesOf: (kind) => resourcesOf(kind).map(invert) };
}

/** Returns the resources of the kinds that were read completely, before and after these changes. */
export function beforeAndAfter(kindStates: readonly KindState[], planned: readonly PlannedChange[]): BeforeAfter {
  const complete = kindStates.filter(({ read }) => read.status === 'complete');
  return {
    completeKinds: new Set(complete.map(({ kind }) => kind.name)),
    resourcesOf: (name) =>
      complete
        .filter(({ kind }) => kind.name === name)
        .flatMap((kindState) =>
          resourcesBeforeAfter(
            kindState,
            planned.filter(({ kind, change }) => kind === kindState.kind && writesOnService(change)),
          ),
        ),
  };
}

function resourcesBeforeAfter(
  { kind, resources, read, match }: KindState,
  planned: readonly PlannedChange[],
): readonly ResourceBeforeAfter[] {
  const addresses = new Set(resources.map(({ address }) => address));
  const addressOf = new Map([...match.liveByAddress].map(([address, { id }]) => [id, address]));
  const written = new Set(planned.flatMap(({ live }) => (live ? [live.id] : [])));
  const head = (address: string) => ({ kind: kind.name, address, isDeclared: addresses.has(address) });
  return [
    ...planned.map(({ change, live, desired, namesake }): ResourceBeforeAfter => {
      // Devices get the policy that has the name.
      const before = namesake === undefined ? live : namesake;
      return { ...head(change.address), isWritten: true, before: before?.fields ?? null, after: desired?.fields ?? null };
    }),
    ...read.result.objects
      .filter(({ id }) => !written.has(id))
      .map((live): ResourceBeforeAfter => {
        const address = addressOf.get(live.id) ?? kind.idAddress(live);
        return { ...head(address), isWritten: false, before: live.fields, after: live.fields };
      }),
  ];
}
