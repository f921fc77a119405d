/** What belongs to us: which objects go, which are adopted, moved or forgotten (design section 3, identity and what may be deleted). */
import type { Desired, Kind, Live } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { type Doomed, remark } from './compare.ts';
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
export function leftovers(kind: Kind, { undeclared }: Identified, own: Ownership): Leftovers {
  const { memory, removed, present, ownership } = own;
  const bindings = [...(memory?.bindings ?? [])].filter(([address]) => belongs(kind, address));
  const boundTo = new Map(bindings.map(([address, { id }]) => [id, address]));
  const spared = sparedBy(kind, undeclared, removed, memory);
  const doomed: Doomed[] = [];
  const unmanaged: Live[] = [];
  const returned: Step[] = [];
  for (const live of undeclared) {
    const address = boundTo.get(live.id);
    if (own.goesBack && address !== undefined && memory?.bindings.get(address)?.origin === 'adopted') {
      unmanaged.push(live);
      if (present.has(sectionOf(kind, address))) returned.push({ ...remark(kind, 'forget', null, live), address });
      continue;
    }
    const ours = address !== undefined && !removed.has(address) && present.has(sectionOf(kind, address));
    const nobodys = ownership === 'exclusive' && address === undefined && present.has(live.section);
    const kept = spared.has(live.id) || memory?.forgotten.has(live.id) === true;
    if (!kept && ours) doomed.push({ live, address });
    else if (!kept && nobodys) doomed.push({ live });
    else unmanaged.push(live);
  }
  const forgets = memory && ownership !== 'observe' ? [...spared].flatMap(([id, step]) => (memory.forgotten.has(id) ? [] : step)) : [];
  return { doomed, forgets: [...forgets, ...returned], unmanaged };
}

/** What `removed` names, by binding, else as a move would find it; and the step that forgets it. */
function sparedBy(kind: Kind, undeclared: readonly Live[], removed: ReadonlySet<string>, memory: Memory | null): ReadonlyMap<string, Step> {
  const byId = new Map(undeclared.map((live) => [live.id, live]));
  const byLabel = new Map(undeclared.filter((live) => live.nameable).map((live) => [live.label, live]));
  const spared = new Map<string, Step>();
  for (const address of [...removed].sort(compareText)) {
    if (!belongs(kind, address)) continue;
    const bound = memory?.bindings.get(address)?.id;
    const live = bound === undefined ? (byLabel.get(formerName(address)) ?? byId.get(lastPart(address))) : byId.get(bound);
    if (live) spared.set(live.id, { ...remark(kind, 'forget', null, live), address });
  }
  return spared;
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
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
  const former = new Map([...(memory?.bindings ?? [])].map(([address, { id }]) => [id, address]));
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
  const bound = [...memory.bindings].filter(([address]) => belongs(kind, address));
  const gone = bound.filter(([, { id }]) => !ids.has(id)).length;
  return gone >= 2 && gone * 2 > bound.length ? `${gone} of ${bound.length} objects that were applied are gone` : undefined;
}

/** Whether an address is one of this kind. */
export function belongs(kind: Kind, address: string): boolean {
  return kind.addresses.some((prefix) => (kind.singleton ? address === prefix : address.startsWith(prefix)));
}

/** The section under which an address is declared. */
export function sectionOf(kind: Kind, address: string): string {
  const managing = kind.sections.filter((section) => section.manages);
  return (managing.find(({ prefix }) => prefix !== undefined && address.startsWith(prefix)) ?? managing[0])?.key ?? kind.name;
}
