import { type Kind, type Live, type Service, ServiceError } from '../../kinds/kind.ts';
import { differencesOf } from '../compare.ts';
import type { PlannedStep } from '../plan.ts';
import { look } from './look.ts';

/** What reading back showed. */
export interface Verification {
  /** What is not as desired, by address. */
  readonly inconsistent: ReadonlyMap<string, string>;
  /** Reads that failed: what they should have verified is not verified. */
  readonly faults: readonly ServiceError[];
}

/** Reads again what was written and compares it with desired (design section 4, rule 8). `ids` are remote IDs of what was created, by address. */
export async function verify(
  written: readonly PlannedStep[],
  ids: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  service: Service,
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
  steps: readonly PlannedStep[],
  ids: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  service: Service,
  now: () => number,
): Promise<Verification> {
  try {
    const seen = await look(kind, steps, service, known, ids);
    const wrong = steps.flatMap((step): [string, string][] => {
      const difference = inconsistency(step, seen.get(step.change.address) ?? [], now());
      return difference === undefined ? [] : [[step.change.address, `inconsistent after apply: ${difference}`]];
    });
    return { inconsistent: new Map(wrong), faults: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { inconsistent: new Map(), faults: [error] };
  }
}

function inconsistency({ kind, desired }: PlannedStep, [live, twin]: readonly Live[], now: number): string | undefined {
  if (!desired) return live ? `it is still there (${live.id})` : undefined;
  if (!live) return 'it is not there';
  if (twin) return `two objects are there for it, ${live.id} and ${twin.id}; delete one of them, or name the right one under \`adopt\``;
  const [first] = differencesOf(kind, desired, live, now);
  return first && `${first.path} reads ${JSON.stringify(first.before)}, not ${JSON.stringify(first.after)}`;
}
