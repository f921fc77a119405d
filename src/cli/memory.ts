/** What upkeep remembers of a target when a run begins: the last entry of the ledger, and what was desired then. */
import ledgerSchema from '../../schemas/ledger.schema.json' with { type: 'json' };
import type { Target } from '../engine/desired/configuration.ts';
import type { Declaration } from '../engine/desired/declaration.ts';
import { checker } from '../engine/desired/schema.ts';
import type { Base, Memory } from '../engine/memory.ts';
import type { Earlier } from '../engine/remember.ts';
import type { Desired } from '../kinds/kind.ts';
import { commitOf } from '../ledger/commits.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { GitError } from '../ledger/errors.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { Remote } from '../ledger/remote.ts';
import { declarationAt, remoteOf } from './configuration.ts';
import type { Io } from './io.ts';
import { warn } from './output.ts';
import type { Session } from './session.ts';

/** The memory of one run. */
export interface Remembered {
  /** The entry that the ledger ends with; null before the first apply, and without a ledger. */
  readonly last: { readonly commit: string | null; readonly entry: LedgerEntry } | null;
  /** Null without a ledger. */
  readonly memory: Memory | null;
  readonly base: Base | null;
  /** What was declared at the commit last applied, with what each address that was left out still stands for; null where nobody can tell. */
  readonly declaration: Declaration | null;
  readonly earlier: Earlier;
}

/** The ledger of a target and the remote that it lives on. */
export interface LedgerOf {
  readonly at: Remote;
  readonly ledger: Ledger;
}

/** Opens a target's ledger. @throws GitError */
export async function ledgerOf(session: Session, target: Target, io: Io): Promise<LedgerOf> {
  const at = await remoteOf(session, target, io);
  return { at, ledger: openLedger({ ...at, target: target.name, check: isEntry }) };
}

const checkEntry = checker<LedgerEntry>(ledgerSchema);

function isEntry(value: unknown): value is LedgerEntry {
  return 'value' in checkEntry(value);
}

/** A target's ledger, where it has one. @throws GitError */
export async function openedLedger(session: Session, target: Target, io: Io): Promise<LedgerOf | null> {
  return target.ledger === 'git' ? ledgerOf(session, target, io) : null;
}

const BLANK: Memory = { bindings: new Map(), forgotten: new Set(), owner: null };

/** Remembers what a run goes by. `base` is a ref that stands in for the commit last applied (`--base`). @throws GitError, LedgerError */
export async function remembered(
  session: Session,
  target: Target,
  io: Io,
  opened: LedgerOf | null,
  base: string | undefined,
): Promise<Remembered> {
  const kept = opened ? await opened.ledger.pendingRecord() : null;
  const recorded = opened ? await opened.ledger.latest() : null;
  const last = kept ? { commit: recorded?.commit ?? null, entry: kept.entry } : recorded;
  if (kept)
    warn(
      io,
      `the record of the last apply to ${target.name} is not in the ledger yet`,
      'the next apply pushes it; until then it counts as done here',
    );
  const memory = opened ? (last ? memoryOf(last.entry) : BLANK) : null;
  const standing = new Map(base === undefined ? Object.entries(last?.entry.standing ?? {}) : []);
  const commit =
    base === undefined ? (last?.entry.config.commit ?? null) : await commitOf(opened?.at ?? (await remoteOf(session, target, io)), base);
  const at = opened?.at ?? (base === undefined ? null : await remoteOf(session, target, io));
  const declaration = at && commit !== null ? await declaredAt(session, target, at, commit, io) : null;
  const found =
    opened && !last && base === undefined
      ? NEVER_APPLIED
      : declaration && at
        ? await baseOf(declaration, standing, memory ?? BLANK, (named) => declaredAt(session, target, at, named, io))
        : null;
  return {
    last,
    memory,
    base: found,
    declaration: declaration && found && { ...declaration, resources: [...found.resources.values()] },
    earlier: { memory: memory ?? BLANK, base: found, commit, standing },
  };
}

/** Before the first apply nothing was declared. */
const NEVER_APPLIED: Base = { resources: new Map(), unknown: new Set() };

function memoryOf({ bindings, forgotten, owner }: LedgerEntry): Memory {
  return { bindings: new Map(Object.entries(bindings)), forgotten: new Set(forgotten), owner };
}

/** A base that cannot be read makes origins unknown; it stops nothing. */
async function declaredAt(session: Session, target: Target, at: Remote, commit: string, io: Io): Promise<Declaration | null> {
  const hint = 'differences are shown without their origin';
  try {
    const declaration = await declarationAt(session, target, at, commit);
    if (typeof declaration !== 'string') return declaration;
    warn(io, `the configuration last applied (${commit.slice(0, 12)}) cannot be used: ${declaration}`, hint);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    warn(io, `the configuration last applied cannot be read: ${error.message}`, `${error.hint}; ${hint}`);
  }
  return null;
}

/**
 * The base, with the commits at which addresses still stand that earlier applies left out. Where there is no such commit, an address
 * was never declared, unless it has a binding: then a dirty work tree declared it, and nobody can tell how.
 */
async function baseOf(
  declaration: Declaration,
  standing: ReadonlyMap<string, string | null>,
  { bindings }: Memory,
  declaredAtCommit: (commit: string) => Promise<Declaration | null>,
): Promise<Base> {
  const resources = byAddress(declaration);
  const unknown = new Set<string>();
  const commits = new Map<string, ReadonlyMap<string, Desired> | null>();
  for (const commit of new Set(standing.values())) {
    const then = commit === null ? null : await declaredAtCommit(commit);
    if (commit !== null) commits.set(commit, then && byAddress(then));
  }
  for (const [address, commit] of standing) {
    resources.delete(address);
    const then = commit === null ? null : commits.get(commit);
    const stood = then?.get(address);
    if (stood) resources.set(address, stood);
    else if (!then && (commit !== null || bindings.has(address))) unknown.add(address);
  }
  return { resources, unknown };
}

function byAddress({ resources }: Declaration): Map<string, Desired> {
  return new Map(resources.map((resource) => [resource.address, resource]));
}
