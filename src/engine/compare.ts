import type { Desired, Kind, Live } from '../kinds/kind.ts';
import type { Effect, FieldChange } from '../model/change.ts';
import { diff, type FieldDifference } from './diff.ts';
import type { Identified } from './identify.ts';
import type { Step } from './step.ts';

/** An object that is to be deleted: what we applied for an address, else nobody's. */
export interface Doomed {
  readonly live: Live;
  readonly address?: string;
}

/** What differs for one kind. `now` in Unix milliseconds; `doomed` are the objects that go. */
export function compare(
  kind: Kind,
  resources: readonly Desired[],
  identified: Identified,
  doomed: readonly Doomed[],
  now: number,
): readonly Step[] {
  const bound = new Set(doomed.flatMap(({ address }) => address ?? []));
  const declared = resources.flatMap((desired) => {
    const { address } = desired;
    const live = identified.pairs.get(address) ?? null;
    if (!live) return [{ ...creation(kind, desired, identified.contested.get(address) ?? null), bound: bound.has(address) }];
    const differences = differencesOf(kind, desired, live, now);
    return differences.length === 0 ? [] : [drawn(kind, 'update', desired, live, differences)];
  });
  const addresses = new Set(resources.map(({ address }) => address));
  return [...declared, ...doomed.map((each) => deletion(kind, each, addresses))];
}

/** A step that changes nothing on the service, only what the ledger remembers. */
export function remark(kind: Kind, action: 'adopt' | 'move' | 'forget', desired: Desired | null, live: Live): Step {
  return drawn(kind, action, desired, live, []);
}

/** The fields in which a live object differs from what is desired. */
export function differencesOf(kind: Kind, desired: Desired, live: Live, now: number): readonly FieldDifference[] {
  const sides = kind.compared?.(desired, live, now) ?? { before: live.fields, after: desired.fields };
  return diff(sides.before, sides.after);
}

/** A create shows what is not at its default: the rest says nothing. */
function creation(kind: Kind, desired: Desired, contested: string | null): Step {
  const fields = diff(kind.defaults(), desired.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: null, after }],
  );
  return { ...drawn(kind, 'create', desired, null, fields), contested };
}

/** Under the address that it was applied for, unless that is declared and has a step of its own. */
function deletion(kind: Kind, { live, address }: Doomed, declared: ReadonlySet<string>): Step {
  const fields = diff(kind.defaults(), live.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: after, after: null }],
  );
  const step = drawn(kind, 'delete', null, live, fields);
  if (address === undefined) return step;
  return declared.has(address) ? { ...step, formerly: address, bound: true } : { ...step, address, bound: true };
}

function drawn(
  kind: Kind,
  action: Step['action'],
  desired: Desired | null,
  live: Live | null,
  differences: readonly FieldDifference[],
): Step {
  const fields = differences.map((field) => ({ ...field, origin: 'unknown' as const }));
  return {
    kind,
    address: desired?.address ?? (live ? kind.undeclared(live) : kind.name),
    name: desired?.name ?? live?.label ?? '',
    action,
    desired,
    live,
    ...judged({ kind, action, desired, live }, fields),
    origin: 'unknown',
    bound: false,
    contested: null,
  };
}

/** What these differences of a step do to protection, one by one and together, and why. */
export function judged(
  { kind, action, desired, live }: Pick<Step, 'kind' | 'action' | 'desired' | 'live'>,
  differences: readonly Omit<FieldChange, 'effect'>[],
): Pick<Step, 'fields' | 'effect' | 'reasons'> {
  const verdicts = differences.map((field) => ({ field, verdict: kind.effect({ action, field, desired, live }) }));
  const fields = verdicts.map(({ field, verdict }): FieldChange => ({ ...field, effect: verdict.effect }));
  return { fields, effect: overall(fields), reasons: verdicts.flatMap(({ verdict }) => verdict.reason ?? []) };
}

/** The effect of a change as a whole: where it does both, `loosens` wins. */
export function overall(fields: readonly FieldChange[]): Effect {
  const effects = new Set(fields.map((field) => field.effect));
  return effects.has('loosens') ? 'loosens' : effects.has('tightens') ? 'tightens' : 'neutral';
}
