import type { Comparison, Desired, Kind, Live } from '../kinds/kind.ts';
import { type FieldChange, type FieldDifference, type Origin, overall } from '../model/change.ts';
import { diff } from './diff.ts';
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
  return {
    kind,
    address: desired?.address ?? (live ? kind.undeclared(live) : kind.name),
    name: desired?.name ?? live?.label ?? '',
    action,
    desired,
    live,
    ...judged({ kind, action, desired, live }, differences),
    origin: 'unknown',
    bound: false,
    contested: null,
  };
}

/** What is asked of a kind about one change. */
type Asked = Pick<Comparison, 'action' | 'desired' | 'live'> & { readonly kind: Kind };

/** What these differences of a change do to protection, one by one and together, and why; an origin that is known stays. */
export function judged(
  { kind, action, desired, live }: Asked,
  differences: readonly (FieldDifference & { readonly origin?: Origin })[],
): Pick<Step, 'fields' | 'effect' | 'reasons'> {
  const verdicts = kind.effects({ action, desired, live, fields: differences });
  const fields = differences.map(({ path, before, after, origin = 'unknown' }, index): FieldChange => {
    const { effect, reasons } = verdicts[index] ?? unjudged(kind, path);
    return { path, before, after, origin, effect, ...(reasons.length === 0 ? {} : { reasons }) };
  });
  return { fields, effect: overall(fields), reasons: verdicts.flatMap(({ reasons }) => reasons) };
}

/** A kind that keeps its verdict back breaks its contract. */
function unjudged(kind: Kind, path: string): never {
  throw new Error(`the kind ${kind.name} gave no verdict on ${path}`);
}
