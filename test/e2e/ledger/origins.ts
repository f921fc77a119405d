import type { Change } from '../../../src/model/change.ts';

/** What a plan says of the origin of each field, by address. */
export function origins(changes: readonly Change[]) {
  return Object.fromEntries(
    changes.map(({ address, origin, fields }) => [address, [origin, ...fields.map((field) => `${field.path} ${field.origin}`)]]),
  );
}
