import type { LedgerEntry, RecordedBinding } from './entry.ts';

/**
 * An entry that could not be pushed in its time, as it can follow one that others recorded meanwhile: who, when and what remain, the
 * configuration is the one applied last, and of the bindings the late apply adds and removes only what nobody has decided since.
 * `before` is the entry that the late one followed.
 */
export function rebaseEntry(late: LedgerEntry, before: LedgerEntry | null, latest: LedgerEntry): LedgerEntry {
  const then = new Map(Object.entries(before?.bindings ?? {}));
  const made = new Map(Object.entries(late.bindings));
  const kept = Object.entries(latest.bindings).filter(([address, { id }]) => then.get(address)?.id !== id || made.get(address)?.id === id);
  const added = additions(made, then, new Map(kept));
  return {
    ...late,
    config: latest.config,
    owner: latest.owner,
    forgotten: [...new Set([...latest.forgotten, ...late.forgotten])],
    bindings: Object.fromEntries([...kept, ...added]),
    standing: { ...latest.standing, ...Object.fromEntries(added.map(([address]) => [address, late.config.commit])) },
  };
}

type Bindings = ReadonlyMap<string, RecordedBinding>;

/** What the late apply bound anew, as long as neither the address nor the object belongs to somebody by now. */
function additions(made: Bindings, then: Bindings, now: Bindings): readonly (readonly [string, RecordedBinding])[] {
  const taken = new Set([...now.values()].map(({ id }) => id));
  return [...made].filter(([address, { id }]) => then.get(address)?.id !== id && !now.has(address) && !taken.has(id));
}
