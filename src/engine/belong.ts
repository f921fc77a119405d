/** What belongs to us: which objects go, which are adopted, moved or forgotten (design section 3, identity and what may be deleted). */
import type { Desired, Kind, Live } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { type Doomed, remark } from './compare.ts';
import { grouped } from './group.ts';
import type { Identified } from './identify.ts';
import { formerName, type Memory } from './memory.ts';
import type { Step } from './step.ts';

/** What decides over the objects of one kind. */
export interface Ownership {
  readonly ownership: 'shared' | 'exclusive' | 'observe';
  /** Sections that are present. */
  readonly present: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly memory: Memory | null;
  /** Whether this run goes back to an earlier commit: what was only adopted since then is forgotten, not deleted. */
  readonly goesBack: boolean;
}

/** What becomes of the objects that no declared address matches. */
export interface Leftovers {
  readonly doomed: readonly Doomed[];
  /** Steps that make the ledger forget what `removed` names. */
  readonly forgets: readonly Step[];
  /** Objects that stay and are nobody's. */
  readonly unmanaged: readonly Live[];
}

/** Sorts the undeclared objects of a kind: what we applied goes, in `exclusive` also what nobody declares; what `removed` names stays. */
export function leftovers(kind: Kind, identified: Identified, own: Ownership): Leftovers {
  const { undeclared } = identified;
  const bound = boundIn(kind, own.memory);
  const known = own.memory?.forgotten ?? new Set();
  const removals = removed(kind, identified, own);
  const named = new Set(removals.map(({ live }) => live.id));
  const others = undeclared.filter(({ id }) => !named.has(id) && !known.has(id));
  const ends = others.flatMap((live) => end(kind, live, bound.get(live.id), identified, own) ?? []);
  const doomed = ends.filter((each) => !returns(each, own));
  const gone = new Set(doomed.map(({ live }) => live.id));
  return {
    doomed,
    forgets: [...removals.filter(({ live }) => !known.has(live.id)), ...ends.filter((each) => returns(each, own))].flatMap((each) =>
      forgetting(kind, each, own),
    ),
    unmanaged: undeclared.filter(({ id }) => !gone.has(id)),
  };
}

/** The end of an object that `removed` does not name; undefined = it stays. An address that has another object now says nothing of its old one. */
function end(kind: Kind, live: Live, address: string | undefined, { pairs }: Identified, own: Ownership): Doomed | undefined {
  if (address !== undefined && !pairs.has(address)) {
    const ours = own.present.has(sectionOf(kind, address)) && !own.removed.has(address);
    return ours ? { live, address } : undefined;
  }
  return own.ownership === 'exclusive' && own.present.has(live.section) ? { live } : undefined;
}

/** On the way back, what was only adopted is forgotten instead of deleted (design section 6). */
function returns({ address }: Doomed, { goesBack, memory }: Ownership): boolean {
  return goesBack && address !== undefined && memory?.bindings.get(address)?.origin === 'adopted';
}

function forgetting(kind: Kind, { live, address }: Doomed, { memory, ownership }: Ownership): readonly Step[] {
  if (!memory || ownership === 'observe' || address === undefined) return [];
  return [{ ...remark(kind, 'forget', null, live), address }];
}

/** The undeclared objects that `removed` may mean: by binding, by address, and as a move would find them. All of them stay. */
function removed(kind: Kind, { undeclared }: Identified, own: Ownership): readonly Doomed[] {
  const addresses = [...own.removed].filter((address) => belongs(kind, address)).sort(compareText);
  if (addresses.length === 0) return [];
  const byId = new Map(undeclared.map((live) => [live.id, live]));
  const byAddress = new Map(undeclared.map((live) => [kind.undeclared(live), live]));
  const nameable = undeclared.filter((live) => live.nameable);
  const byLabel = grouped(nameable, (live) => live.label);
  const found = addresses.flatMap((address) => {
    const bound = byId.get(own.memory?.bindings.get(address)?.id ?? '');
    const fitting = [bound, byAddress.get(address), byId.get(lastPart(address)), ...(byLabel.get(formerName(address)) ?? [])];
    return fitting.flatMap((live): [string, Doomed][] => (live ? [[live.id, { live, address }]] : []));
  });
  return [...new Map(found.reverse()).values()].reverse();
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** The addresses of this kind that the ledger knows, by remote ID. */
export function boundIn(kind: Kind, memory: Memory | null): ReadonlyMap<string, string> {
  return new Map([...(memory?.bindings ?? [])].flatMap(([address, { id }]) => (belongs(kind, address) ? [[id, address]] : [])));
}

/** Says of every matched object whose it becomes: on its update, or as a step of its own. Without a ledger there is nothing to say. */
export function claimed(
  kind: Kind,
  resources: readonly Desired[],
  identified: Identified,
  steps: readonly Step[],
  adopt: ReadonlyMap<string, string>,
  { memory, ownership }: Pick<Ownership, 'memory' | 'ownership'>,
): readonly Step[] {
  if (kind.singleton) return steps;
  const former = boundIn(kind, memory);
  const claimOf = (address: string, live: Live): Pick<Step, 'adopts' | 'movedFrom'> | undefined => {
    const from = former.get(live.id);
    if (from === address) return undefined;
    if (from !== undefined) return { movedFrom: from };
    return memory || adopt.get(address) === live.id ? { adopts: live.id } : undefined;
  };
  const marked = steps.map((step) => (step.action === 'update' && step.live ? { ...step, ...claimOf(step.address, step.live) } : step));
  if (!memory || ownership === 'observe') return marked;
  const changed = new Set(steps.map((step) => step.address));
  const notes = resources.flatMap((desired): Step[] => {
    const live = identified.pairs.get(desired.address);
    const claim = live && !changed.has(desired.address) ? claimOf(desired.address, live) : undefined;
    return live && claim ? [{ ...remark(kind, claim.movedFrom === undefined ? 'adopt' : 'move', desired, live), ...claim }] : [];
  });
  return [...marked, ...notes];
}

/** Why a reading is doubtful although it looks complete; undefined = it is not (design section 4, rule 1). `owner` is a digest. */
export function doubt(kind: Kind, objects: readonly Live[], owner: string | null, memory: Memory | null): string | undefined {
  if (!memory) return undefined;
  if (owner !== null && memory.owner !== null && owner !== memory.owner)
    return 'the account answers with another owner than at the last apply';
  const ids = new Set(objects.map((live) => live.id));
  const bound = [...boundIn(kind, memory).keys()];
  const gone = bound.filter((id) => !ids.has(id)).length;
  return gone >= 2 && gone * 2 > bound.length ? `${gone} of ${bound.length} objects that were applied are gone` : undefined;
}

/** Whether an address is one of this kind. */
export function belongs(kind: Kind, address: string): boolean {
  return kind.addresses.some((prefix) => (kind.singleton ? address === prefix : address.startsWith(prefix)));
}

/** Declared resources by what the addresses of their kind begin with. */
export function byBeginning(resources: readonly Desired[]): ReadonlyMap<string, readonly Desired[]> {
  return grouped(resources, ({ address }) => address.slice(0, address.indexOf('/') + 1) || address);
}

/** The section under which an address is declared. */
export function sectionOf(kind: Kind, address: string): string {
  const managing = kind.sections.filter((section) => section.manages);
  return (managing.find(({ prefix }) => prefix !== undefined && address.startsWith(prefix)) ?? managing[0])?.key ?? kind.name;
}
