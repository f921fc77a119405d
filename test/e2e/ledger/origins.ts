import type { Change } from '../../../src/core/model/change.ts';

/** Returns the origin of each change and each field, by address. */
export function originsByAddress(changes: readonly Change[]) {
  return Object.fromEntries(
    changes.map(({ address, origin, fields }) => [address, [origin, ...fields.map((field) => `${field.path} ${field.origin}`)]]),
  );
}
