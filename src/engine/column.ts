/** One kind on its way through a run: what is declared, what was seen, and who belongs to whom. */
import { createHash } from 'node:crypto';
import type { Desired, Kind, Live, Service } from '../kinds/kind.ts';
import { compareText } from '../model/finding.ts';
import { boundIn, byBeginning, type Leftovers, leftovers } from './belong.ts';
import { yieldToEventLoop } from './event-loop.ts';
import { observe, probe, type Seen, unread } from './fetch.ts';
import { matchesGlob, mayMatchBelow } from './globs.ts';
import { type Identified, identify } from './identify.ts';
import { recall } from './memory.ts';
import type { Run } from './run.ts';

/** One kind's part of a run. */
export interface Column {
  readonly kind: Kind;
  /** Sorted by address. */
  readonly resources: readonly Desired[];
  readonly seen: Seen;
  readonly identified: Identified;
  readonly left: Leftovers;
}

const NOBODY: Identified = { pairs: new Map(), contested: new Map(), undeclared: [], warnings: [] };
const NOTHING: Leftovers = { doomed: [], forgets: [], unmanaged: [] };

/** Looks at a kind's part of the account, if it is managed and within `--only`, and recognises what is there. `declared` is by beginning. */
export async function lookAt(kind: Kind, run: Run, service: Service, declared = byBeginning(run.declaration.resources)): Promise<Column> {
  const { declaration, memory, target } = run;
  const own = kind.addresses.flatMap((beginning) => declared.get(beginning) ?? []);
  const resources = own.sort((a, b) => compareText(a.address, b.address));
  const blank = (seen: Seen): Column => ({ kind, resources, seen, identified: NOBODY, left: NOTHING });
  const left = leftOut(kind, run);
  if (left) return blank(unread(left));
  const read = await observe(kind, service, run.now);
  await yieldToEventLoop();
  const identified = identify(kind, resources, read.observation.objects, declaration.adopt, recall(memory, declaration.moved));
  const missing = resources.filter(({ address }) => !identified.pairs.has(address) && !identified.contested.has(address));
  const seen = await probe(kind, read, missing, [...boundIn(kind, memory).keys()], service);
  if (seen.state !== 'complete') return blank(seen);
  const rest = leftovers(kind, identified, {
    ownership: target.ownership,
    present: declaration.present,
    removed: declaration.removed,
    memory,
    goesBack: run.goesBack,
  });
  return { kind, resources, seen, identified, left: rest };
}

/** Why a run has nothing to do with a kind; undefined where it does. */
export function leftOut(kind: Kind, { declaration, only }: Pick<Run, 'declaration' | 'only'>): 'unmanaged' | 'skipped' | undefined {
  if (!kind.sections.some((section) => section.manages && declaration.present.has(section.key))) return 'unmanaged';
  return touches(only, kind) ? undefined : 'skipped';
}

/** Whether an address lies within `--only`. */
export function inScope(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

/** The digest under which the ledger remembers the account's owner. */
export function ownerDigest(owner: string): string {
  return `sha256:${createHash('sha256').update(owner).digest('hex')}`;
}

/** The live objects of a column that somebody reads by their address. */
export function undeclaredAddresses({ kind, left }: Column): readonly { readonly address: string; readonly live: Live }[] {
  return left.unmanaged.map((live) => ({ address: kind.undeclared(live), live }));
}

function touches(only: readonly string[], kind: Kind): boolean {
  return (
    only.length === 0 ||
    only.some((glob) => kind.addresses.some((prefix) => (kind.singleton ? matchesGlob(glob, prefix) : mayMatchBelow(glob, prefix))))
  );
}
