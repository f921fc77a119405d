/** The account as it is and as it will be. */
import type { Column } from './column.ts';
import type { Sides, TwoSided } from './meaning.ts';
import { type Step, writesOnService } from './step.ts';

/** Both sides where these steps are done, and nothing else. */
export function sidesOf(columns: readonly Column[], steps: readonly Step[]): Sides {
  const complete = columns.filter(({ seen }) => seen.state === 'complete');
  return {
    complete: new Set(complete.map(({ kind }) => kind.name)),
    resourcesOf: (name) =>
      complete
        .filter(({ kind }) => kind.name === name)
        .flatMap((column) =>
          inColumn(
            column,
            steps.filter((step) => step.kind === column.kind && writesOnService(step.action)),
          ),
        ),
  };
}

function inColumn({ kind, resources, seen, identified }: Column, steps: readonly Step[]): readonly TwoSided[] {
  const addresses = new Set(resources.map(({ address }) => address));
  const standing = new Map([...identified.pairs].map(([address, { id }]) => [id, address]));
  const written = new Set(steps.flatMap(({ live }) => live?.id ?? []));
  const about = (address: string) => ({ kind: kind.name, address, declared: addresses.has(address) });
  return [
    ...steps.map(({ address, live, desired }): TwoSided => {
      return { ...about(address), changes: true, before: live?.fields ?? null, after: desired?.fields ?? null };
    }),
    ...seen.observation.objects
      .filter(({ id }) => !written.has(id))
      .map((live): TwoSided => {
        const address = standing.get(live.id) ?? kind.undeclared(live);
        return { ...about(address), changes: false, before: live.fields, after: live.fields };
      }),
  ];
}
