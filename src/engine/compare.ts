import type { Desired, Kind, Live } from '../kinds/kind.ts';
import type { Effect, FieldChange } from '../model/change.ts';
import { diff, type FieldDifference } from './diff.ts';
import type { Identified } from './identify.ts';
import type { Step } from './step.ts';

/** An object that is to be deleted: under the address that we applied it for, else as nobody's. */
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
  const declared = resources.flatMap((desired) => {
    const live = identified.pairs.get(desired.address) ?? null;
    if (!live) return [creation(kind, desired, identified.contested.get(desired.address) ?? null)];
    const differences = differencesOf(kind, desired, live, now);
    return differences.length === 0 ? [] : [drawn(kind, 'update', desired, live, differences)];
  });
  return [...declared, ...doomed.map((each) => deletion(kind, each))];
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

function deletion(kind: Kind, { live, address }: Doomed): Step {
  const fields = diff(kind.defaults(), live.fields).flatMap(({ path, after }) =>
    after === null ? [] : [{ path, before: after, after: null }],
  );
  const step = drawn(kind, 'delete', null, live, fields);
  return address === undefined ? step : { ...step, address, bound: true };
}

function drawn(
  kind: Kind,
  action: Step['action'],
  desired: Desired | null,
  live: Live | null,
  differences: readonly FieldDifference[],
): Step {
  const judged = differences.map((field) => ({ field, verdict: kind.effect({ action, field, desired, live }) }));
  const fields: FieldChange[] = judged.map(({ field, verdict }) => ({ ...field, origin: 'unknown', effect: verdict.effect }));
  return {
    kind,
    address: desired?.address ?? (live ? kind.undeclared(live) : kind.name),
    name: desired?.name ?? live?.label ?? '',
    action,
    desired,
    live,
    fields,
    effect: overall(fields),
    reasons: judged.flatMap(({ verdict }) => (verdict.reason === undefined ? [] : [verdict.reason])),
    origin: 'unknown',
    bound: false,
    contested: null,
  };
}

/** The effect of a change as a whole: where it does both, `loosens` wins. */
export function overall(fields: readonly FieldChange[]): Effect {
  const effects = new Set(fields.map((field) => field.effect));
  return effects.has('loosens') ? 'loosens' : effects.has('tightens') ? 'tightens' : 'neutral';
}
