import { ApiError, type ApiService, type Kind, type LiveResource } from '../kinds/kind.ts';
import { differencesOf } from '../plan/diff-resources.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import { readCurrent } from './read-current.ts';

/** What reading back showed. */
export interface Verification {
  /** What is not as desired, by address. */
  readonly inconsistent: ReadonlyMap<string, string>;
  /** Reads that failed: what they should have verified is not verified. */
  readonly faults: readonly ApiError[];
}

/** Reads again what was written and compares it with desired (design section 4, rule 8). `ids` are remote IDs of what was created, by address. */
export async function verify(
  written: readonly ExecutableChange[],
  ids: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  service: ApiService,
  now: () => number,
): Promise<Verification> {
  const kinds = [...new Set(written.map((step) => step.kind))];
  const parts = await Promise.all(
    kinds.map((kind) =>
      verifyKind(
        kind,
        written.filter((step) => step.kind === kind),
        ids,
        known,
        service,
        now,
      ),
    ),
  );
  return {
    inconsistent: new Map(parts.flatMap((part) => [...part.inconsistent])),
    faults: parts.flatMap((part) => part.faults),
  };
}

async function verifyKind(
  kind: Kind,
  steps: readonly ExecutableChange[],
  ids: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  service: ApiService,
  now: () => number,
): Promise<Verification> {
  try {
    const seen = await readCurrent(kind, steps, service, known, ids);
    const wrong = steps.flatMap((step): [string, string][] => {
      const difference = inconsistency(step, seen.get(step.change.address) ?? [], now());
      return difference === undefined ? [] : [[step.change.address, `inconsistent after apply: ${difference}`]];
    });
    return { inconsistent: new Map(wrong), faults: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { inconsistent: new Map(), faults: [error] };
  }
}

function inconsistency({ kind, desired }: ExecutableChange, [live, twin]: readonly LiveResource[], now: number): string | undefined {
  if (!desired) return live ? `it is still there (${live.id})` : undefined;
  if (!live) return 'it is not there';
  if (twin) return `two objects are there for it, ${live.id} and ${twin.id}; delete one of them, or name the right one under \`adopt\``;
  const [first] = differencesOf(kind, desired, live, now);
  return first && `${first.path} reads ${JSON.stringify(first.before)}, not ${JSON.stringify(first.after)}`;
}
